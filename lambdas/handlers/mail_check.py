"""Runs when the operations stack is deployed with a sender: says whether mail through SES can arrive."""

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.at_deployment import AtDeployment
from trainops.adapters.aws import client
from trainops.adapters.ses_identities import SesIdentities
from trainops.workflows.mail_check import MailCheck


@cache
def wire() -> AtDeployment:
    """The function's parts, made once per process."""
    return AtDeployment(MailCheck(SesIdentities(client("sesv2"))), tells=True)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Custom resource request in, physical ID and what was found out."""
    return wire()(event, context)
