"""`validate`: everything wrong with a request, before anything is called.

The rules are `trainops.domain`'s; names and types of members are checked against botocore's own model of the API.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import botocore.session
from botocore.model import Shape
from botocore.validate import ParamValidator

from trainops.domain.findings import Finding
from trainops.domain.request_checks import check_request
from trainops.domain.team_facts import TeamFacts
from trainops.domain.training_requests import is_tuning
from trainops_notebook.team_parameter import DEPLOYMENT, team_facts

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
    deployment: str = DEPLOYMENT,
    facts: TeamFacts | None = None,
) -> list[Finding]:
    """What is wrong with the request of a training or tuning job, errors first; empty when nothing is. With a team's
    name (read from its deployment) or its facts, also what that team may not do.
    """
    if facts is None and team is not None:
        facts = team_facts(team, deployment=deployment)
    return [*model_findings(request), *check_request(request, facts)]


def model_findings(request: Mapping[str, Any]) -> Iterator[Finding]:
    """Members that are missing, unknown, of the wrong type or too small by botocore's model."""
    shape = _shape("CreateHyperParameterTuningJobRequest" if is_tuning(request) else "CreateTrainingJobRequest")
    report = ParamValidator().validate(dict(request), shape)
    for fault in filter(None, FAULT.split(report.generate_report())):
        yield _finding(fault.strip())


@cache
def _shape(name: str) -> Shape:
    """A request's shape; the model takes a second to read."""
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
