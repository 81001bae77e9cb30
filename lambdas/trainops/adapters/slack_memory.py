"""What the Slack bot remembers in the ledger's table: the first message of each conversation, and who is who.

Items `THREAD#<channel>` and `PERSON#slack`; both have a time to live. People are kept under a digest of their address,
so that the table holds no list of addresses.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from trainops.adapters.ledger_table import LedgerTable, expiry
from trainops.domain.conversations import Root
from trainops.errors import TryLater

REMEMBERED = timedelta(days=60)
"""Longer than a job and its pool can live."""
CLAIM = timedelta(minutes=2)
"""How long others wait for a first message: twice as long as a function may run."""
AGAIN = timedelta(seconds=5)
KNOWN, UNKNOWN = timedelta(days=7), timedelta(hours=1)
"""How long an answer to "who is this?" holds."""
NOBODY = "-"


def clock() -> datetime:
    """The present time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Threads:
    """First messages, by channel and conversation. Only who claims a conversation may open it."""

    table: LedgerTable
    now: Callable[[], datetime] = clock

    def root(self, channel: str, thread: str, card: str) -> Root | None:
        """The first message; None when this card is to post it. Raises TryLater while another card is about to."""
        key = {"pk": f"THREAD#{channel}", "sk": thread}
        item = self.table.get(key)
        if item is not None and "ts" in item:
            return Root(item["channel"], item["ts"], item["word"])
        now = self.now()
        claim = {
            **key,
            "claimed_by": card,
            "claimed_until": expiry(now + CLAIM),
            "expires_at": expiry(now + REMEMBERED),
        }
        free = "attribute_not_exists(ts) AND (claimed_by = :card OR claimed_until < :now)"
        if self.table.put(claim, f"attribute_not_exists(pk) OR ({free})", card=card, now=expiry(now)):
            return None
        raise TryLater("another card of this conversation is being posted first", AGAIN)

    def release(self, channel: str, thread: str, card: str) -> None:
        """Let others open the conversation: this card does not go there."""
        claim = {"pk": f"THREAD#{channel}", "sk": thread, "claimed_by": card, "claimed_until": 0}
        mine = "attribute_not_exists(ts) AND claimed_by = :card"
        self.table.put({**claim, "expires_at": expiry(self.now() + REMEMBERED)}, mine, card=card)

    def show(self, channel: str, thread: str, root: Root) -> None:
        """Remember the first message, and what it shows."""
        self.table.put(
            {
                "pk": f"THREAD#{channel}",
                "sk": thread,
                "channel": root.channel,
                "ts": root.ts,
                "word": root.word,
                "expires_at": expiry(self.now() + REMEMBERED),
            }
        )


@dataclass(frozen=True, slots=True)
class People:
    """Where to write to a person, by e-mail address; "nobody" is remembered too, for an hour."""

    table: LedgerTable
    now: Callable[[], datetime] = clock

    def channel_of(self, email: str) -> str | None:
        """The direct channel as remembered, `NOBODY`, or None when that is not known any more."""
        item = self.table.get({"pk": "PERSON#slack", "sk": _digest(email)})
        return str(item["channel"]) if item and int(item["expires_at"]) > expiry(self.now()) else None

    def remember(self, email: str, channel: str) -> None:
        """Remember a direct channel, or `NOBODY`."""
        until = self.now() + (UNKNOWN if channel == NOBODY else KNOWN)
        item = {"pk": "PERSON#slack", "sk": _digest(email), "channel": channel, "expires_at": expiry(until)}
        self.table.put(item)


def _digest(email: str) -> str:
    return hashlib.sha256(email.strip().lower().encode()).hexdigest()[:32]
