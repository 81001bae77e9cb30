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
from local.sagemaker.stopping import RUNNING, Limits
from local.sagemaker.switches import Switches

PRIMARY = {
    "Completed": "Completed",
    "Failed": "Failed",
    "Stopping": "Stopping",
    "Stopped": "Stopped",
    "MaxRuntimeExceeded": "Stopped",
    "MaxWaitTimeExceeded": "Stopped",
}
TERMINAL = frozenset(PRIMARY) - {"Stopping"}


@dataclass(frozen=True)
class Transition:
    """One entry of SecondaryStatusTransitions: the status that began at a moment; `message` if it is unusual."""

    status: str
    at: datetime
    message: str = ""


def primary_status(secondary: str) -> str:
    """TrainingJobStatus for a secondary status; everything that is not listed is InProgress."""
    return PRIMARY.get(secondary, "InProgress")


def timeline(created: datetime, plan: Plan, request: Mapping[str, Any], switches: Switches) -> list[Transition]:
    """All transitions from `created` to the end, cut where a limit of the request's StoppingCondition is met."""
    limits = Limits.of(request, switches)
    steps: list[Transition] = []
    for phase in phases(plan, request, switches):
        steps.append(Transition(phase.status, created + timedelta(seconds=limits.elapsed), phase.message))
        met = limits.met_in(phase)
        limits.spend(phase, met[0] if met else phase.seconds)
        if met:
            at = created + timedelta(seconds=limits.elapsed)
            return [*steps, *stop_steps(at, plan, met[1], limits.left_in_all)]
    steps.append(Transition(plan.outcome, created + timedelta(seconds=limits.elapsed)))
    return steps


def stop_steps(at: datetime, plan: Plan, end: str, left: float) -> list[Transition]:
    """A job that is told to stop at `at`: Stopping, then its end, at most `left` seconds later."""
    return [Transition("Stopping", at), Transition(end, at + timedelta(seconds=min(plan.stopping_seconds, left)))]


def exit_steps(at: datetime, plan: Plan) -> list[Transition]:
    """A job whose process ends at `at`, as the plan's outcome says by then."""
    if plan.outcome == "Failed":
        return [Transition("Failed", at)]
    return [Transition("Uploading", at), Transition("Completed", at + timedelta(seconds=plan.uploading_seconds))]


def ran(transitions: Sequence[Transition], until: datetime) -> timedelta:
    """How long instances trained: waiting for capacity is not counted."""
    total = timedelta(0)
    launched = False
    for current, following in zip(transitions, [*(t.at for t in transitions[1:]), until], strict=True):
        launched = launched or current.status in RUNNING
        if current.status in RUNNING or (launched and current.status == "Stopping"):
            total += following - current.at
    return total


def running_seconds(transitions: Sequence[Transition], end: datetime) -> int:
    """TrainingTimeInSeconds: whole seconds, at least 1."""
    return max(1, round(ran(transitions, end).total_seconds()))
