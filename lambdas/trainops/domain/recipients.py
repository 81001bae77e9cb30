"""Who may be written to directly about a job: its owner's e-mail address, or the reason why there is none.

Used once per message. A tag is free text that anybody with a job can write, so an address counts only inside the
domains that the deployment names. Whoever cannot be reached is not lost: the message goes to the team's channel, where
the owner is named as the tag has it, and is counted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ADDRESS = re.compile(r"[a-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@((?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63})")
"""What an address looks like after lower-casing: ASCII only, one "@", nothing that separates several addresses."""
LONGEST_ADDRESS = 254
"""RFC 5321, 4.5.3.1.3: a path has 256 octets with its brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipientSettings:
    """`allowed_email_domains`: without any nobody is written to directly. A domain does not allow what lies under it.
    `owners`: the address of an owner who is known by another name, in any case.
    """

    allowed_email_domains: tuple[str, ...] = ()
    owners: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recipient:
    """`email` is None when only the team's channel is left; `reason` has no address in it, so that it can be logged."""

    email: str | None
    reason: str


def recipient_of(owner: str | None, team: str, settings: RecipientSettings) -> Recipient:
    """The owner's address, if the deployment lets it be written to. Never raises: an owner is free text."""
    if not (owner or "").strip():
        return _channel(team, "nobody is known to own the job")
    if not settings.allowed_email_domains:
        return _channel(team, "notifications.allowed_email_domains names no domain")
    known = {name.strip().lower(): address for name, address in settings.owners.items()}
    name = str(owner).strip().lower()
    address = known.get(name, name).strip().lower()
    found = _ADDRESS.fullmatch(address) if len(address) <= LONGEST_ADDRESS else None
    if found is None:
        return _channel(team, "the owner is no e-mail address and not in notifications.owners")
    if found[1] not in {domain.strip().lower() for domain in settings.allowed_email_domains}:
        return _channel(team, "the owner's address lies outside notifications.allowed_email_domains")
    return Recipient(address, f"the owner's address is in {found[1]}" + (", by notifications.owners" * (name in known)))


def _channel(team: str, why: str) -> Recipient:
    return Recipient(None, f"{why}; it goes to the channel of team {team}")
