"""The ledger's items of storms: one for each kind of failure, one for each failure, and one for each that was absorbed.

The kind: `pk` "STORM#<team>/<class>", `sk` "STORM". What became of a failure: `pk` "STORM#SEEN#<its card's key>", `sk`
the kind. What a storm absorbed: `pk` "STORM#<kind>#<when it opened>", `sk` the card's key.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trainops.adapters.ledger_table import LedgerTable, expiry, instant
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.storms import Seen, Storm

PREFIX = "STORM#"
KEPT = timedelta(days=30)
"""Longer than a message can live in a queue and its dead-letter queue together."""
FIRST, LAST = "!", "\N{TILDE}"
"""Before and after every card's key."""


@dataclass(frozen=True, slots=True)
class DynamoStorms:
    """Implements `quiet_ports.Storms`."""

    table: LedgerTable

    def storm(self, key: str) -> Storm | None:
        """GetItem with a consistent read."""
        item = self.table.get(_storm_key(key))
        return from_map(Storm, item["record"]) if item else None

    def put_storm(self, storm: Storm) -> Storm:
        """PutItem on condition that the stored version is the one that was read."""
        written = replace(storm, version=storm.version + 1)
        item = {**_storm_key(storm.key), "version": written.version, "record": to_map(written)}
        self.table.put_version(item | {"expires_at": expiry(storm.clock + KEPT)}, storm.version, storm.key)
        return written

    def seen(self, storm: str, key: str) -> Seen | None:
        """GetItem with a consistent read."""
        item = self.table.get(_seen_key(storm, key))
        return from_map(Seen, item["record"]) if item else None

    def put_seen(self, storm: str, seen: Seen) -> None:
        """PutItem; a repetition writes the same."""
        self.table.put({**_seen_key(storm, seen.key), "record": to_map(seen), "expires_at": expiry(seen.at + KEPT)})

    def absorb(self, storm: str, opened: datetime, seen: Seen) -> None:
        """PutItem; a repetition writes the same."""
        key = {"pk": _partition(storm, opened), "sk": seen.key}
        self.table.put({**key, "record": to_map(seen), "expires_at": expiry(seen.at + KEPT)})

    def absorbed(self, storm: str, opened: datetime) -> Sequence[Seen]:
        """Query the storm's partition."""
        items = self.table.within(_partition(storm, opened), FIRST, LAST)
        return sorted((from_map(Seen, item["record"]) for item in items), key=lambda seen: seen.at)


def _storm_key(key: str) -> dict[str, str]:
    return {"pk": f"{PREFIX}{key}", "sk": "STORM"}


def _seen_key(storm: str, key: str) -> dict[str, str]:
    return {"pk": f"{PREFIX}SEEN#{key}", "sk": storm}


def _partition(storm: str, opened: datetime) -> str:
    return f"{PREFIX}{storm}#{instant(opened)}"
