"""Reads the published event "SageMaker Training Job State Change", and the reconciler's request to look at a job.

Tolerant by design: the sample on the AWS page writes times as epoch milliseconds in strings, elsewhere they are
numbers or ISO text; `Tags` is an object there and a list in the API; anything may be missing. Only an event that names
no training job is refused. Source: developer guide, "Automating Amazon SageMaker with Amazon EventBridge".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.errors import PoisonMessage

DETAIL_TYPE = "SageMaker Training Job State Change"
LOOK_DETAIL_TYPE = "Training Job Look"
"""The reconciler's message on the same queue: the same shape, but not evidence of a change."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """One message about one job. `created` is None when the message does not say it; `tags` is None when it says none:
    whether real events fill in `Tags` is not documented, so an empty object is no proof that there are none.
    """

    arn: str
    status: str
    secondary_status: str | None
    created: datetime | None
    at: datetime
    tags: Mapping[str, str] | None
    look: bool
    job: TrainingJob
    """The event alone, as a job; `job.key.created` falls back to the event's time."""

    @property
    def name(self) -> str:
        """The job's name."""
        return self.job.name

    @property
    def starting(self) -> datetime | None:
        """When its instances are started, if that is what it tells: at the job's start, and after an interruption."""
        begins = self.status == "InProgress" and self.secondary_status == "Starting" and not self.look
        return (self.job.last_modified or self.at) if begins else None


def parse_state_change(event: Mapping[str, Any]) -> StateChange:
    """The state change in an EventBridge event. Raises PoisonMessage when it names no training job or no time."""
    detail = event.get("detail")
    if not isinstance(detail, Mapping):
        raise PoisonMessage(f"the event has no detail object, but {type(detail).__name__}")
    arn = _arn(event, detail)
    at = parse_time(event.get("time")) or parse_time(detail.get("LastModifiedTime"))
    if at is None:
        raise PoisonMessage(f"the event about {arn} has no time")
    created = parse_time(detail.get("CreationTime"))
    secondary = detail.get("SecondaryStatus")
    return StateChange(
        arn=arn,
        status=str(detail.get("TrainingJobStatus") or "Unknown"),
        secondary_status=str(secondary) if secondary else None,
        created=created,
        at=at,
        tags=parse_tags(detail.get("Tags")) or None,
        look=event.get("detail-type") == LOOK_DETAIL_TYPE,
        job=_job(detail, JobKey.of(arn, created or at), _name(arn, detail), at),
    )


def _job(detail: Mapping[str, Any], key: JobKey, name: str, at: datetime) -> TrainingJob:
    resources = _object(detail.get("ResourceConfig"))
    stopping = _object(detail.get("StoppingCondition"))
    return TrainingJob(
        key=key,
        status=str(detail.get("TrainingJobStatus") or "Unknown"),
        given_name=name,
        secondary_status=detail.get("SecondaryStatus"),
        failure_reason=detail.get("FailureReason"),
        started=parse_time(detail.get("TrainingStartTime")),
        ended=parse_time(detail.get("TrainingEndTime")),
        last_modified=parse_time(detail.get("LastModifiedTime")),
        instance_type=resources.get("InstanceType"),
        instance_count=_whole(resources.get("InstanceCount")),
        heterogeneous=bool(resources.get("InstanceGroups")),
        max_runtime=_duration(stopping.get("MaxRuntimeInSeconds")),
        max_wait=_duration(stopping.get("MaxWaitTimeInSeconds")),
        keep_alive=_duration(resources.get("KeepAlivePeriodInSeconds")),
        interruptions=_interruptions(detail, at),
        tags=parse_tags(detail.get("Tags")) or {},
    )


def _interruptions(detail: Mapping[str, Any], at: datetime) -> tuple[datetime, ...]:
    """Every Interrupted transition the event lists, or the event's own when it lists none."""
    transitions = detail.get("SecondaryStatusTransitions")
    listed = [item for item in transitions if isinstance(item, Mapping)] if isinstance(transitions, Sequence) else []
    found = tuple(
        when for item in listed if item.get("Status") == "Interrupted" and (when := parse_time(item.get("StartTime")))
    )
    if found or detail.get("SecondaryStatus") != "Interrupted":
        return found
    return (parse_time(detail.get("LastModifiedTime")) or at,)


def _arn(event: Mapping[str, Any], detail: Mapping[str, Any]) -> str:
    candidates = [detail.get("TrainingJobArn"), *(event.get("resources") or ())]
    for arn in candidates:
        if isinstance(arn, str) and ":training-job/" in arn:
            return arn
    name, region, account = detail.get("TrainingJobName"), event.get("region"), event.get("account")
    if not (name and region and account):
        raise PoisonMessage("the event names no training job: no TrainingJobArn, and no name with account and Region")
    return f"arn:{_partition(str(region))}:sagemaker:{region}:{account}:training-job/{name}"


def _name(arn: str, detail: Mapping[str, Any]) -> str:
    """The name as given, when it is the ARN's but for upper case; in the published sample it is another one."""
    tail, named = arn.rpartition("/")[2], str(detail.get("TrainingJobName"))
    return named if named.lower() == tail.lower() else tail


def _partition(region: str) -> str:
    prefixes = {"cn-": "aws-cn", "us-gov-": "aws-us-gov", "us-iso-": "aws-iso", "us-isob-": "aws-iso-b"}
    return next((name for prefix, name in prefixes.items() if region.startswith(prefix)), "aws")


def parse_time(value: object) -> datetime | None:
    """A time written as ISO-8601, or as epoch milliseconds or seconds in text or a number; None when it is not one.

    Numbers above 10^11 are milliseconds: as seconds they would lie beyond the year 5000.
    """
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return _iso(value)
    try:
        return datetime.fromtimestamp(number / 1000 if abs(number) > 1e11 else number, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def needed_time(fields: Mapping[str, Any], name: str) -> datetime:
    """The field, read as `parse_time` does. Raises ValueError when it is missing or no time."""
    when = parse_time(fields.get(name))
    if when is None:
        raise ValueError(f"{name} is no ISO-8601 time, but {fields.get(name)!r}")
    return when


def _iso(value: object) -> datetime | None:
    try:
        parsed = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return parsed.replace(tzinfo=parsed.tzinfo or UTC).astimezone(UTC)


def parse_tags(value: object) -> dict[str, str] | None:
    """Tags from an object (events) or a list of Key and Value (the API); None when there is neither."""
    if isinstance(value, Mapping):
        return {str(key): str(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return {
            str(item["Key"]): str(item.get("Value", ""))
            for item in value
            if isinstance(item, Mapping) and "Key" in item
        }
    return None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _whole(value: object) -> int | None:
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError):
        return None


def _duration(value: object) -> timedelta | None:
    seconds = _whole(value)
    return None if seconds is None else timedelta(seconds=seconds)
