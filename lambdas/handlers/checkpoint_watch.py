"""Runs on a schedule: tells which running spot jobs have not written a checkpoint for long."""

import os
from datetime import timedelta
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.checkpoints import S3Checkpoints
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import EventBridgeBus
from trainops.adapters.pace import Pace
from trainops.adapters.scheduled import ScheduledTask
from trainops.environment import CheckpointWatch as Environment
from trainops.workflows.checkpoint_watch import CheckpointWatch

SPACING = timedelta(seconds=0.1)
"""A prefix of S3 takes thousands of requests a second; this is for the bill of a bucket with many files."""


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    table = LedgerTable(client("dynamodb"), env.ledger_table)
    watch = CheckpointWatch(
        ledger=DynamoLedger(table, env.ledger_retention),
        counts=DynamoJobCounts(table),
        checkpoints=S3Checkpoints(client("s3"), Pace(SPACING)),
        bus=EventBridgeBus(client("events"), env.bus_name),
        bucket=env.checkpoint_bucket,
        allowed=env.stale_after,
    )
    return ScheduledTask(watch)


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the run's time."""
    wire()(event, context)
