"""Runs on a schedule: reads what training costs in this Region, and keeps it in the ledger for the other functions."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.price_ledger import DynamoPriceLedger
from trainops.adapters.price_list import AwsPriceList, endpoint_region
from trainops.adapters.scheduled import ScheduledTask
from trainops.environment import PriceRefresh as Environment
from trainops.workflows.price_refresh import PriceRefresh


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    env, region = Environment.from_env(os.environ), os.environ["AWS_REGION"]
    listed = AwsPriceList(client("pricing", region=endpoint_region(region)))
    ledger = DynamoPriceLedger(LedgerTable(client("dynamodb"), env.ledger_table))
    return ScheduledTask(PriceRefresh(listed, ledger, region, env.refresh_every))


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the refresh's time."""
    wire()(event, context)
