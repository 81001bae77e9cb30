"""`trainops check`: each channel of a deployment, and what is wrong with it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from local.receivers import SlackReceiver
from trainops_cli.check_command import Account, findings

TOPIC = "arn:aws:sns:us-east-1:111122223333:cards"


class Clients:
    """An account with three deliveries; every service is this object."""

    def __init__(self, **state: Any) -> None:
        self.state = {"verified": True, "production": True, "secret": "{}", "subscriptions": [f"{TOPIC}:1"], **state}

    def __call__(self, service: str) -> Any:
        return self

    def get_paginator(self, call: str) -> Any:
        self.call = call
        return self

    def paginate(self, **_: str) -> Iterator[dict[str, Any]]:
        if self.call == "list_stack_resources":
            names = ("email_delivery", "slack_delivery", "topic_delivery")
            kind = "AWS::Lambda::Function"
            yield {"StackResourceSummaries": [{"ResourceType": kind, "PhysicalResourceId": name} for name in names]}
            yield {"StackResourceSummaries": [{"ResourceType": "AWS::SQS::Queue", "PhysicalResourceId": "q"}]}
        else:
            yield {"Subscriptions": [{"SubscriptionArn": state} for state in self.state["subscriptions"]]}

    def get_function_configuration(self, FunctionName: str) -> dict[str, Any]:  # noqa: N803
        own = {
            "email_delivery": {"SENDER": "trainops@example.com", "RECIPIENTS": '["a@example.com"]'},
            "slack_delivery": {"SECRET_NAME": "trainops/slack", "CHANNEL": self.state.get("channel", "")},
            "topic_delivery": {"SNS_TOPIC_ARN": TOPIC},
        }[FunctionName]
        return {"Environment": {"Variables": {**own, "POWERTOOLS_SERVICE_NAME": FunctionName}}}

    def get_account(self) -> dict[str, Any]:
        return {"ProductionAccessEnabled": self.state["production"], "SendingEnabled": True}

    def get_email_identity(self, EmailIdentity: str) -> dict[str, Any]:  # noqa: N803
        return {"VerifiedForSendingStatus": self.state["verified"]}

    def get_secret_value(self, **_: str) -> dict[str, str]:
        return {"SecretString": self.state["secret"]}


@pytest.fixture
def slack() -> Iterator[SlackReceiver]:
    receiver = SlackReceiver()
    receiver.start()
    yield receiver
    receiver.stop()


def faults(**state: Any) -> dict[str, str]:
    """What is wrong, by the first word of what was looked at."""
    return {item.what.partition(" ")[0]: "; ".join(item.faults) for item in findings(Account(Clients(**state)), "x")}


def test_channels_that_can_be_reached_have_no_fault(slack: SlackReceiver) -> None:
    bot = json.dumps({"token": slack.workspace.token, "api_url": slack.api_url})
    assert faults(channel="#ml-training", secret=bot) == {"mail": "", "Slack": "", "topic": ""}
    webhook = json.dumps({"webhook_url": slack.url()})
    assert faults(secret=webhook) == {"mail": "", "Slack": "", "topic": ""}
    assert slack.messages == [], "it sends nothing"


def test_what_is_wrong_is_said_channel_by_channel(slack: SlackReceiver) -> None:
    stale = json.dumps({"token": "-".join(("xoxb", "stale")), "api_url": slack.api_url})
    state = {"verified": False, "production": False, "subscriptions": ["PendingConfirmation", f"{TOPIC}:1"]}
    found = faults(channel="#ml-training", secret=stale, **state)
    assert "neither the sender nor its domain is verified" in found["mail"]
    assert "1 of 1 recipients are not verified" in found["mail"]
    assert "Slack does not take the token in the secret trainops/slack (invalid_auth)" in found["Slack"]
    assert found["topic"] == "1 of 2 subscriptions wait for a click on the link in their mail"
    assert faults(secret=stale, subscriptions=[])["topic"] == "nobody has subscribed"
