"""What the sweep has learned, in memory, behind the same port."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from trainops.domain.keep_alive_history import History, KeyHistory, TeamHistory
from trainops.domain.keep_alive_lessons import Lesson
from trainops.errors import LedgerConflict

Versioned = TypeVar("Versioned", KeyHistory, TeamHistory)


@dataclass
class FakeHistories:
    notes: dict[tuple[str, type], Lesson] = field(default_factory=dict)
    known: History = field(default_factory=History)
    until: datetime | None = None
    digests: dict[str, str] = field(default_factory=dict)

    def add_lesson(self, lesson: Lesson, job: str) -> None:
        self.notes[job, type(lesson)] = lesson

    def lessons(self, after: datetime, until: datetime) -> Sequence[Lesson]:
        return [lesson for lesson in self.notes.values() if after <= lesson.at <= until]

    def history(self, fingerprints: Collection[str], teams: Collection[str]) -> History:
        keys = {name: key for name, key in self.known.keys.items() if name in fingerprints}
        return replace(self.known, keys=keys, teams={n: team for n, team in self.known.teams.items() if n in teams})

    def put_history(self, before: History, after: History) -> None:
        """On condition of their versions, as the table does it."""
        known = self.known
        keys = {name: self._next(key, known.keys.get(name), before.keys.get(name)) for name, key in after.keys.items()}
        teams = {
            name: self._next(team, known.teams.get(name), before.teams.get(name)) for name, team in after.teams.items()
        }
        self.known = replace(after, keys={**known.keys, **keys}, teams={**known.teams, **teams})

    @staticmethod
    def _next(written: Versioned, known: Versioned | None, read: Versioned | None) -> Versioned:
        if written == read:
            return known or written
        if known is not None and known.version != written.version:
            raise LedgerConflict("written by another")
        return replace(written, version=written.version + 1)

    def learned_until(self) -> datetime | None:
        return self.until

    def put_learned(self, until: datetime) -> None:
        self.until = until

    def published(self, team: str) -> str | None:
        return self.digests.get(team)

    def put_published(self, team: str, digest: str) -> None:
        self.digests[team] = digest
