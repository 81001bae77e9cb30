"""The phases of a training job before its end, in the order of DescribeTrainingJobResponse.SecondaryStatus."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from local.sagemaker.attempts import Attempt, attempts, interrupted_wait
from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches

WAITING = "Insufficient capacity error from EC2 while launching instances, retrying!"
AGAIN = "Starting the training job again after an internal error"


class Phase(NamedTuple):
    """A secondary status, how long it lasts, and its StatusMessage where that is not the usual one.

    `pending` is how many of its first seconds are spent waiting for capacity.
    """

    status: str
    seconds: float
    message: str = ""
    pending: float = 0


def phases(plan: Plan, request: Mapping[str, Any], switches: Switches) -> Iterator[Phase]:
    """What the plan asks for, without regard to the limits of the request."""
    retried = False
    for number, attempt in enumerate(attempts(plan, request)):
        yield from _launch(plan, attempt, AGAIN if retried else "", switches)
        yield from _work(plan, attempt)
        retried = attempt.ending == "InternalServerError"
        if attempt.ending == "Interrupted":
            yield Phase("Interrupted", interrupted_wait(plan, request, number))
    if plan.outcome == "Completed":
        yield Phase("Uploading", plan.uploading_seconds)


def _launch(plan: Plan, attempt: Attempt, message: str, switches: Switches) -> Iterator[Phase]:
    """Until there are instances: the wait for capacity is a part of Starting, or Pending before it."""
    waits = attempt.waiting_seconds
    if waits and switches.waits_in == "Pending":
        yield Phase("Pending", waits, WAITING, waits)
        yield Phase("Starting", plan.starting_seconds, message)
    else:
        yield Phase("Starting", waits + plan.starting_seconds, WAITING if waits else message, waits)


def _work(plan: Plan, attempt: Attempt) -> Iterator[Phase]:
    """Downloading and Training, as far as this attempt comes."""
    fails = attempt.ending == "InternalServerError" or (attempt.ending == "Last" and plan.outcome == "Failed")
    if fails and plan.fails_in == "Starting":
        return
    yield Phase("Downloading", plan.downloading_seconds)
    if fails and plan.fails_in == "Downloading":
        return
    yield Phase("Training", attempt.training_seconds)
