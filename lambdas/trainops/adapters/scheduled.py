"""Runs one tick of a schedule: gives the task its time budget, logs its reason and counts what it did."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.signals import Signals
from trainops.outcomes import Outcome

RESERVE = timedelta(seconds=30)
"""Time that is kept for the last write and a slow answer."""


class ScheduledTask:
    """A Lambda handler for a schedule; `task` gets the event and a question whether time is left."""

    def __init__(self, task: Callable[[Mapping[str, Any], Callable[[], bool]], Outcome]) -> None:
        self._task = task
        self._signals = Signals()

    def __call__(self, event: Mapping[str, Any], context: LambdaContext) -> None:
        """Run the task. What it raises fails the invocation, which the schedule repeats."""
        outcome = self._task(event, lambda: context.get_remaining_time_in_millis() > RESERVE.total_seconds() * 1000)
        self._signals.outcome(outcome)
        self._signals.flush()
