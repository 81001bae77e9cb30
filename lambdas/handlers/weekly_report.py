"""Runs on a schedule: tells each team what its week came to, once its hour has come."""

import os
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import EventBridgeBus
from trainops.adapters.pace import Pace
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.report_ledger import DynamoReports
from trainops.adapters.scheduled import ScheduledTask
from trainops.adapters.start_logs import CloudWatchStartLogs
from trainops.adapters.subscription_looks import DynamoSubscriptionLooks
from trainops.domain.report_weeks import Rhythm
from trainops.environment import WeeklyReport as Environment
from trainops.workflows.weekly_report import WeeklyReports

SPACING = timedelta(seconds=0.5)
"""FilterLogEvents takes five calls a second in the smallest Regions, and people search logs too."""


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    table = LedgerTable(client("dynamodb"), env.ledger_table)
    reports = WeeklyReports(
        reports=DynamoReports(table),
        counts=DynamoJobCounts(table),
        pools=DynamoPoolLedger(table),
        bus=EventBridgeBus(client("events"), env.bus_name),
        logs=CloudWatchStartLogs(client("logs"), Pace(SPACING)) if env.read_logs else None,
        looks=DynamoSubscriptionLooks(table),
        teams=env.teams,
        rhythm=Rhythm(env.day, env.hour, ZoneInfo(env.time_zone)),
        waiting=env.waiting_usd_per_hour,
    )
    return ScheduledTask(reports)


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time` is the run's time."""
    wire()(event, context)
