"""Runs once a week: tells whether every finished job of the week is in the metrics, and what spot came to."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.scheduled import ScheduledTask
from trainops.environment import MetricsRecount as Environment
from trainops.workflows.metrics_recount import MetricsRecount


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    return ScheduledTask(MetricsRecount(DynamoJobCounts(LedgerTable(client("dynamodb"), env.ledger_table))))


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the recount's time."""
    wire()(event, context)
