"""Runs for every card on the Slack queue: posts it as a bot when the settings name its channel, else to the incoming
webhook; once.
"""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.queue_consumer import SqsConsumer
from trainops.delivery_wiring import delivery_to, slack
from trainops.notification_environment import SlackDelivery as Environment


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    return delivery_to(slack(env), name="Slack", effect="slack", env=env)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
