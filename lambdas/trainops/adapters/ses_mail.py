"""Sends cards by e-mail through Amazon SES.

Used by `email_delivery` when a sender is set. Source: SES API v2, SendEmail. In the sandbox SES only takes verified
recipients, 200 messages a day and one a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, message_of, passing_faults
from trainops.adapters.card_rendering import html, subject, text
from trainops.domain.cards import Card
from trainops.domain.routes import ANYWHERE, Place
from trainops.errors import NotConfigured, Refused, TryLater
from trainops.outcomes import Counts

CALL = "SendEmail"
REFUSALS = {
    "AccountSuspendedException": "SES has suspended this account; a person must answer the case in the SES console",
    "BadRequestException": "SES did not accept the request; check the sender's and recipients' addresses",
    "MailFromDomainNotVerifiedException": "verify the sender's MAIL FROM domain in SES",
    "MessageRejected": "verify the sender in SES, and in the sandbox every recipient too",
}
WAITS = {
    "SendingPausedException": "sending is paused for this account or configuration set",
    "LimitExceededException": "the sending quota is used up",
}
SETTINGS = {"AccessDeniedException": "the function may not send from this address", "NotFoundException": "not found"}


@dataclass(frozen=True, slots=True)
class SesMail:
    """Implements `ports.Channel` with a boto3 `sesv2` client; one message to all recipients, who see each other,
    unless the place is an address.
    """

    sesv2: Any
    sender: str
    recipients: Sequence[str]

    def deliver(self, card: Card, place: Place = ANYWHERE) -> Counts:
        """SendEmail with HTML and text. Raises TryLater when throttled or paused, NotConfigured when not allowed, and
        Refused with what to do when SES will never take it.
        """
        body = {"Html": _content(html(card)), "Text": _content(text(card))}
        try:
            with passing_faults(CALL):
                self.sesv2.send_email(
                    FromEmailAddress=self.sender,
                    Destination={"ToAddresses": [place.to] if place.to else list(self.recipients)},
                    Content={"Simple": {"Subject": _content(subject(card)), "Body": body}},
                )
        except ClientError as error:
            raise _judged(error) from error
        return {}


def _content(data: str) -> dict[str, str]:
    return {"Data": data, "Charset": "UTF-8"}


def _judged(error: ClientError) -> Exception:
    """What SES's answer means for the message; an error nobody foresaw stays what it is."""
    code, said = code_of(error), message_of(error)
    if code in REFUSALS:
        return Refused(f"{code}: {REFUSALS[code]} (SES: {said})")
    if code in WAITS:
        return TryLater(f"{CALL}: {WAITS[code]} ({code})")
    if code in SETTINGS:
        return NotConfigured(f"{CALL}: {SETTINGS[code]} ({code}: {said})")
    return error
