"""The weekly report's parts on a ledger of their own, and the message that follows from its event."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from tests.adapters.ledger_table import TABLE
from tests.builders import arn, job, price, record
from tests.desks import desk as desk_of
from tests.fakes import FakeBus, FakeQueue
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.report_ledger import DynamoReports
from trainops.adapters.subscription_looks import DynamoSubscriptionLooks
from trainops.domain.cards import Card
from trainops.domain.report_weeks import Rhythm
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pools import PoolState, opened
from trainops.outcomes import Outcome
from trainops.workflows.report_notification import ReportNotification
from trainops.workflows.weekly_report import WeeklyReports

BERLIN = ZoneInfo("Europe/Berlin")
RHYTHM = Rhythm(0, 8, BERLIN)
MONDAY = datetime(2026, 3, 9, 7, tzinfo=UTC)
"""Eight o'clock in Berlin."""
UNTIL = MONDAY - timedelta(hours=8)


@dataclass
class Desk:
    dynamodb: Any
    bus: FakeBus = field(default_factory=FakeBus)
    channel: FakeQueue = field(default_factory=FakeQueue)
    logs: Any = None

    def __post_init__(self) -> None:
        own = LedgerTable(self.dynamodb, TABLE)
        self.ledger, self.pools, self.reports = DynamoLedger(own), DynamoPoolLedger(own), DynamoReports(own)
        self.counts, self.looks = DynamoJobCounts(own), DynamoSubscriptionLooks(own)

    def ended(self, name: str, when: datetime = MONDAY - timedelta(days=3), **fields: Any) -> None:
        """A job of an hour at $3.60 that ended then."""
        created, hour = when - timedelta(hours=1), timedelta(hours=1)
        known: dict[str, Any] = {
            "started": created,
            "ended": when,
            "training_time": hour,
            "billable_time": hour,
            **fields,
        }
        whole = job(name, **{"key": JobKey.of(arn(name), created), **known})
        done = f"Finished/{whole.status}"
        team = whole.tags.get("team", "default")
        self.ledger.put_job(record(whole, "Started", done, price=price("3.60"), team=team, version=0))
        if whole.keep_alive:
            left = opened(record(whole, price=price("3.60"), team=team))
            over: dict[str, Any] = {"state": PoolState.EXPIRED, "released": when + timedelta(minutes=30)}
            self.pools.put_pool(replace(left, **over))

    def tick(self, now: datetime = MONDAY, **event: Any) -> Outcome:
        reports = WeeklyReports(
            reports=self.reports,
            counts=self.counts,
            pools=self.pools,
            bus=self.bus,
            logs=self.logs,
            looks=self.looks,
            teams=("vision",),
            rhythm=RHYTHM,
            waiting={"vision": Decimal(60), "default": Decimal(60)},
        )
        return reports({"time": now.isoformat(), **event}, lambda: True)

    def cards(self) -> list[Card]:
        """What the channel's queue gets of the events on the bus."""
        notify = ReportNotification(self.reports, desk_of(("WeeklyReport",), self.channel), BERLIN)
        for event in self.bus.published:
            notify({"detail-type": event.detail_type, "detail": dict(event.detail), "time": event.time.isoformat()})
        return [Card.from_message(message) for message in self.channel.sent]
