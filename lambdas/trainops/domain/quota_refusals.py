"""A training job that was refused for want of quota: which quota, how much it needs, and what became of asking for it.

Read from the trail's record of the refused call ("AWS API Call via CloudTrail" on the default bus): no job exists, so
SageMaker has no event of its own. Source: CloudTrail user guide, record contents; the text is SageMaker's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.domain.callers import caller_in
from trainops.domain.failures import QuotaShortage, quota_shortage
from trainops.domain.owners import Evidence, Owner, owner_of
from trainops.domain.quota_records import QuotaRecord
from trainops.domain.quota_usage import Usage
from trainops.domain.quotas import quota_key
from trainops.domain.state_changes import needed_time

WINDOW = timedelta(hours=1)
"""How long an owner is not told of the same quota again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCall:
    """A refused CreateTrainingJob."""

    id: str
    at: datetime
    job_name: str
    owner: Owner
    shortage: QuotaShortage
    account: str
    region: str
    partition: str

    @property
    def window(self) -> datetime:
        """The beginning of the hour in which it happened."""
        return self.at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)

    @property
    def key(self) -> str:
        """What is told once: quota, window and owner."""
        return f"{quota_key(self.shortage.name)}|{self.window:%Y-%m-%dT%H:%M:%SZ}|{self.owner.name or '-'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What its owner is told; the ledger's item. `call` is the record that was first in its window."""

    key: str
    call: str
    at: datetime
    job_name: str
    owner: Owner
    quota: str
    limit: int
    needed: int
    asked: int
    used: int
    counted: bool
    """Whether `used` was counted from the jobs; else it is SageMaker's own number."""
    stopping: int = 0
    idle: int = 0
    advice: str
    quota_arn: str
    published: bool = False

    def said(self) -> "Refusal":
        """Once it is on the bus."""
        return replace(self, published=True)


def refused_call(event: Mapping[str, Any]) -> RefusedCall | None:
    """The refusal in an event of the trail; None when it names no quota. Raises KeyError, TypeError or ValueError when
    the event is no record of a CreateTrainingJob.
    """
    detail = event["detail"]
    if detail["eventName"] != "CreateTrainingJob":
        raise ValueError(f"the record is one of {detail['eventName']}")
    shortage = quota_shortage(str(detail.get("errorMessage", "")))
    if shortage is None:
        return None
    when = needed_time(detail, "eventTime")
    request = detail.get("requestParameters") or {}
    return RefusedCall(
        id=str(detail["eventID"]),
        at=when,
        job_name=str(request.get("trainingJobName", "")),
        owner=_owner(request, detail),
        shortage=shortage,
        account=str(detail.get("recipientAccountId", "")),
        region=str(detail["awsRegion"]),
        partition=str((detail.get("userIdentity") or {}).get("arn", "arn:aws:")).split(":")[1],
    )


def refusal(call: RefusedCall, record: QuotaRecord | None, usage: Usage | None) -> Refusal:
    """What to tell of it. Needed is counted from the jobs where that can be done: stopping jobs and idle pools hold
    instances too, and then there is nothing to ask for.
    """
    shortage, key = call.shortage, quota_key(call.shortage.name)
    counted = usage.of(key) if usage else None
    used = shortage.in_use if counted is None else max(counted, shortage.in_use)
    stopping = usage.stopping.get(key, 0) if usage else 0
    idle = usage.idle.get(key, 0) if usage else 0
    needed = used + shortage.asked
    frees = stopping > 0 and needed - stopping <= shortage.limit
    code = record.seen.code if record and record.seen else ""
    return Refusal(
        key=call.key,
        call=call.id,
        at=call.at,
        job_name=call.job_name,
        owner=call.owner,
        quota=shortage.name,
        limit=shortage.limit,
        needed=needed,
        asked=shortage.asked,
        used=used,
        counted=counted is not None,
        stopping=stopping,
        idle=idle,
        advice=_frees(stopping) if frees else _advice(record, needed),
        quota_arn=f"arn:{call.partition}:servicequotas:{call.region}:{call.account}:sagemaker/{code}",
    )


def _frees(stopping: int) -> str:
    return (
        f"{stopping} of them belong to jobs that are stopping, which takes minutes: start it again then. "
        "More quota need not be asked for"
    )


def _advice(record: QuotaRecord | None, needed: int) -> str:
    request = record.request if record else None
    if record is None or not record.wishes:
        return f"Nobody has asked for more: it takes {needed}, in the section quotas of the deployment's settings"
    if request and request.open:
        case = f", case {request.case_id}" if request.case_id else ""
        more = f"; this job needs {needed}" if request.desired < needed else ""
        return (
            f"An increase to {request.desired} was asked for on {request.created:%Y-%m-%d} ({request.id}{case}){more}"
        )
    if record.wanted < needed:
        return f"The settings want {record.wanted} of it, which this job exceeds: it takes {needed}"
    return f"{record.reason[:1].upper()}{record.reason[1:]}" if record.reason else f"The settings want {record.wanted}"


def _owner(request: Mapping[str, Any], detail: Mapping[str, Any]) -> Owner:
    """By the request's tags, else whoever called: the same chain as of a job that did start."""
    tags = {str(tag["key"]): str(tag["value"]) for tag in request.get("tags") or () if "key" in tag and "value" in tag}
    creator = caller_in(detail.get("userIdentity") or {}, str(detail.get("userAgent") or ""))
    return owner_of(tags, Evidence(creator=creator))
