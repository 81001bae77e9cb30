"""Runs for every card on the Slack queue: posts it to the incoming webhook, once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.once import Once
from trainops.adapters.pace import Pace
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.slack_webhook import SlackSecret, SlackWebhook
from trainops.environment import SlackDelivery as Environment
from trainops.workflows.delivery import Delivery
from trainops.workflows.kill_switch import UnlessStopped


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    sqs = client("sqs")
    delivery = Delivery(
        name="Slack",
        channel=SlackWebhook(
            env.secret_name,
            SlackSecret.of(client("secretsmanager"), env.secret_name),
            pace=Pace(env.post_spacing),
        ),
        fallback=SqsQueue(sqs, env.fallback_queue_url) if env.fallback_queue_url else None,
    )
    once = Once(client("dynamodb"), env.ledger_table, "slack", delivery)
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    return SqsConsumer(env, UnlessStopped(switch, once), sqs, once.register)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
