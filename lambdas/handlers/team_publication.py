"""Runs when the access stack is deployed: puts what teams need to know into their part of the artifact bucket."""

import os
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.at_deployment import AtDeployment
from trainops.adapters.aws import client
from trainops.adapters.documents import S3Documents
from trainops.environment import TeamPublication as Environment
from trainops.workflows.team_publication import TeamPublication


@cache
def wire() -> AtDeployment:
    """The function's parts, made once per process."""
    env = Environment.from_env(os.environ)
    return AtDeployment(TeamPublication(S3Documents(client("s3"), env.artifact_bucket)))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, str]:
    """Custom resource request in, physical ID out."""
    return wire()(event, context)
