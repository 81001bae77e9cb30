"""What keeps messages few needs from the ledger: who belongs to which family of jobs, and storms of failures.

Methods raise as those of `ports` do.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from trainops.domain.job_families import Family, Members, Step
from trainops.domain.storms import Seen, Storm
from trainops.domain.training_jobs import JobKey


class Families(Protocol):
    """The part of the table that remembers tuning jobs, AutoML jobs and pipelines' executions, by ARN."""

    def join(self, family: str, job: JobKey, outer: str | None) -> None:
        """Note that a job belongs to a family, which is itself part of `outer`."""

    def family(self, arn: str) -> Family | None:
        """The item of a family, read consistently."""

    def put_family(self, family: Family) -> None:
        """Write if nobody else did since it was read. Raises LedgerConflict."""

    def put_step(self, family: str, step: Step) -> None:
        """Remember what was said of a step, unless something later is known."""

    def members(self, arn: str) -> Members:
        """All jobs and steps that are known of a family."""


class Storms(Protocol):
    """The part of the table that remembers failures that are alike."""

    def storm(self, key: str) -> Storm | None:
        """The item of one kind of failure, read consistently."""

    def put_storm(self, storm: Storm) -> Storm:
        """Write if nobody else did since it was read; it comes back with its new version. Raises LedgerConflict."""

    def seen(self, storm: str, key: str) -> Seen | None:
        """What became of a failure, by its card's key."""

    def put_seen(self, storm: str, seen: Seen) -> None:
        """Remember what became of a failure."""

    def absorb(self, storm: str, opened: datetime, seen: Seen) -> None:
        """List a failure with the storm that absorbed it."""

    def absorbed(self, storm: str, opened: datetime) -> Sequence[Seen]:
        """All that a storm absorbed, in the order of their time."""
