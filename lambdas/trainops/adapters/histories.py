"""What is learned about idle gaps, in the ledger's table.

`pk` "LESSON", `sk` a time and a job: that a job was created or ended, kept for a week. `pk` "KEEP-ALIVE", `sk`
"key#<fingerprint>", "team#<team>" or "guard": what was learned, as JSON text (counts are floats, which DynamoDB's
numbers do not take), each written on condition of its version.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

from trainops.adapters.ledger_table import Item, LedgerTable, expiry, instant
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.keep_alive_guard import Guard
from trainops.domain.keep_alive_history import History, JobCreated, JobEnded, KeyHistory, TeamHistory

LESSON, LEARNED = "LESSON", "KEEP-ALIVE"
LESSONS_KEPT = timedelta(days=7)
KINDS: Mapping[str, type[JobCreated] | type[JobEnded]] = {"created": JobCreated, "ended": JobEnded}
MARK = {"pk": LEARNED, "sk": "until"}
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class DynamoHistories:
    """Implements `ports.Histories`."""

    table: LedgerTable

    def add_lesson(self, lesson: JobCreated | JobEnded, job: str) -> None:
        """PutItem; the same job writes the same item."""
        kind = "created" if isinstance(lesson, JobCreated) else "ended"
        self.table.put(
            {
                "pk": LESSON,
                "sk": f"{instant(lesson.at)}#{kind}#{job}",
                "kind": kind,
                "lesson": json.dumps(to_map(lesson)),
                "expires_at": expiry(lesson.at + LESSONS_KEPT),
            }
        )

    def lessons(self, after: datetime, until: datetime) -> Sequence[JobCreated | JobEnded]:
        """Query by time, all pages."""
        return [
            from_map(KINDS[item["kind"]], json.loads(item["lesson"]))
            for item in self.table.within(LESSON, instant(after), f"{instant(until)}~")
        ]

    def history(self, fingerprints: Collection[str], teams: Collection[str]) -> History:
        """BatchGetItem of the items that are there."""
        names = [*(f"key#{name}" for name in fingerprints), *(f"team#{name}" for name in teams), "guard"]
        found = {item["sk"]: item for item in self.table.batch([{"pk": LEARNED, "sk": name} for name in names])}
        guard = found.get("guard")
        return History(
            keys={name: _read(KeyHistory, found[f"key#{name}"]) for name in fingerprints if f"key#{name}" in found},
            teams={name: _read(TeamHistory, found[f"team#{name}"]) for name in teams if f"team#{name}" in found},
            guard=_read(Guard, guard) if guard else Guard(),
            guard_version=int(guard["version"]) if guard else 0,
        )

    def put_history(self, before: History, after: History) -> None:
        """PutItem of each that changed: keys first, since they tell what was learned already."""
        for name, key in after.keys.items():
            if key != before.keys.get(name):
                self._put(f"key#{name}", replace(key, version=key.version + 1), key.version)
        for name, team in after.teams.items():
            if team != before.teams.get(name):
                self._put(f"team#{name}", replace(team, version=team.version + 1), team.version)
        if after.guard != before.guard:
            self._put("guard", after.guard, after.guard_version)

    def learned_until(self) -> datetime | None:
        """GetItem of the mark."""
        item = self.table.get(MARK)
        return datetime.fromisoformat(item["until"]) if item else None

    def put_learned(self, until: datetime) -> None:
        """PutItem of the mark; one sweep runs at a time."""
        self.table.put({**MARK, "until": instant(until)})

    def _put(self, name: str, value: Any, read: int) -> None:
        item = {"pk": LEARNED, "sk": name, "version": read + 1, "learned": json.dumps(to_map(value))}
        self.table.put_version(item, read, f"history {name}")


def _read(kind: type[Kind], item: Item) -> Kind:
    return from_map(kind, json.loads(item["learned"]))
