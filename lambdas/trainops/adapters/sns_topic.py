"""Publishes cards to an SNS topic, whose subscribers get them as plain text e-mail.

Used by `email_delivery` when there is no SES sender. Source: SNS API, Publish: the subject is under 100 characters of
ASCII without line breaks, the message at most 256 KiB.
"""

from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import passing_faults
from trainops.adapters.card_rendering import ascii_subject, text
from trainops.domain.cards import Card
from trainops.errors import NotConfigured, Refused, TryLater

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
    """Implements `ports.Channel` with a boto3 `sns` client."""

    sns: Any
    topic_arn: str

    def deliver(self, card: Card) -> None:
        """Publish the card. Raises TryLater when throttled, NotConfigured when the topic or its key does not allow it,
        and Refused when the topic is gone.
        """
        try:
            with passing_faults(CALL):
                self.sns.publish(
                    TopicArn=self.topic_arn,
                    Subject=ascii_subject(card, SUBJECT),
                    Message=_within_limit(text(card)),
                )
        except ClientError as error:
            raise _judged(error) from error


def _within_limit(message: str) -> str:
    """At most 256 KiB in UTF-8, never cut inside a character."""
    encoded = message.encode()
    if len(encoded) <= MESSAGE_BYTES:
        return message
    return encoded[: MESSAGE_BYTES - len(CUT.encode())].decode(errors="ignore") + CUT


def _judged(error: ClientError) -> Exception:
    """What SNS's answer means for the message; an error nobody foresaw stays what it is."""
    code = error.response.get("Error", {}).get("Code", "")
    said = error.response.get("Error", {}).get("Message", "")
    if code in REFUSALS:
        return Refused(f"{code}: {REFUSALS[code]} (SNS: {said})")
    if code in SETTINGS:
        return NotConfigured(f"{CALL}: the topic or its key does not allow it ({code}: {said})")
    if code == "KMSThrottling":
        return TryLater(f"{CALL}: {code}")
    return error
