"""Runs for every event on the trainops bus: decides whether people hear of it, and queues a card per channel."""

import os
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.quota_ledger import DynamoQuotaLedger
from trainops.adapters.report_ledger import DynamoReports
from trainops.environment import JobNotification as Environment
from trainops.workflows.job_notification import JobNotification
from trainops.workflows.kill_switch import UnlessStopped
from trainops.workflows.quota_notification import QuotaNotification
from trainops.workflows.report_notification import ReportNotification
from trainops.workflows.warm_pool_notification import Notifications, WarmPoolNotification


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    sqs = client("sqs")
    table, zone = LedgerTable(client("dynamodb"), env.ledger_table), ZoneInfo(env.time_zone)
    channels = [SqsQueue(sqs, url) for url in (env.slack_queue_url, env.email_queue_url) if url]
    notification = Notifications(
        jobs=JobNotification(DynamoLedger(table), channels, env.statuses, zone),
        warm_pools=WarmPoolNotification(DynamoPoolLedger(table), channels, env.statuses, zone),
        quotas=QuotaNotification(DynamoQuotaLedger(table), channels, env.statuses, zone),
        reports=ReportNotification(DynamoReports(table), channels, env.statuses, zone),
    )
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    return SqsConsumer(env, UnlessStopped(switch, notification), sqs)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
