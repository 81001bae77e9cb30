"""Runs on a schedule: follows requests for quotas to their end, and counts what is used of them."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.scheduled import ScheduledTask
from trainops.environment import QuotaTracker as Environment
from trainops.quota_wiring import quota_tracker


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    return quota_tracker(Environment.from_env(os.environ))


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the tick's time."""
    wire()(event, context)
