"""`validate`: everything wrong with a request, before anything is called.

The rules need nothing but Python. Names and types of members are checked against botocore's own model of the API when
botocore is there.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from trainops.domain.findings import Finding
from trainops.domain.request_checks import check_request
from trainops.domain.team_facts import TeamFacts
from trainops.domain.training_requests import is_tuning

if TYPE_CHECKING:
    from botocore.model import Shape

FAULT = re.compile(r"^(?=Missing required|Unknown parameter|Invalid )", re.MULTILINE)
"""Where a fault begins in botocore's report."""
PLACE = re.compile(r"(?:parameter|structure|in) (?P<path>(?:[A-Z]|input)[^,:\s]*)")
MEMBER = re.compile(r'(?:in [^:]*: )"(?P<name>[^"]*)"(?:, must be one of: (?P<known>.*))?')
PRIVATE = re.compile(r"^(?:TrainingJobDefinitions?[^.]*\.)?(?:Environment|HyperParameters|StaticHyperParameters)\b")
"""Whose values are not repeated: they may hold secrets."""


def validate(
    request: Mapping[str, Any],
    *,
    team: str | None = None,
    deployment: str = "trainops",
    facts: TeamFacts | None = None,
) -> list[Finding]:
    """What is wrong with the request of a training or tuning job, errors first; empty when nothing is. With a team's
    name (read from its deployment) or its facts, also what that team may not do.
    """
    if facts is None and team is not None:
        from trainops_notebook.team_parameter import team_facts  # noqa: PLC0415 - the rules work without boto3

        facts = team_facts(team, deployment=deployment)
    return [*model_findings(request), *check_request(request, facts)]


def checks_model() -> bool:
    """Whether names and types of members can be checked: botocore is installed."""
    return find_spec("botocore") is not None


def model_findings(request: Mapping[str, Any]) -> Iterator[Finding]:
    """Members that are missing, unknown, of the wrong type or too small by botocore's model; none without botocore."""
    if not checks_model():
        return
    from botocore.validate import ParamValidator  # noqa: PLC0415 - optional

    shape = _shape("CreateHyperParameterTuningJobRequest" if is_tuning(request) else "CreateTrainingJobRequest")
    report = ParamValidator().validate(dict(request), shape)
    for fault in filter(None, FAULT.split(report.generate_report())):
        yield _finding(fault.strip())


@cache
def _shape(name: str) -> "Shape":
    """A request's shape; the model takes a second to read."""
    import botocore.session  # noqa: PLC0415 - optional

    return botocore.session.get_session().get_service_model("sagemaker").shape_for(name)


def _finding(fault: str) -> Finding:
    """One of botocore's sentences as a finding."""
    found = PLACE.search(fault)
    path = (found["path"] if found else "input").removeprefix("input")
    if member := MEMBER.search(fault):
        return _member_finding(f"{path}.{member['name']}".lstrip("."), member)
    problem = fault.partition(", value:")[0] if PRIVATE.match(path) else fault
    return Finding("api-model", "error", path or "request", None, f"{problem}.", "Give what the API takes.")


def _member_finding(path: str, member: re.Match[str]) -> Finding:
    if not member["known"]:
        return Finding("api-missing-member", "error", path, None, "the API requires it.", "Add it.")
    near = difflib.get_close_matches(member["name"], member["known"].split(", "), n=1)
    remedy = f"Did you mean {near[0]}?" if near else "Remove it."
    return Finding("api-unknown-member", "error", path, None, "the API has no such member.", remedy)
