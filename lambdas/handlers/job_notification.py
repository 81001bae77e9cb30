"""Runs for every event on the trainops bus: decides who hears of it, and queues a card for each channel it goes to."""

import os
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.job_families import DynamoFamilies
from trainops.adapters.job_logs import CloudWatchJobLogs
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.quota_ledger import DynamoQuotaLedger
from trainops.adapters.report_ledger import DynamoReports
from trainops.adapters.storms import DynamoStorms
from trainops.domain.recipients import RecipientSettings
from trainops.domain.routes import Channel, Route, Routing
from trainops.notification_environment import JobNotification as Environment
from trainops.workflows.failure_logs import FailureLogs
from trainops.workflows.failure_storms import FailureStorms
from trainops.workflows.job_families import JobFamilies
from trainops.workflows.job_notification import JobNotification
from trainops.workflows.kill_switch import UnlessStopped
from trainops.workflows.quota_notification import QuotaNotification
from trainops.workflows.report_notification import ReportNotification
from trainops.workflows.telling import Desk
from trainops.workflows.warm_pool_notification import Notifications, WarmPoolNotification


def _queues(env: Environment, sqs: Any) -> dict[Channel, SqsQueue]:
    urls = {
        Channel.SLACK: env.slack_queue_url,
        Channel.EMAIL: env.email_queue_url,
        Channel.TOPIC: env.topic_queue_url,
    }
    return {channel: SqsQueue(sqs, url) for channel, url in urls.items() if url}


def _recipients(env: Environment) -> RecipientSettings:
    return RecipientSettings(allowed_email_domains=env.allowed_email_domains, owners=env.owners)


def _routing(env: Environment, zone: ZoneInfo) -> Routing:
    return Routing(
        statuses=env.statuses,
        default=env.default_channels,
        time_zone=zone,
        routes=tuple(map(Route.of, env.routes)),
        team_channels=env.team_channels or {},
        slack_bot=env.team_channels is not None,
    )


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    sqs = client("sqs")
    table, zone = LedgerTable(client("dynamodb"), env.ledger_table), ZoneInfo(env.time_zone)
    logs = FailureLogs(CloudWatchJobLogs(client("logs")), env.log_lines) if env.log_lines else None
    desk = Desk(_queues(env, sqs), _routing(env, zone), _recipients(env))
    looks, log_group = SqsQueue(sqs, env.queue_url), os.environ.get("AWS_LAMBDA_LOG_GROUP_NAME")
    storms = FailureStorms(DynamoStorms(table), looks, desk, zone, log_group)
    families = JobFamilies(DynamoFamilies(table), looks, storms, env.scope_tags, zone)
    folding = families if env.children == "folded" else None
    notification = Notifications(
        jobs=JobNotification(DynamoLedger(table), desk, zone, storms, folding, logs, env.acting_teams),
        warm_pools=WarmPoolNotification(DynamoPoolLedger(table), desk, zone, env.acting_teams),
        quotas=QuotaNotification(DynamoQuotaLedger(table), desk, zone),
        families=families,
        storms=storms.look,
        reports=ReportNotification(DynamoReports(table), desk, zone),
    )
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    return SqsConsumer(env, UnlessStopped(switch, notification), sqs)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
