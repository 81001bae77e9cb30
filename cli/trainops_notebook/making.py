"""`defaults`: from a team's name and a few choices to the arguments of its jobs, refused here if SageMaker would."""

import re
import warnings
from datetime import timedelta
from typing import Literal

import boto3

from trainops.domain.findings import Finding, errors
from trainops.domain.request_checks import check_request
from trainops.domain.team_facts import TeamFacts
from trainops.domain.training_requests import DEFAULT_RUN
from trainops_notebook.job_defaults import JobDefaults, Owner
from trainops_notebook.owners import owner_of
from trainops_notebook.recommended import with_advice, with_recommendation
from trainops_notebook.team_parameter import DEPLOYMENT, team_facts

Duration = int | timedelta
"""Seconds, or a timedelta."""
EXPERIMENT = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}")
RESERVED = frozenset({"trainops"})
"""Below the team's artifacts this name is the deployment's own."""
BOTH = "keep-alive-with-spot"
"""The finding about which history has something to say."""
SAID = frozenset({"max-run-of-sdk-v3"})
"""Warnings about what nobody said; here everything is said."""


class RequestRefused(ValueError):
    """What was asked for would be refused; `findings` says why, each with what to do."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings


def defaults(
    *,
    team: str,
    experiment: str,
    instance_type: str,
    instance_count: int = 1,
    volume_gb: int = 30,
    spot: bool = False,
    keep_alive: Duration | Literal["recommended"] = 0,
    max_run: Duration | None = None,
    max_wait: Duration | None = None,
    owner: str | None = None,
    deployment: str = DEPLOYMENT,
    facts: TeamFacts | None = None,
    session: boto3.Session | None = None,
) -> JobDefaults:
    """The settings of an experiment's jobs, for the SDK v2, the SDK v3 or boto3. Reads the team's facts unless
    given, and asks who the owner is unless told.

    `max_run` is one day unless said, or what the team may run; a spot job may by default wait as long as it may run.
    Jobs of one experiment share its checkpoints; give another name to start afresh. `keep_alive="recommended"` takes
    what the deployment learned to be cheapest for such jobs of the team, one more call; printing the settings says why.
    Raises RequestRefused, TeamUnknown, OwnerUnknown, and RecommendationsUnknown; what SageMaker would accept but people
    regret is a warning.
    """
    if not EXPERIMENT.fullmatch(experiment) or experiment in RESERVED:
        raise ValueError(f"experiment {experiment!r}: use letters, digits, '.', '_' and '-', and not {min(RESERVED)!r}")
    session = session or boto3.Session()
    facts = facts or team_facts(team, deployment=deployment, session=session)
    run = min(DEFAULT_RUN, facts.limits.runtime_seconds) if max_run is None else _seconds(max_run)
    wait = (2 * run if spot else 0) if max_wait is None else _seconds(max_wait)
    job = JobDefaults(
        facts=facts,
        experiment=experiment,
        owner=Owner(owner, "as you say") if owner else owner_of(session),
        instance_type=instance_type,
        instance_count=instance_count,
        volume_gb=volume_gb,
        max_run=run,
        spot=spot,
        max_wait=wait,
        keep_alive=0 if keep_alive == "recommended" else _seconds(keep_alive),
    )
    if keep_alive == "recommended":
        job = with_recommendation(job, session)
    found = check_request(job.request(), facts)
    _explain([with_advice(finding, job, session) if finding.rule == BOTH else finding for finding in found])
    return job


def _explain(findings: list[Finding]) -> None:
    """Raise what would be refused; warn of the rest at the caller's line."""
    if refused := errors(findings):
        raise RequestRefused(refused)
    for finding in findings:
        if finding.rule not in SAID:
            warnings.warn(str(finding), stacklevel=3)


def _seconds(duration: Duration) -> int:
    return int(duration.total_seconds()) if isinstance(duration, timedelta) else duration
