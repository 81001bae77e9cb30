"""Who made a call, as far as the account's trail tells: a person, or a machine that works under a role.

Used on the trail's records of CreateTrainingJob and StartPipelineExecution ("AWS API Call via CloudTrail" on the
default bus), which exist only where the account has a trail of management events. Source: CloudTrail user guide,
"CloudTrail userIdentity element".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from trainops.domain.state_changes import needed_time

TRAIL_DETAIL_TYPE = "AWS API Call via CloudTrail"
CREATED = {"CreateTrainingJob": "trainingJobArn", "StartPipelineExecution": "pipelineExecutionArn"}
"""Calls that say who stands behind a job, and what their answer names."""
MACHINE_SESSIONS = re.compile(
    "|".join(
        (
            r"sagemaker([-_.].*)?",
            r"(botocore|boto3)-session-\d+",
            r"aws-(sdk|go-sdk|cli)-.*",
            r"aws(codebuild|codepipeline|cloudformation|batch|glue).*",
            r"gluejobrunnersession",
            r"github-?actions?",
            r"(eks|ecs)-.+",
            r"i-[0-9a-f]{8,}",
            r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
            r"[0-9a-f]{32}|[a-z]{32}|\d{13}",
        )
    ),
    re.IGNORECASE,
)
"""Session names that services and SDKs choose: SageMaker's own (also in Studio), SDKs that were given none, build
services, EKS and ECS, EC2's instance, random letters (Step Functions) and digits (CodePipeline)."""
_MACHINE_AGENT = re.compile(r"exec-env/AWS_(Lambda|ECS)")
"""What SDKs say of where they run. A Lambda function's session has the function's name, which looks like anything."""


@dataclass(frozen=True, slots=True)
class Caller:
    """`name` is None for a machine; `how` says what the name was taken from, or that it was none. No address in it."""

    name: str | None
    how: str


@dataclass(frozen=True, slots=True)
class WitnessedCall:
    """A call that made something: the ARN in lower case, when, and by whom."""

    arn: str
    at: datetime
    caller: Caller


def caller_in(identity: Mapping[str, Any], user_agent: str = "") -> Caller:
    """The caller in a record's `userIdentity`. A source identity goes first: whoever assumes roles cannot change it."""
    session = identity.get("sessionContext") or {}
    kind, arn = str(identity.get("type", "")), str(identity.get("arn", ""))
    if source := str(session.get("sourceIdentity") or "").strip():
        return Caller(source, "source identity")
    if kind in {"IAMUser", "IdentityCenterUser", "WebIdentityUser", "SAMLUser"} and identity.get("userName"):
        return Caller(str(identity["userName"]), "IAM user" if kind == "IAMUser" else "signed-in user")
    name = arn.rpartition("/")[2].strip()
    if ":assumed-role/" in arn and not session.get("ec2RoleDelivery") and is_person(name, user_agent):
        return Caller(name, "session name")
    if ":user/" in arn and name:
        return Caller(name, "IAM user")
    return Caller(None, "a service called")


def is_person(session_name: str, user_agent: str = "") -> bool:
    """Whether an assumed role's session name looks like a person's and not like what a service or SDK makes up."""
    return bool(session_name) and not MACHINE_SESSIONS.fullmatch(session_name) and not _MACHINE_AGENT.search(user_agent)


def witnessed_call(event: Mapping[str, Any]) -> WitnessedCall | None:
    """The call in an event of the trail; None when it failed or made nothing we know. Raises KeyError, TypeError or
    ValueError when the event is no record of a call.
    """
    detail = event["detail"]
    named = CREATED.get(detail["eventName"])
    arn = (detail.get("responseElements") or {}).get(named) if named and not detail.get("errorCode") else None
    if not arn:
        return None
    when = needed_time(detail, "eventTime")
    identity, agent = detail.get("userIdentity") or {}, str(detail.get("userAgent") or "")
    return WitnessedCall(str(arn).lower(), when, caller_in(identity, agent))
