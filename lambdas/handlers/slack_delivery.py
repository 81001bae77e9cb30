"""Runs for every card on the Slack queue: posts it to the incoming webhook, once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.pace import Pace
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.slack_webhook import SlackSecret, SlackWebhook
from trainops.delivery_wiring import delivery_to
from trainops.environment import SlackDelivery as Environment


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    secret = SlackSecret.of(client("secretsmanager"), env.secret_name)
    webhook = SlackWebhook(env.secret_name, secret, pace=Pace(env.post_spacing))
    return delivery_to(webhook, name="Slack", effect="slack", env=env)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
