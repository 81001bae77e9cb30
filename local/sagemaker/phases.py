"""The phases of a training job before its end, in the order of DescribeTrainingJobResponse.SecondaryStatus."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from local.sagemaker.attempts import Attempt, attempts, interrupted_wait
from local.sagemaker.plans import Plan

WAITING = "Insufficient capacity error from EC2 while launching instances, retrying!"
AGAIN = "Starting the training job again after an internal error"


class Phase(NamedTuple):
    """A secondary status, how long it lasts, and its StatusMessage where that is not the usual one."""

    status: str
    seconds: float
    message: str = ""


def phases(plan: Plan, request: Mapping[str, Any]) -> Iterator[Phase]:
    """What the plan asks for, without regard to the limits of the request."""
    retried = False
    for number, attempt in enumerate(attempts(plan, request)):
        yield from _attempt(plan, attempt, AGAIN if retried else "")
        retried = attempt.ending == "InternalServerError"
        if attempt.ending == "Interrupted":
            yield Phase("Interrupted", interrupted_wait(plan, request, number))
    if plan.outcome == "Completed":
        yield Phase("Uploading", plan.uploading_seconds)


def _attempt(plan: Plan, attempt: Attempt, message: str) -> Iterator[Phase]:
    """Starting, Downloading and Training, as far as this attempt comes."""
    fails = attempt.ending == "InternalServerError" or (attempt.ending == "Last" and plan.outcome == "Failed")
    waits = attempt.waiting_seconds > 0
    yield Phase("Starting", attempt.waiting_seconds + plan.starting_seconds, WAITING if waits else message)
    if fails and plan.fails_in == "Starting":
        return
    yield Phase("Downloading", plan.downloading_seconds)
    if fails and plan.fails_in == "Downloading":
        return
    yield Phase("Training", attempt.training_seconds)
