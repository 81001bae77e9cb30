"""Says at a deployment whether mail can arrive. It never fails one: a sender is often verified afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from trainops.domain.mail_readiness import MailFacts, mail_readiness
from trainops.errors import TryLater
from trainops.outcomes import Outcome


class Identities(Protocol):
    """What SES says of an account."""

    def facts(self, sender: str, recipients: Sequence[str]) -> MailFacts:
        """Of these addresses. Raises TryLater."""


@dataclass(frozen=True, slots=True)
class MailCheck:
    """Implements `adapters.at_deployment.Resource`; its properties are `Sender` and `Recipients`."""

    identities: Identities

    def create(self, wanted: Mapping[str, Any]) -> Outcome:
        """Look at what there is."""
        sender, recipients = wanted["Sender"], wanted["Recipients"]
        try:
            return Outcome(mail_readiness(sender, recipients, self.identities.facts(sender, recipients)))
        except TryLater as error:
            return Outcome(f"unknown, SES could not be asked ({error}): run `trainops check`")

    def update(self, wanted: Mapping[str, Any], _before: Mapping[str, Any]) -> Outcome:
        """Look again."""
        return self.create(wanted)

    def delete(self, _before: Mapping[str, Any]) -> Outcome:
        """Call nothing."""
        return Outcome("no mail any more")
