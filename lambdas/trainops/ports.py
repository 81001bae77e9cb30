"""What the workflows need from the outside world. Adapters implement these with boto3; tests with fakes.

Every method raises `TryLater` when the other side says "not now" (throttled, unavailable); nothing is returned instead
of an error.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from trainops.domain.cards import Card
from trainops.domain.job_events import BusEvent
from trainops.domain.job_records import JobRecord, Price
from trainops.domain.reconciliation import JobSummary, Watermark
from trainops.domain.routes import Place
from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.domain.warm_pool_settings import PoolSettings
from trainops.domain.warm_pool_sweeps import Digest, PoolSummary
from trainops.domain.warm_pools import PoolRecord
from trainops.outcomes import Counts


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


class PoolLedger(Protocol):
    """The part of the table that remembers warm pools; only the warm-pool functions write it."""

    def pool(self, key: JobKey) -> PoolRecord | None:
        """The pool that a job left, read consistently."""

    def pools(self, keys: Sequence[JobKey]) -> Mapping[JobKey, PoolRecord]:
        """Those of the pools that are known."""

    def put_pool(self, pool: PoolRecord) -> PoolRecord:
        """Write if nobody else did since it was read; it comes back with its new version. Raises LedgerConflict."""

    def open_pools(self, until: datetime) -> Sequence[JobKey]:
        """Pools that wait for a look up to then, longest overdue first."""

    def pools_over(self, since: datetime, until: datetime) -> Sequence[JobKey]:
        """Pools that were let go within a time."""

    def pools_like(self, fingerprint: str, since: datetime) -> Sequence[JobKey]:
        """Pools of one fingerprint that are open, or over since then; in no order."""

    def pools_around(
        self, team: str, fingerprint: str | None, since: datetime, until: datetime, most: int
    ) -> Sequence[JobKey]:
        """At most so many of the pools that are open, or were let go within a time: those of the fingerprint, whoever's
        they are, then the team's youngest.
        """

    def take_lease(self, now: datetime, until: datetime) -> bool:
        """Become the one sweep until then; False while another is."""

    def give_lease_back(self, now: datetime, *, complete: bool) -> None:
        """Let the next sweep begin; whether this one came to its end is remembered."""

    def digest(self, at: datetime) -> Digest | None:
        """What one sweep told."""

    def put_digest(self, digest: Digest) -> None:
        """Remember what a sweep tells before it does."""

    def last_sweep(self) -> datetime | None:
        """When the last sweep that came to its end began."""


class TeamSettings(Protocol):
    """What teams chose for their warm pools."""

    def for_team(self, team: str) -> PoolSettings:
        """A team's settings, or the default ones. Raises NotConfigured when they are missing or malformed."""

    def counted_as(self, team: str) -> str:
        """The team's name if the deployment configures it, else "default": tags are free text, metrics cost money.
        Raises NotConfigured.
        """


class WarmPools(Protocol):
    """SageMaker's warm pools, with calls spaced as those of `TrainingJobs`."""

    def available(self, changed_after: datetime) -> Iterator[Sequence[PoolSummary]]:
        """Pages of the pools that are Available, of jobs that changed after then. Raises TryLater when throttled."""

    def set_keep_alive(self, name: str, period: timedelta) -> None:
        """Give a job's pool another keep-alive period; 0 ends it. Raises UpdateRefused."""

    def hold(self, arn: str, until: datetime) -> None:
        """Put the hold's tag on a job. Raises UpdateRefused."""


class WarmPoolQuotas(Protocol):
    """The account's quotas "… for training warm pool usage"."""

    def instances(self, instance_type: str | None) -> int | None:
        """How many instances of a type may be kept warm; None when that is not known, never zero instead."""


class Bus(Protocol):
    """The trainops event bus."""

    def publish(self, events: Sequence[BusEvent]) -> None:
        """Put all events on the bus, or raise."""


class Queue(Protocol):
    """A queue to put work on."""

    def send(self, messages: Sequence[Mapping[str, Any]], after: timedelta = timedelta(0)) -> None:
        """Put all messages on the queue as JSON, to be seen after at most 15 minutes, or raise."""


class KillSwitch(Protocol):
    """The one parameter that stops every action."""

    def is_on(self) -> bool:
        """True while actions are stopped; at most a minute old."""


class Prices(Protocol):
    """What an instance costs."""

    def training_price(self, instance_type: str | None) -> Price | None:
        """The on-demand training price, or None when it is not known."""


class Channel(Protocol):
    """Somewhere people read: Slack, mailboxes, SNS topics."""

    def deliver(self, card: Card, place: Place) -> Counts:
        """Hand over one message to a place in this channel, and say what there is to count beside that. Raises TryLater
        for a passing fault, Refused for a lasting one, and NotConfigured for one that a person has to repair.
        """


class Documents(Protocol):
    """A place for documents that people and programs read."""

    def put(self, key: str, text: str) -> None:
        """Write a document, whatever is there."""

    def put_if_absent(self, key: str, text: str) -> bool:
        """Write a document unless there is one; whether it was written."""

    def remove(self, key: str) -> None:
        """Delete a document, if it is there."""
