"""What the workflows that count and price need from the outside world; the rest is in `ports`, with the same rules."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Protocol

from trainops.domain.job_records import JobRecord
from trainops.domain.price_tables import PriceTable
from trainops.domain.self_checks import SubscriptionLook
from trainops.domain.start_latency import Start
from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.domain.weekly_reports import WeeklyReport


class JobCounts(Protocol):
    """Which finished jobs are in the metrics."""

    def count_once(self, key: JobKey, at: datetime, start: Start | None) -> bool:
        """Note that a job that ended then, and how it had started, is counted; False when it was before."""

    def counted(self, keys: Sequence[JobKey]) -> Mapping[JobKey, Start | None]:
        """Those of the jobs that are counted, with how they had started as far as that is known."""

    def finished(self, since: datetime, until: datetime) -> Sequence[JobKey]:
        """Jobs whose end was announced, by when they ended."""

    def records(self, keys: Sequence[JobKey]) -> Sequence[JobRecord]:
        """The items of these jobs, in no order."""


class Reports(Protocol):
    """The weekly reports, one for each team and week."""

    def report(self, team: str, until: datetime) -> WeeklyReport | None:
        """The report of the week that ended then."""

    def begin(self, report: WeeklyReport) -> WeeklyReport:
        """Write a report unless there is one; that one comes back."""

    def put_told(self, report: WeeklyReport) -> WeeklyReport:
        """Note that its event is on the bus."""


class StartLogs(Protocol):
    """What jobs write into their logs while they start."""

    def installing(self, job: TrainingJob) -> timedelta | None:
        """How long a job installed packages before it trained; 0 when its log says nothing of it, None without a log.
        Raises TryLater when throttled.
        """


class SubscriptionLooks(Protocol):
    """What `self_check` found of the topics' subscriptions, for the weekly report."""

    def last_look(self) -> SubscriptionLook | None:
        """The last one; None before the first."""

    def put_look(self, look: SubscriptionLook) -> None:
        """Replace it."""


class Checkpoints(Protocol):
    """What jobs wrote into the checkpoint bucket."""

    def newest(self, bucket: str, prefix: str) -> datetime | None:
        """When the last object under a prefix was written; None when there is none. Raises TryLater while not known."""


class PriceList(Protocol):
    """AWS's own list of prices."""

    def training_prices(self, region: str) -> Mapping[str, Decimal]:
        """US dollars per instance-hour of training, on demand, by instance type."""


class PriceLedger(Protocol):
    """The price table of the last refresh."""

    def price_table(self, region: str) -> PriceTable | None:
        """The table, or None before the first refresh."""

    def put_price_table(self, table: PriceTable) -> None:
        """Replace the table."""
