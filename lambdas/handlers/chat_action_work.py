"""Runs for every press of a button: finds out who it was, hands it on if they may, and brings the answers."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.chat_secret import ChatSecret
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.pool_settings import SsmTeamSettings
from trainops.adapters.press_ledger import DynamoPresses
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.slack_people import SlackAnswers, SlackUsers
from trainops.chat_environment import ChatActionWork as Environment
from trainops.workflows.chat_action_work import ChatActionWork


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    sqs, table = client("sqs"), LedgerTable(client("dynamodb"), env.ledger_table)
    secret = ChatSecret.of(client("secretsmanager"), env.secret_name)
    work = ChatActionWork(
        ledger=DynamoLedger(table),
        settings=SsmTeamSettings.of(client("ssm"), env.settings_prefix),
        users=SlackUsers(secret),
        answers=SlackAnswers(secret),
        presses=DynamoPresses(table, env.ledger_retention),
        control=SqsQueue(sqs, env.warm_pools_queue_url),
        workspace=env.workspace,
    )
    return SqsConsumer(env, work, sqs)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
