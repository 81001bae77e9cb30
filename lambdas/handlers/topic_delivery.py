"""Runs for every card on the topics' queue: publishes it to the SNS topic, or to that of Amazon Q Developer; once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.queue_consumer import SqsConsumer
from trainops.delivery_wiring import delivery_to, topics
from trainops.notification_environment import TopicDelivery as Environment


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    return delivery_to(topics(env), name="SNS", effect="topic", env=env)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
