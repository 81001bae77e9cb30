"""Whether mail can arrive, as it is said at a deployment: through the function as it is deployed."""

from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from trainops.adapters.at_deployment import AtDeployment
from trainops.adapters.ses_identities import SesIdentities
from trainops.workflows.mail_check import MailCheck

SENDER, RECIPIENTS = "trainops@example.com", ["a@example.com", "b@elsewhere.example"]
READY = "ready: the sender is verified, and out of the sandbox"


def asked(answers: list[tuple[str, Any, dict[str, str]]], kind: str = "Create") -> str:
    """What the deployment shows; each answer is a call, its result (a text is an error's code) and its parameters."""
    ses = boto3.client("sesv2", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")
    with Stubber(ses) as stub:
        for call, answer, parameters in answers:
            if isinstance(answer, str):
                stub.add_client_error(call, answer, expected_params=parameters)
            else:
                stub.add_response(call, answer, parameters)
        properties = {"Sender": SENDER, "Recipients": RECIPIENTS}
        event = {"RequestType": kind, "ResourceProperties": properties, "OldResourceProperties": properties}
        named = {"StackId": "stack", "LogicalResourceId": "Asked"}
        answer = AtDeployment(MailCheck(SesIdentities(ses)), tells=True)({**event, **named}, None)  # type: ignore[arg-type]
        stub.assert_no_pending_responses()
    assert answer["PhysicalResourceId"] == "stack/Asked"
    return str(answer["Data"]["Found"])


def account(*, production: bool = True, sending: bool = True) -> tuple[str, Any, dict[str, str]]:
    return "get_account", {"ProductionAccessEnabled": production, "SendingEnabled": sending}, {}


def identity(name: str, verified: bool | None) -> tuple[str, Any, dict[str, str]]:
    answer = "NotFoundException" if verified is None else {"VerifiedForSendingStatus": verified}
    return "get_email_identity", answer, {"EmailIdentity": name}


@pytest.mark.parametrize("kind", ["Create", "Update"])
def test_a_verified_sender_outside_of_the_sandbox_is_ready(kind: str) -> None:
    assert asked([account(), identity(SENDER, verified=True)], kind) == READY


def test_a_senders_domain_is_enough() -> None:
    assert asked([account(), identity(SENDER, None), identity("example.com", verified=True)]) == READY


@pytest.mark.parametrize("own", [None, False])
def test_an_unverified_sender_is_said_without_an_address(own: bool | None) -> None:
    found = asked([account(), identity(SENDER, own), identity("example.com", None)])
    assert "neither the sender nor its domain is verified" in found
    assert "@" not in found


def test_in_the_sandbox_unverified_recipients_are_counted() -> None:
    found = asked(
        [
            account(production=False),
            identity(SENDER, verified=True),
            identity("a@example.com", None),
            identity("example.com", verified=True),
            identity("b@elsewhere.example", None),
            identity("elsewhere.example", None),
        ]
    )
    assert "sandbox" in found
    assert "1 of 2 recipients are not verified" in found


def test_paused_sending_is_said_first() -> None:
    assert asked([account(sending=False), identity(SENDER, verified=True)]).startswith("SES has paused sending")


def test_a_throttled_question_fails_no_deployment() -> None:
    assert "run `trainops check`" in asked([("get_account", "TooManyRequestsException", {})])


def test_leaving_asks_nothing() -> None:
    assert asked([], "Delete") == "no mail any more"
