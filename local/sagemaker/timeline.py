"""The whole course of a training job as a list of transitions, computed once when it is created.

Follows DescribeTrainingJobResponse.SecondaryStatus: Starting, Downloading, Training, after an interruption
Interrupted and again from Starting, then Uploading and Completed; limits end in Stopping and a Stopped job whose
secondary status says which limit it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from local.sagemaker.phases import phases
from local.sagemaker.plans import Plan

RUNNING = frozenset({"Downloading", "Training", "Uploading"})
PRIMARY = {
    "Completed": "Completed",
    "Failed": "Failed",
    "Stopping": "Stopping",
    "Stopped": "Stopped",
    "MaxRuntimeExceeded": "Stopped",
    "MaxWaitTimeExceeded": "Stopped",
}
TERMINAL = frozenset(PRIMARY) - {"Stopping"}
ONE_DAY = 86_400  # the API's default of MaxRuntimeInSeconds


@dataclass(frozen=True)
class Transition:
    """One entry of SecondaryStatusTransitions: the status that began at a moment; `message` if it is unusual."""

    status: str
    at: datetime
    message: str = ""


def primary_status(secondary: str) -> str:
    """TrainingJobStatus for a secondary status; everything that is not listed is InProgress."""
    return PRIMARY.get(secondary, "InProgress")


def timeline(created: datetime, plan: Plan, request: Mapping[str, Any]) -> list[Transition]:
    """All transitions from `created` to the end, cut where a limit of the request's StoppingCondition is met.

    MaxRuntimeInSeconds counts running (not waiting) seconds, of all attempts together; MaxWaitTimeInSeconds counts
    all seconds.
    """
    stopping = request.get("StoppingCondition", {})
    max_runtime = float(stopping.get("MaxRuntimeInSeconds", ONE_DAY))
    max_wait = float(stopping.get("MaxWaitTimeInSeconds", float("inf")))
    steps: list[Transition] = []
    elapsed = running = 0.0
    for status, seconds, message in phases(plan, request):
        steps.append(Transition(status, created + timedelta(seconds=elapsed), message))
        left_to_run = max_runtime - running if status in RUNNING else float("inf")
        left_to_wait = max_wait - elapsed
        limit = min(left_to_run, left_to_wait)
        if seconds > limit:
            at = created + timedelta(seconds=elapsed + limit)
            end = "MaxRuntimeExceeded" if left_to_run <= left_to_wait else "MaxWaitTimeExceeded"
            return [*steps, *stop_steps(at, plan, end)]
        elapsed += seconds
        running += seconds if status in RUNNING else 0.0
    steps.append(Transition(plan.outcome, created + timedelta(seconds=elapsed)))
    return steps


def stop_steps(at: datetime, plan: Plan, end: str) -> list[Transition]:
    """A job that is told to stop at `at`: Stopping, then its end."""
    return [Transition("Stopping", at), Transition(end, at + timedelta(seconds=plan.stopping_seconds))]


def running_seconds(transitions: Sequence[Transition], end: datetime) -> int:
    """Whole seconds, at least 1, in which instances trained: waiting for capacity is not counted."""
    total = timedelta(0)
    launched = False
    for current, following in zip(transitions, [*(t.at for t in transitions[1:]), end], strict=True):
        launched = launched or current.status in RUNNING
        if current.status in RUNNING or (launched and current.status == "Stopping"):
            total += following - current.at
    return max(1, round(total.total_seconds()))
