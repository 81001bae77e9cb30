"""`trainops check`: whether what a deployment sends can arrive, asked with the caller's own permissions."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import boto3
import typer
from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console

from trainops.adapters.pace import Paces
from trainops.adapters.ses_identities import SesIdentities
from trainops.adapters.slack_api import SlackApi
from trainops.adapters.slack_webhook import SlackSecret, SlackWebhook
from trainops.domain.mail_readiness import mail_faults
from trainops.errors import TrainopsError

HELP = "Whether mail, Slack and topics of a deployment can be reached; ends with 1 when one cannot. Sends nothing."


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `faults` are empty when it is as it should be."""

    what: str
    faults: Sequence[str]


@dataclass(frozen=True, slots=True)
class Account:
    """An account and Region, through clients made by `client(service)`."""

    client: Any

    def variables(self, stack: str) -> dict[str, Mapping[str, str]]:
        """The variables of each of the stack's functions, by the function's name."""
        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
        found = {}
        for item in (item for page in pages for item in page["StackResourceSummaries"]):
            if item["ResourceType"] == "AWS::Lambda::Function":
                answer = self.client("lambda").get_function_configuration(FunctionName=item["PhysicalResourceId"])
                own = answer.get("Environment", {}).get("Variables", {})
                found[own.get("POWERTOOLS_SERVICE_NAME", item["PhysicalResourceId"])] = own
        return found


def findings(account: Account, name: str) -> Iterator[Finding]:
    """What a deployment's channels come to. Raises ClientError when the caller may not look."""
    variables = account.variables(f"{name}-operations")
    if mail := variables.get("email_delivery"):
        yield _mail(account, mail)
    if slack := variables.get("slack_delivery"):
        yield _slack(account, slack)
    if topics := variables.get("topic_delivery"):
        for variable in sorted({"SNS_TOPIC_ARN"} & set(topics)):
            yield _topic(account, topics[variable])


def _mail(account: Account, variables: Mapping[str, str]) -> Finding:
    if "SENDER" not in variables:
        return _topic(account, variables["TOPIC_ARN"])
    sender, recipients = variables["SENDER"], json.loads(variables["RECIPIENTS"])
    facts = SesIdentities(account.client("sesv2")).facts(sender, recipients)
    return Finding(f"mail from {sender}", mail_faults(sender, recipients, facts))


def _slack(account: Account, variables: Mapping[str, str]) -> Finding:
    name = variables["SECRET_NAME"]
    secret = SlackSecret.of(account.client("secretsmanager"), name)
    channel = variables.get("CHANNEL")
    try:
        if channel:
            SlackApi(name, secret, Paces()).test()
        else:
            SlackWebhook(name, secret).url()
    except TrainopsError as error:
        return Finding(f"Slack by the secret {name}", [str(error)])
    return Finding(f"Slack as a bot, {channel}" if channel else f"Slack by the webhook in {name} (not called)", [])


def _topic(account: Account, arn: str) -> Finding:
    pages = account.client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=arn)
    states = [item["SubscriptionArn"] for page in pages for item in page["Subscriptions"]]
    waiting = sum(not state.startswith("arn:") for state in states)
    faults = [f"{waiting} of {len(states)} subscriptions wait for a click on the link in their mail"] if waiting else []
    return Finding(f"topic {arn}", faults or ([] if states else ["nobody has subscribed"]))


def check(
    name: Annotated[str, typer.Option(help="The deployment's name in its settings.")] = "trainops",
    region: Annotated[str | None, typer.Option(help="Where it is deployed; else the caller's Region.")] = None,
) -> None:
    """Look at every channel."""
    console = Console(highlight=False, soft_wrap=True)
    try:
        found = list(findings(Account(lambda service: boto3.client(service, region_name=region)), name))
    except (ClientError, BotoCoreError, TrainopsError) as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"error: {error}", style="red", markup=False)
        raise typer.Exit(2) from error
    for finding in found:
        console.print(f"{'ok   ' if not finding.faults else 'fault'} {finding.what}", markup=False)
        for fault in finding.faults:
            console.print(f"      {fault}", markup=False)
    if any(finding.faults for finding in found):
        raise typer.Exit(1)
