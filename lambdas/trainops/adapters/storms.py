"""The ledger's items of storms: one for each kind of failure, one for each failure, and one for each that was absorbed.

The kind: `pk` "STORM#<team>/<class>", `sk` "STORM". What became of a failure: `pk` "STORM#SEEN#<its card's key>", `sk`
the kind. What a storm absorbed: `pk` "STORM#<kind>#<when it opened>", `sk` the card's key.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainops.adapters.ledger_table import LedgerTable, expiry, instant, records
from trainops.adapters.record_codec import to_map
from trainops.domain.storms import Seen, Storm

PREFIX = "STORM#"
KEPT = timedelta(days=30)
"""Longer than a message can live in a queue and its dead-letter queue together."""


@dataclass(frozen=True, slots=True)
class DynamoStorms:
    """Implements `quiet_ports.Storms`."""

    table: LedgerTable

    def storm(self, key: str) -> Storm | None:
        """GetItem with a consistent read."""
        return self.table.record(Storm, _storm_key(key))

    def put_storm(self, storm: Storm) -> Storm:
        """PutItem on condition that the stored version is the one that was read."""
        kept = expiry(storm.clock + KEPT)
        return self.table.put_record(_storm_key(storm.key), storm, storm.key, expires_at=kept)

    def seen(self, storm: str, key: str) -> Seen | None:
        """GetItem with a consistent read."""
        return self.table.record(Seen, _seen_key(storm, key))

    def put_seen(self, storm: str, seen: Seen) -> None:
        """PutItem; a repetition writes the same."""
        self.table.put({**_seen_key(storm, seen.key), "record": to_map(seen), "expires_at": expiry(seen.at + KEPT)})

    def absorb(self, storm: str, opened: datetime, seen: Seen) -> None:
        """PutItem; a repetition writes the same."""
        key = {"pk": _partition(storm, opened), "sk": seen.key}
        self.table.put({**key, "record": to_map(seen), "expires_at": expiry(seen.at + KEPT)})

    def absorbed(self, storm: str, opened: datetime) -> Sequence[Seen]:
        """Query the storm's partition."""
        return sorted(records(Seen, self.table.within(_partition(storm, opened))), key=lambda seen: seen.at)


def _storm_key(key: str) -> dict[str, str]:
    return {"pk": f"{PREFIX}{key}", "sk": "STORM"}


def _seen_key(storm: str, key: str) -> dict[str, str]:
    return {"pk": f"{PREFIX}SEEN#{key}", "sk": storm}


def _partition(storm: str, opened: datetime) -> str:
    return f"{PREFIX}{storm}#{instant(opened)}"
