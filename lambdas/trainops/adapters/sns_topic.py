"""Publishes cards to SNS topics: as plain text, or as whoever subscribes reads them.

Used by `topic_delivery`, and by `email_delivery` when there is no SES sender. Source: SNS API, Publish: the subject is
under 100 characters of ASCII without line breaks, the message at most 256 KiB.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, message_of, passing_faults
from trainops.adapters.card_rendering import ascii_subject, text
from trainops.domain.cards import Card
from trainops.domain.routes import ANYWHERE, Place
from trainops.errors import NotConfigured, Refused, TryLater
from trainops.outcomes import Counts

CALL = "Publish"
SUBJECT = 99
MESSAGE_BYTES = 262_144
CUT = "\n… cut, SNS takes no more."
REFUSALS = {
    "NotFound": "the topic does not exist any more; deploy again",
    "InvalidParameter": "SNS did not accept the request",
    "ParameterValueInvalid": "SNS did not accept the request",
}
SETTINGS = frozenset(
    {
        "AuthorizationError",
        "InvalidSecurity",
        "KMSAccessDenied",
        "KMSDisabled",
        "KMSInvalidState",
        "KMSNotFound",
        "KMSOptInRequired",
    }
)


@dataclass(frozen=True, slots=True)
class SnsTopic:
    """Implements `ports.Channel` with a boto3 `sns` client; `write` makes the message of a card. Subscriptions can
    filter by the attributes `status` and `team`.
    """

    sns: Any
    topic_arn: str
    write: Callable[[Card], str] = text

    def deliver(self, card: Card, place: Place = ANYWHERE) -> Counts:  # noqa: ARG002 a topic has one place
        """Publish the card. Raises TryLater when throttled, NotConfigured when the topic or its key does not allow it,
        and Refused when the topic is gone.
        """
        attributes = {"status": card.word, "team": card.team}
        try:
            with passing_faults(CALL):
                self.sns.publish(
                    TopicArn=self.topic_arn,
                    Subject=ascii_subject(card, SUBJECT),
                    Message=_within_limit(self.write(card)),
                    MessageAttributes={
                        name: {"DataType": "String", "StringValue": value}
                        for name, value in attributes.items()
                        if value
                    },
                )
        except ClientError as error:
            raise _judged(error) from error
        return {}


@dataclass(frozen=True, slots=True)
class Topics:
    """Implements `ports.Channel` over several topics by name; a card that names none goes to the first."""

    topics: Mapping[str, SnsTopic]

    def deliver(self, card: Card, place: Place = ANYWHERE) -> Counts:
        """Publish to the topic that the place names. Raises Refused when it is not there any more, and as `SnsTopic`
        does.
        """
        name = place.to or next(iter(self.topics))
        if name not in self.topics:
            raise Refused(f"this deployment has no channel {name} any more")
        return self.topics[name].deliver(card, place)


def _within_limit(message: str) -> str:
    """At most 256 KiB in UTF-8, never cut inside a character."""
    encoded = message.encode()
    if len(encoded) <= MESSAGE_BYTES:
        return message
    return encoded[: MESSAGE_BYTES - len(CUT.encode())].decode(errors="ignore") + CUT


def _judged(error: ClientError) -> Exception:
    """What SNS's answer means for the message; an error nobody foresaw stays what it is."""
    code, said = code_of(error), message_of(error)
    if code in REFUSALS:
        return Refused(f"{code}: {REFUSALS[code]} (SNS: {said})")
    if code in SETTINGS:
        return NotConfigured(f"{CALL}: the topic or its key does not allow it ({code}: {said})")
    if code == "KMSThrottling":
        return TryLater(f"{CALL}: {code}")
    return error
