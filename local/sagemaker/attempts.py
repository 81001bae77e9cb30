"""The attempts of which a training job consists: until spot capacity is taken, an internal error, or its end.

Spot interruptions are scripted by number or drawn from a seed; with a CheckpointConfig a drawn one resumes where it
was, without one it starts again (guide, "Managed Spot Training in Amazon SageMaker AI").
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from local.sagemaker.chance import until_next
from local.sagemaker.plans import Plan

HOUR = 3600
MOST = 200  # attempts that are drawn; MaxWaitTimeInSeconds ends a job long before
DONE_BEFORE_ERROR = 0.5  # of the training, our choice


@dataclass(frozen=True)
class Attempt:
    """One run on instances: how long it waits for them, how long it trains, and why it ends."""

    waiting_seconds: float
    training_seconds: float
    ending: Literal["Interrupted", "InternalServerError", "Last"]


def attempts(plan: Plan, request: Mapping[str, Any]) -> Iterator[Attempt]:
    """All attempts in their order; the plan's internal errors are those that the RetryStrategy repeats."""
    waiting = first_wait(plan, request)
    for _ in range(plan.internal_errors):
        yield Attempt(waiting, plan.training_seconds * DONE_BEFORE_ERROR, "InternalServerError")
        waiting = 0
    *interrupted, last = _shares(plan, request)
    for seconds in interrupted:
        yield Attempt(waiting, seconds, "Interrupted")
        waiting = 0  # what an interrupted job waits for is the length of its Interrupted status
    yield Attempt(waiting, inf if plan.until_exit else last, "Last")


def first_wait(plan: Plan, request: Mapping[str, Any]) -> float:
    """Seconds in Starting until capacity is found."""
    return plan.capacity_wait_seconds + _drawn_wait(plan, request, "first")


def interrupted_wait(plan: Plan, request: Mapping[str, Any], number: int) -> float:
    """Seconds in Interrupted until capacity is found again."""
    if plan.spot_wait_mean_seconds:
        return _drawn_wait(plan, request, number)
    return plan.interrupted_seconds


def _drawn_wait(plan: Plan, request: Mapping[str, Any], label: object) -> float:
    if not plan.spot_wait_mean_seconds or not request.get("EnableManagedSpotTraining"):
        return 0
    return until_next(1 / plan.spot_wait_mean_seconds, plan.seed, request["TrainingJobName"], "wait", label)


def _shares(plan: Plan, request: Mapping[str, Any]) -> list[float]:
    """The training seconds of each attempt."""
    if not plan.interruptions_per_hour or not request.get("EnableManagedSpotTraining"):
        number = plan.interruptions + 1
        return [plan.training_seconds / number] * number
    shares: list[float] = []
    remaining = plan.training_seconds
    while len(shares) < MOST:
        labels = (plan.seed, request["TrainingJobName"], "interruption", len(shares))
        seconds = HOUR * until_next(plan.interruptions_per_hour, *labels)
        if seconds >= remaining:
            break
        shares.append(seconds)
        if request.get("CheckpointConfig"):
            remaining -= seconds
    return [*shares, remaining]
