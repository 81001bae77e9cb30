"""Runs for every card on the e-mail queue: sends it through SES when there is a sender, else to the SNS topic; once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.ses_mail import SesMail
from trainops.adapters.sns_topic import SnsTopic
from trainops.delivery_wiring import delivery_to
from trainops.notification_environment import EmailDelivery as Environment
from trainops.ports import Channel


def _channel(env: Environment) -> Channel:
    if env.sender:
        return SesMail(client("sesv2", attempts=1), env.sender, env.recipients)
    if env.topic_arn:
        return SnsTopic(client("sns", attempts=1), env.topic_arn)
    raise ValueError("EmailDelivery: neither SENDER nor TOPIC_ARN is set; one of them is needed")


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    return delivery_to(_channel(env), name="E-mail", effect="email", env=env)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
