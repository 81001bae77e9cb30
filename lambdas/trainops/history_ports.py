"""What the warm-pool workflows need of the place where lessons and histories are kept; as `trainops.ports`."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from trainops.domain.keep_alive_history import History
from trainops.domain.keep_alive_lessons import Lesson


class Histories(Protocol):
    """What the account's jobs teach about idle gaps. Everyone adds lessons and reads; only the sweep learns."""

    def add_lesson(self, lesson: Lesson, job: str) -> None:
        """Note that a job was created or ended; the same job again changes nothing."""

    def lessons(self, after: datetime, until: datetime) -> Sequence[Lesson]:
        """What was noted for a time, both ends included."""

    def history(self, fingerprints: Collection[str], teams: Collection[str]) -> History:
        """What is known of these, and the guard."""

    def put_history(self, before: History, after: History) -> None:
        """Write each item that differs, if nobody else did. Raises LedgerConflict."""

    def learned_until(self) -> datetime | None:
        """Up to when lessons have been learned."""

    def put_learned(self, until: datetime) -> None:
        """Remember it."""

    def published(self, team: str) -> str | None:
        """A digest of what was last recommended to a team."""

    def put_published(self, team: str, digest: str) -> None:
        """Remember it."""
