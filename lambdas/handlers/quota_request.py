"""Runs when the operations stack is deployed: asks for quotas that are too low."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.at_deployment import AtDeployment
from trainops.environment import QuotaRequest as Environment
from trainops.quota_wiring import quota_request


@cache
def wire() -> AtDeployment:
    """The function's parts, made once per process."""
    return quota_request(Environment.from_env(os.environ))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, str]:
    """Custom resource request in, physical ID out."""
    return wire()(event, context)
