"""Runs for every request to the buttons' address: verifies that it is a press in our Slack workspace, and queues it.

Slack waits three seconds, this function's start included: nothing is imported here that verifying does not need.
"""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.aws import client
from trainops.adapters.chat_secret import ChatSecret
from trainops.adapters.function_url import FunctionUrl
from trainops.adapters.messaging import SqsQueue
from trainops.chat_environment import ChatAction as Environment
from trainops.workflows.chat_action import ChatAction


@cache
def wire() -> FunctionUrl:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    secret = ChatSecret.of(client("secretsmanager"), env.secret_name)
    return FunctionUrl(ChatAction(secret, SqsQueue(client("sqs"), env.presses_queue_url), env.workspace))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Function URL request in, response out."""
    return wire()(event, context)
