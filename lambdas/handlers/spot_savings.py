"""Runs for every job that finished: publishes what it cost, what spot saved and how long it took to start, once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.environment import SpotSavings as Environment
from trainops.workflows.spot_savings import SpotSavings


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    table = LedgerTable(client("dynamodb"), env.ledger_table)
    savings = SpotSavings(
        ledger=DynamoLedger(table),
        counts=DynamoJobCounts(table, env.ledger_retention),
        teams=env.teams,
    )
    return SqsConsumer(env, savings, client("sqs"))


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
