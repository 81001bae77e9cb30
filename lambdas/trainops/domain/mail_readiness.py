"""Whether mail through SES can arrive: said at a deployment, and by `trainops check`.

SES takes mail of an unverified sender, or in its sandbox for unverified recipients, from nobody. Source: Amazon SES
developer guide, "Moving out of the sandbox" and "Verified identities".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MailFacts:
    """What SES says of this account and Region; `verified` of each address, by its own identity or its domain's."""

    sending: bool
    sandbox: bool
    verified: Mapping[str, bool]


def mail_faults(sender: str, recipients: Sequence[str], facts: MailFacts) -> list[str]:
    """What keeps mail from arriving, worst first; no address is in it, since deployments' logs are read by many."""
    faults: list[str] = []
    if not facts.sending:
        faults.append("SES has paused sending for this account: answer its case in the SES console")
    if not facts.verified[sender]:
        faults.append("neither the sender nor its domain is verified in SES: no mail is sent, verify one of them")
    if facts.sandbox:
        unverified = sum(not facts.verified[address] for address in recipients)
        faults.append(
            "the account is in SES's sandbox in this Region (200 mails a day, one a second, verified recipients only): "
            f"{unverified} of {len(recipients)} recipients are not verified; ask for production access"
        )
    return faults


def mail_readiness(sender: str, recipients: Sequence[str], facts: MailFacts) -> str:
    """The same in one line; "ready" when there is nothing to do."""
    return "; ".join(mail_faults(sender, recipients, facts)) or "ready: the sender is verified, and out of the sandbox"
