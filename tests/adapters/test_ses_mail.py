"""E-mail through SES: one message to all, and what each refusal means."""

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import ANY, Stubber

from tests.adapters.cards import card
from trainops.adapters.card_rendering import html, text
from trainops.adapters.ses_mail import SesMail
from trainops.errors import NotConfigured, Refused, TryLater


@pytest.fixture
def sesv2() -> Any:
    return boto3.client("sesv2", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")


def mail(client: Any) -> SesMail:
    return SesMail(client, "trainops@example.com", ("team@example.com", "lead@example.com"))


def test_a_card_is_sent_to_everybody_as_html_and_text(sesv2: Any) -> None:
    expected = {
        "FromEmailAddress": "trainops@example.com",
        "Destination": {"ToAddresses": ["team@example.com", "lead@example.com"]},
        "Content": {
            "Simple": {
                "Subject": {"Data": "resnet-1 failed: GPU out of memory", "Charset": "UTF-8"},
                "Body": {
                    "Html": {"Data": html(card()), "Charset": "UTF-8"},
                    "Text": {"Data": text(card()), "Charset": "UTF-8"},
                },
            }
        },
    }
    with Stubber(sesv2) as stub:
        stub.add_response("send_email", {"MessageId": "1"}, expected)
        mail(sesv2).deliver(card())
        stub.assert_no_pending_responses()


@pytest.mark.parametrize(
    ("code", "status", "kind", "said"),
    [
        ("MessageRejected", 400, Refused, "verify the sender"),
        ("MailFromDomainNotVerifiedException", 400, Refused, "MAIL FROM"),
        ("AccountSuspendedException", 400, Refused, "suspended"),
        ("BadRequestException", 400, Refused, "addresses"),
        ("SendingPausedException", 400, TryLater, "paused"),
        ("LimitExceededException", 400, TryLater, "LimitExceeded"),
        ("TooManyRequestsException", 429, TryLater, "TooManyRequests"),
        ("InternalFailure", 500, TryLater, "InternalFailure"),
        ("AccessDeniedException", 403, NotConfigured, "may not send"),
    ],
)
def test_each_refusal_has_its_consequence(sesv2: Any, code: str, status: int, kind: type[Exception], said: str) -> None:
    with Stubber(sesv2) as stub:
        stub.add_client_error("send_email", code, "Email address is not verified", http_status_code=status)
        with pytest.raises(kind, match=said) as caught:
            mail(sesv2).deliver(card())
    assert type(caught.value) is kind


def test_an_error_nobody_foresaw_stays_what_it_is(sesv2: Any) -> None:
    with Stubber(sesv2) as stub:
        stub.add_client_error(
            "send_email",
            "BrandNewException",
            expected_params={"FromEmailAddress": ANY, "Destination": ANY, "Content": ANY},
        )
        with pytest.raises(ClientError, match="BrandNew"):
            mail(sesv2).deliver(card())
