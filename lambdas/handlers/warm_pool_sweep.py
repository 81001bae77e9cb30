"""Runs on a schedule: finds warm pools that `warm_pool_control` missed, tells of them, and learns from jobs."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.scheduled import ScheduledTask
from trainops.environment import WarmPoolSweep as Environment
from trainops.warm_pool_wiring import warm_pool_sweep


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    return warm_pool_sweep(Environment.from_env(os.environ), os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME"))


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the sweep's time."""
    wire()(event, context)
