"""What the workflows need from the outside world. Adapters implement these with boto3; tests with fakes.

Every method raises `TryLater` when the other side says "not now" (throttled, unavailable); nothing is returned instead
of an error.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from trainops.domain.cards import Card
from trainops.domain.job_events import BusEvent
from trainops.domain.job_records import JobRecord, Price
from trainops.domain.reconciliation import JobSummary, Watermark
from trainops.domain.training_jobs import JobKey, TrainingJob


class Ledger(Protocol):
    """The table that remembers every job and what was announced of it."""

    def job(self, key: JobKey) -> JobRecord | None:
        """The item of one run, read consistently."""

    def latest_job(self, arn: str) -> JobRecord | None:
        """The item of the newest run under a name, for an event that does not say when its job was created."""

    def put_job(self, record: JobRecord) -> JobRecord:
        """Write an item if nobody else wrote it since it was read; the item with its new version comes back.
        Raises LedgerConflict.
        """

    def statuses(self, keys: Sequence[JobKey]) -> Mapping[JobKey, str]:
        """The recorded status of each run that is known; at most 100 keys."""

    def due_jobs(self, now: datetime, limit: int) -> Sequence[JobKey]:
        """Runs that should be looked at, longest overdue first."""

    def watermark(self) -> Watermark | None:
        """How far the reconciler has walked; None before its first walk."""

    def put_watermark(self, watermark: Watermark) -> None:
        """Remember how far the walk came."""


class TrainingJobs(Protocol):
    """SageMaker's own knowledge. Calls are spaced in time to leave the account's limits to its users."""

    def describe(self, name: str, tags: Mapping[str, str] | None) -> TrainingJob | None:
        """The facts of the run the API knows under this name (`tags` are added, or asked for when None); None when it
        knows none.
        """

    def created_after(self, created: datetime) -> Iterator[Sequence[JobSummary]]:
        """Pages of at most 100 jobs, oldest first, created after the given time. Raises TryLater when throttled."""


class Bus(Protocol):
    """The trainops event bus."""

    def publish(self, events: Sequence[BusEvent]) -> None:
        """Put all events on the bus, or raise."""


class Queue(Protocol):
    """A queue to put work on."""

    def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Put all messages on the queue as JSON, or raise."""


class KillSwitch(Protocol):
    """The one parameter that stops every action."""

    def is_on(self) -> bool:
        """True while actions are stopped; at most a minute old."""


class Prices(Protocol):
    """What an instance costs."""

    def training_price(self, instance_type: str | None) -> Price | None:
        """The on-demand training price, or None when it is not known."""


class Channel(Protocol):
    """Somewhere people read: a Slack webhook, a mailbox, an SNS topic."""

    def deliver(self, card: Card) -> None:
        """Hand over one message. Raises TryLater for a passing fault and Refused for a lasting one."""


class Documents(Protocol):
    """A place for documents that people and programs read."""

    def put(self, key: str, text: str) -> None:
        """Write a document, whatever is there."""

    def put_if_absent(self, key: str, text: str) -> bool:
        """Write a document unless there is one; whether it was written."""

    def remove(self, key: str) -> None:
        """Delete a document, if it is there."""
