"""Runs for every card on the Slack queue: posts it to the incoming webhook, once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.once import Once
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.slack_webhook import SlackSecret, SlackWebhook
from trainops.environment import SlackDelivery as Environment
from trainops.workflows.delivery import Delivery


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    sqs = client("sqs")
    delivery = Delivery(
        name="Slack",
        channel=SlackWebhook(env.secret_name, SlackSecret.of(client("secretsmanager"), env.secret_name)),
        kill_switch=SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter),
        fallback=SqsQueue(sqs, env.fallback_queue_url),
    )
    once = Once(client("dynamodb"), env.ledger_table, "slack", delivery)
    return SqsConsumer(env, once, sqs, once.register)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
