"""Plain text through SNS, within its limits."""

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from hypothesis import given, settings

from tests.adapters.cards import any_card, card
from trainops.adapters.card_rendering import text
from trainops.adapters.sns_topic import SnsTopic
from trainops.domain.cards import Card
from trainops.errors import NotConfigured, Refused, TryLater

TOPIC = "arn:aws:sns:us-east-1:111122223333:trainops"


@pytest.fixture
def sns() -> Any:
    return boto3.client("sns", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")


class Recorder:
    """Remembers what was published."""

    def publish(self, **request: str) -> None:
        self.request = request


def test_a_card_is_published_with_its_subject_and_text(sns: Any) -> None:
    expected = {
        "TopicArn": TOPIC,
        "Subject": "resnet-1 failed: GPU out of memory",
        "Message": text(card()),
        "MessageAttributes": {},
    }
    with Stubber(sns) as stub:
        stub.add_response("publish", {"MessageId": "1"}, expected)
        SnsTopic(sns, TOPIC).deliver(card())
        stub.assert_no_pending_responses()


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("NotFound", 404, Refused),
        ("InvalidParameter", 400, Refused),
        ("AuthorizationError", 403, NotConfigured),
        ("KMSAccessDenied", 400, NotConfigured),
        ("KMSThrottling", 400, TryLater),
        ("Throttling", 400, TryLater),
        ("InternalError", 500, TryLater),
        ("BrandNew", 400, ClientError),
    ],
)
def test_each_refusal_has_its_consequence(sns: Any, code: str, status: int, kind: type[Exception]) -> None:
    with Stubber(sns) as stub:
        stub.add_client_error("publish", code, http_status_code=status)
        with pytest.raises(kind) as caught:
            SnsTopic(sns, TOPIC).deliver(card())
    assert issubclass(type(caught.value), kind)
    assert isinstance(caught.value, NotConfigured) == (kind is NotConfigured)


def test_a_text_beyond_256_kib_is_cut_between_characters() -> None:
    recorder = Recorder()
    SnsTopic(recorder, TOPIC).deliver(card(summary="\u4e16" * 100_000))
    assert 262_100 < len(recorder.request["Message"].encode()) <= 262_144
    assert recorder.request["Message"].endswith("SNS takes no more.")


@settings(max_examples=100, deadline=None)
@given(any_card())
def test_any_card_fits_what_sns_takes(a_card: Card) -> None:
    recorder = Recorder()
    SnsTopic(recorder, TOPIC).deliver(a_card)
    subject = recorder.request["Subject"]
    assert 1 <= len(subject) < 100
    assert subject.isascii()
    assert subject.isprintable()
    assert recorder.request["Message"].strip()
    assert len(recorder.request["Message"].encode()) <= 262_144
