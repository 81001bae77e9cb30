"""Runs once a day: sends a synthetic job's end through the whole path, and looks who is subscribed to the topics."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.scheduled import ScheduledTask
from trainops.adapters.sns_subscriptions import SnsSubscriptions
from trainops.adapters.subscription_looks import DynamoSubscriptionLooks
from trainops.chat_environment import SelfCheck as Environment
from trainops.workflows.self_check import SelfCheck


@cache
def wire() -> ScheduledTask:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    expected = {env.alarm_topic_arn: env.alarm_subscribers}
    if env.topic_arn:
        expected[env.topic_arn] = env.subscribers
    queue = SqsQueue(client("sqs"), env.job_events_queue_url) if env.job_events_queue_url else None
    looks = DynamoSubscriptionLooks(LedgerTable(client("dynamodb"), env.ledger_table))
    return ScheduledTask(SelfCheck(queue, SnsSubscriptions(client("sns")), looks, expected, env.scope_tags))


def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """EventBridge scheduled event in; its `time`, account and Region are those of the synthetic job."""
    wire()(event, context)
