"""Runs for every card on the e-mail queue: sends it through SES when there is a sender, else to the SNS topic; once."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.once import Once
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.ses_mail import SesMail
from trainops.adapters.sns_topic import SnsTopic
from trainops.environment import EmailDelivery as Environment
from trainops.ports import Channel
from trainops.workflows.delivery import Delivery
from trainops.workflows.kill_switch import UnlessStopped


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
    sqs = client("sqs")
    delivery = Delivery(
        name="E-mail",
        channel=_channel(env),
        fallback=SqsQueue(sqs, env.fallback_queue_url) if env.fallback_queue_url else None,
    )
    once = Once(client("dynamodb"), env.ledger_table, "email", delivery)
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    return SqsConsumer(env, UnlessStopped(switch, once), sqs, once.register)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
