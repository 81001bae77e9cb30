"""Runs for every training job that was refused for want of quota: tells its owner what it takes."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.queue_consumer import SqsConsumer
from trainops.environment import QuotaRefusal as Environment
from trainops.quota_wiring import quota_refusal


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    return quota_refusal(Environment.from_env(os.environ))


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
