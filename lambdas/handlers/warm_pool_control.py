"""Runs for every job that started or finished and for every look that is due: keeps, ends or extends warm pools."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.queue_consumer import SqsConsumer
from trainops.environment import WarmPoolControl as Environment
from trainops.warm_pool_wiring import warm_pool_control


@cache
def wire() -> SqsConsumer:
    """The function's parts, made once per process."""
    return warm_pool_control(Environment.from_env(os.environ), os.environ["AWS_REGION"])


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS batch in, partial batch response out."""
    return wire()(event, context)
