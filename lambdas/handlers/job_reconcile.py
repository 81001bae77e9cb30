"""Runs on a schedule: finds jobs whose events were lost and asks `job_intake` to look at them."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.pace import Pace
from trainops.adapters.scheduled import ScheduledTask
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.environment import JobReconcile as Environment
from trainops.workflows.job_reconcile import JobReconcile


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    reconcile = JobReconcile(
        ledger=DynamoLedger(LedgerTable(client("dynamodb"), env.ledger_table)),
        training_jobs=SageMakerTrainingJobs(client("sagemaker"), Pace(env.list_spacing)),
        job_events=SqsQueue(client("sqs"), env.job_events_queue_url),
        overlap=env.overlap,
    )
    return ScheduledTask(reconcile)


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the run's time."""
    wire()(event, context)
