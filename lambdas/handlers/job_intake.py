"""Runs for every message about a training job: records the change and announces what is new on the trainops bus."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.current_prices import CurrentPrices
from trainops.adapters.job_families import DynamoFamilies
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import EventBridgeBus
from trainops.adapters.pace import Pace
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.quota_ledger import DynamoQuotaLedger
from trainops.adapters.run_notes import DynamoRunNotes
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.environment import JobIntake as Environment
from trainops.workflows.job_intake import JobIntake
from trainops.workflows.ownership import Ownership
from trainops.workflows.pool_misses import PoolAnswers, PoolMisses
from trainops.workflows.run_history import RunHistory


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    table = LedgerTable(client("dynamodb"), env.ledger_table)
    notes, quotas = DynamoRunNotes(table), DynamoQuotaLedger(table)
    jobs = SageMakerTrainingJobs(client("sagemaker"), Pace(env.describe_spacing))
    intake = JobIntake(
        ledger=DynamoLedger(table, env.ledger_retention),
        training_jobs=jobs,
        bus=EventBridgeBus(client("events"), env.bus_name),
        prices=CurrentPrices.of(table, os.environ["AWS_REGION"], env.price_overrides),
        misses=PoolMisses(PoolAnswers(DynamoPoolLedger(table), quotas), jobs),
        families=DynamoFamilies(table),
        ownership=Ownership(notes, env.team_owners),
        history=RunHistory(notes, quotas),
        scope=env.scope_tags,
    )
    return SqsConsumer(env, intake, client("sqs"))


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
