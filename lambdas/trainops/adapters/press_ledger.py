"""Who pressed what: `pk` "PRESS#<job ARN>", `sk` "<job's creation>#<press>", kept as long as the job's own item."""

from dataclasses import dataclass
from datetime import timedelta

from trainops.adapters.ledger_table import LedgerTable, expiry, instant
from trainops.adapters.record_codec import to_map
from trainops.domain.presses import Press, PressRecord


@dataclass(frozen=True, slots=True)
class DynamoPresses:
    """Implements `chat_ports.Presses`."""

    table: LedgerTable
    retention: timedelta

    def begin(self, record: PressRecord) -> PressRecord:
        """PutItem on condition that there is none; else GetItem."""
        if self.table.add(self._item(record)):
            return record
        return self.get(record.press) or record

    def get(self, press: Press) -> PressRecord | None:
        """GetItem with a consistent read."""
        return self.table.record(PressRecord, _key(press))

    def put(self, record: PressRecord) -> None:
        """PutItem."""
        self.table.put(self._item(record))

    def _item(self, record: PressRecord) -> dict[str, object]:
        kept = expiry(record.press.at + self.retention)
        return {**_key(record.press), "team": record.team, "record": to_map(record), "expires_at": kept}


def _key(press: Press) -> dict[str, str]:
    return {"pk": f"PRESS#{press.key.arn}", "sk": f"{instant(press.key.created)}#{press.id}"}
