"""What is learned about idle gaps, in the ledger's table.

`pk` "LESSON", `sk` a time and a job: that a job was created or ended, kept for a week. `pk` "KEEP-ALIVE", `sk`
"key#<fingerprint>", "team#<team>" or "guard": what was learned, each written on condition of its version;
"published#<team>": a digest of what was recommended.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.adapters.ledger_table import LedgerTable, expiry, instant
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.keep_alive_guard import Guard
from trainops.domain.keep_alive_history import History
from trainops.domain.keep_alive_items import guard_item, guard_of, key_history, key_item, team_history, team_item
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded, Lesson, SpotEnded

LESSON, LEARNED = "LESSON", "KEEP-ALIVE"
LESSONS_KEPT = timedelta(days=7)
KINDS: Mapping[str, type[Lesson]] = {"created": JobCreated, "ended": JobEnded, "spot": SpotEnded}
MARK = {"pk": LEARNED, "sk": "until"}


@dataclass(frozen=True, slots=True)
class DynamoHistories:
    """Implements `history_ports.Histories`."""

    table: LedgerTable

    def add_lesson(self, lesson: Lesson, job: str) -> None:
        """PutItem; the same job writes the same item."""
        kind = next(kind for kind, of in KINDS.items() if isinstance(lesson, of))
        self.table.put(
            {
                "pk": LESSON,
                "sk": f"{instant(lesson.at)}#{kind}#{job}",
                "kind": kind,
                "lesson": json.dumps(to_map(lesson), default=str),
                "expires_at": expiry(lesson.at + LESSONS_KEPT),
            }
        )

    def lessons(self, after: datetime, until: datetime) -> Sequence[Lesson]:
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
            keys={
                name: key_history(item["learned"], int(item["version"]))
                for name in fingerprints
                if (item := found.get(f"key#{name}"))
            },
            teams={
                name: team_history(item["learned"], int(item["version"]))
                for name in teams
                if (item := found.get(f"team#{name}"))
            },
            guard=guard_of(guard["learned"]) if guard else Guard(),
            guard_version=int(guard["version"]) if guard else 0,
        )

    def put_history(self, before: History, after: History) -> None:
        """PutItem of each that changed: keys first, since they tell what was learned already."""
        for name, key in after.keys.items():
            if key != before.keys.get(name):
                self._put(f"key#{name}", key_item(key), key.version)
        for name, team in after.teams.items():
            if team != before.teams.get(name):
                self._put(f"team#{name}", team_item(team), team.version)
        if after.guard != before.guard:
            self._put("guard", guard_item(after.guard), after.guard_version)

    def learned_until(self) -> datetime | None:
        """GetItem of the mark."""
        item = self.table.get(MARK)
        return datetime.fromisoformat(item["until"]) if item else None

    def put_learned(self, until: datetime) -> None:
        """PutItem of the mark; one sweep runs at a time."""
        self.table.put({**MARK, "until": instant(until)})

    def published(self, team: str) -> str | None:
        """GetItem."""
        item = self.table.get(_published(team))
        return str(item["digest"]) if item else None

    def put_published(self, team: str, digest: str) -> None:
        """PutItem; one sweep runs at a time."""
        self.table.put({**_published(team), "digest": digest})

    def _put(self, name: str, learned: Mapping[str, Any], read: int) -> None:
        item = {"pk": LEARNED, "sk": name, "version": read + 1, "learned": learned}
        self.table.put_version(item, read, f"history {name}")


def _published(team: str) -> dict[str, str]:
    return {"pk": LEARNED, "sk": f"published#{team}"}
