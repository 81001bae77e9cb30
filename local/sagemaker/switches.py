"""What nobody could verify about SageMaker without a real account, as switches: a test proves both positions.

Each field names one behaviour that no AWS page and no API shape settles; its default is the likelier reading or the
one that is harder for a caller. The page or shape that leaves it open stands beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self, get_args, get_origin

KeepAliveCountsFrom = Literal["end", "now"]
PoolPick = Literal["lifo", "fifo"]
Emitting = Literal["all", "primary"]
MissingJob = Literal["ResourceNotFound", "ValidationException"]
ArnCase = Literal["lower", "given"]
EventTags = Literal["object", "list"]
WaitsIn = Literal["Starting", "Pending"]
PendingEnd = Literal["Stopped", "MaxWaitTimeExceeded"]
Counting = Literal["all", "running"]
CriteriaEnd = Literal["Completed", "Stopped"]


@dataclass(frozen=True)
class Switches:
    """One position of every switch; replaced as a whole, so that a reader never sees half a change."""

    keep_alive_update_counts_from: KeepAliveCountsFrom = "end"
    """UpdateTrainingJob does not say whether a new period counts from the job's end or from the update."""
    keep_alive_cap: Literal[3600, 21600] = 21600
    """The API model allows 21600 seconds (shape KeepAlivePeriodInSeconds), the guide's warm-pool page 3600."""
    pool_pick: PoolPick = "lifo"
    """Which of several matching pools a job takes: the youngest or the oldest (warm-pool page is silent)."""
    pool_available_lag_seconds: float = 0
    """WarmPoolStatus may be missing, and the pool not be taken, just after the end (seen by a third party)."""
    subnet_order_matters: bool = False
    """Whether subnets and security groups match in any order (the warm-pool page lists the fields only)."""
    update_in_use_pool: bool = True
    """Whether UpdateTrainingJob accepts a pool that is InUse (the guide speaks of Available only)."""
    transitions_emit: Emitting = "all"
    """Whether each secondary transition is an event or only a change of TrainingJobStatus (EventBridge page)."""
    interrupted_emits: bool = True
    """Whether the secondary status Interrupted is an event when secondary transitions are."""
    events_fill_tags: bool = True
    """The published event has an empty Tags object; whether a tagged job's is filled is not shown."""
    event_tags: EventTags = "object"
    """Tags of an event: an object in the guide's sample, a list of Key and Value in the published schema."""
    events_fill_transitions: bool = True
    """The published event has an empty list of SecondaryStatusTransitions; whether a real one's is filled is open."""
    describe_missing_job: MissingJob = "ResourceNotFound"
    """The API models ResourceNotFound; "ValidationException: Requested resource not found." is reported."""
    describe_lag_seconds: float = 0
    """DescribeTrainingJob may show the state from before an event that was delivered already."""
    arn_case: ArnCase = "lower"
    """Whether the job's name is lower-cased in its ARN (reported, in no page)."""
    unstarted_job_has_end_time: bool = True
    """Whether a job that ended without having started has a TrainingEndTime."""
    waits_in: WaitsIn = "Starting"
    """What a job shows while it waits for capacity at first: the API model words both for it (SecondaryStatus)."""
    max_pending_ends_in: PendingEnd = "Stopped"
    """The secondary status after MaxPendingTimeInSeconds, which has none of its own; the job is stopped (model)."""
    thirty_days_count: Counting = "all"
    """Whether waiting counts towards the 30 days that a job can run in total (StoppingCondition)."""
    tuning_criteria_end_in: CriteriaEnd = "Completed"
    """The status of a tuning job that met its time limit or a completion criterion: the guide says it is stopped."""

    @classmethod
    def from_json(cls, body: Mapping[str, Any], *, current: Self | None = None) -> Self:
        """`current` with the given fields changed; an unknown field or position is a ValueError naming it."""
        known = {field.name: field.type for field in fields(cls)}
        if unknown := set(body) - set(known):
            raise ValueError(f"unknown switch(es) {sorted(unknown)}; known: {sorted(known)}")
        for name, position in body.items():
            _check(name, position, known[name])
        return replace(current or cls(), **body)


OTHER_POSITIONS: dict[str, Any] = {
    "keep_alive_update_counts_from": "now",
    "keep_alive_cap": 3600,
    "pool_pick": "fifo",
    "pool_available_lag_seconds": 5,
    "subnet_order_matters": True,
    "update_in_use_pool": False,
    "transitions_emit": "primary",
    "interrupted_emits": False,
    "events_fill_tags": False,
    "event_tags": "list",
    "events_fill_transitions": False,
    "describe_missing_job": "ValidationException",
    "describe_lag_seconds": 2,
    "arn_case": "given",
    "unstarted_job_has_end_time": False,
    "waits_in": "Pending",
    "max_pending_ends_in": "MaxWaitTimeExceeded",
    "thirty_days_count": "running",
    "tuning_criteria_end_in": "Stopped",
}
"""Every switch turned: what works in both worlds depends on none of them."""


def _check(name: str, position: Any, kind: Any) -> None:
    if get_origin(kind) is Literal:
        if position not in get_args(kind):
            raise ValueError(f"{name} must be one of {list(get_args(kind))}, not {position!r}")
    elif kind is bool and not isinstance(position, bool):
        raise ValueError(f"{name} must be true or false, not {position!r}")
    elif kind is float and (isinstance(position, bool) or not isinstance(position, (int, float)) or position < 0):
        raise ValueError(f"{name} must be a number of seconds, 0 or more, not {position!r}")
