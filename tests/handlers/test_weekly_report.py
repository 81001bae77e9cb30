"""Each team's report of its week: due once, told once, whatever fails; with the week's own figures."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import jsonschema
import pytest

from tests.adapters.ledger_table import TABLE, table
from tests.builders import arn, job, price, record
from tests.fakes import Crash, FakeBus, FakeQueue, Fuse
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.adapters.report_ledger import DynamoReports
from trainops.domain.cards import Card
from trainops.domain.job_phases import Phases
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pools import PoolState, opened
from trainops.domain.weekly_reports import Rhythm, Week, due_week
from trainops.errors import PoisonMessage
from trainops.telemetry import Field, Outcome
from trainops.workflows.report_notification import ReportNotification
from trainops.workflows.weekly_report import WeeklyReports

BERLIN = ZoneInfo("Europe/Berlin")
RHYTHM = Rhythm(0, 8, BERLIN)
MONDAY = datetime(2026, 3, 9, 7, 0, tzinfo=UTC)
"""Eight o'clock in Berlin."""
UNTIL = datetime(2026, 3, 8, 23, 0, tzinfo=UTC)


@dataclass
class Desk:
    dynamodb: Any
    bus: FakeBus = field(default_factory=FakeBus)
    channel: FakeQueue = field(default_factory=FakeQueue)
    logs: Any = None

    def __post_init__(self) -> None:
        own = LedgerTable(self.dynamodb, TABLE)
        self.ledger, self.pools, self.reports = DynamoLedger(own), DynamoPoolLedger(own), DynamoReports(own)
        self.counts = DynamoJobCounts(own)

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
            teams=("vision",),
            rhythm=RHYTHM,
            waiting={"vision": Decimal(60), "default": Decimal(60)},
        )
        return reports({"time": now.isoformat(), **event}, lambda: True)

    def cards(self) -> list[Card]:
        """What the channel's queue gets of the events on the bus."""
        notify = ReportNotification(self.reports, [self.channel], ("WeeklyReport",), BERLIN)
        for event in self.bus.published:
            notify({"detail-type": event.detail_type, "detail": dict(event.detail), "time": event.time.isoformat()})
        return [Card.from_message(message) for message in self.channel.sent]


@pytest.fixture
def desk() -> Iterator[Desk]:
    with table() as dynamodb:
        yield Desk(dynamodb)


VISION: dict[str, Any] = {"tags": {"team": "vision"}}


@pytest.mark.parametrize(
    ("now", "due"),
    [
        (MONDAY - timedelta(seconds=1), False),
        (MONDAY, True),
        (MONDAY + timedelta(hours=23, minutes=59), True),
        (MONDAY + timedelta(days=1), False),
        (datetime(2026, 3, 30, 6, 0, tzinfo=UTC), True),
    ],
)
def test_a_report_is_due_for_a_day_from_its_hour_on_the_clock_of_its_zone(now: datetime, due: bool) -> None:
    assert (due_week(now, RHYTHM) is not None) is due
    assert due_week(MONDAY, RHYTHM) == Week(datetime(2026, 3, 1, 23, 0, tzinfo=UTC), UNTIL)


def test_a_week_with_a_change_to_summer_time_has_seven_local_days() -> None:
    week = due_week(datetime(2026, 3, 30, 6, 0, tzinfo=UTC), RHYTHM)
    assert week is not None
    assert week.until - week.since == timedelta(days=7) - timedelta(hours=1)


def test_each_team_hears_of_its_own_week_and_of_no_other(desk: Desk) -> None:
    spot: dict[str, Any] = {"spot": True, "billable_time": timedelta(minutes=12)}
    desk.ended("v-1", **VISION, **spot)
    desk.ended("v-2", status="Failed", failure_reason="CUDA out of memory", **VISION)
    desk.ended("v-old", UNTIL - timedelta(days=8), **VISION)
    desk.ended("v-new", UNTIL + timedelta(hours=1), **VISION)
    desk.ended("typo-1", tags={"team": "typo"})
    assert desk.tick().reason == "2 reports: vision (2 jobs), default (1 job)"
    mine, others = desk.cards()
    assert (mine.team, mine.word) == ("vision", "WeeklyReport")
    assert mine.title == "Week of team vision: 2 jobs, spot saved $2.88"
    assert mine.summary == "2 Mar to 8 Mar 2026: 1 completed, 1 failed. Jobs cost $4.32."
    tables = {item.title: [(row.label, row.value, row.percent) for row in item.rows] for item in mine.tables}
    assert tables == {
        "Managed spot saved, by instance type": [("ml.g5.xlarge", "80 %, $2.88, 1 job", 80)],
        "Failures": [("gpu out of memory", "1 job, $3.60", 100)],
    }
    assert others.title == "Week of all other jobs: 1 job"
    assert others.context[-1] == "Unknown: what installing packages at the start costs, since logs are not read"


def test_what_spot_cost_more_than_on_demand_and_what_pools_cost_is_said(desk: Desk) -> None:
    desk.ended("v-1", spot=True, billable_time=timedelta(hours=2), **VISION)
    for number in range(3):
        desk.ended(f"p-{number}", keep_alive=timedelta(hours=1), match_fingerprint="abc", **VISION)
    desk.tick()
    [card] = desk.cards()
    facts = dict(card.facts)
    assert facts["Worse than on-demand"] == "spot on ml.g5.xlarge"
    assert facts["Managed spot"] == "0 %, $0.00, 1 job"
    assert facts["Warm pools"] == "3 ended, 0 of them by reuse"
    [table_of_pools] = [item for item in card.tables if item.title == "Warm pools"]
    assert [(row.label, row.value) for row in table_of_pools.rows] == [("Idle", "$5.40")]
    assert card.lines == (
        "no job took any of 3 warm pools of 1 \N{MULTIPLICATION SIGN} ml.g5.xlarge, such as that of p-0. Next: leave "
        "KeepAlivePeriodInSeconds out of jobs that nothing follows; worth about $5.40 a week.",
    )


def test_a_report_is_told_once_however_often_the_schedule_ticks(desk: Desk) -> None:
    desk.ended("v-1", **VISION)
    assert desk.tick().reason.startswith("1 report")
    for minutes in (15, 30, 600):
        assert desk.tick(MONDAY + timedelta(minutes=minutes)).reason.endswith("were told")
    assert desk.tick(MONDAY + timedelta(days=2)).reason == "no report is due"
    assert len(desk.bus.published) == 1


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_crash_around_the_bus_is_made_up_for_and_the_card_has_the_same_key(desk: Desk, place: str) -> None:
    desk.ended("v-1", **VISION)
    desk.bus.fuse = Fuse(before=1) if place == "before" else Fuse(after=1)
    with pytest.raises(Crash):
        desk.tick()
    desk.bus.fuse = Fuse()
    desk.ended("v-2", **VISION)
    assert desk.tick(MONDAY + timedelta(minutes=15)).reason == "1 report: vision (1 job)", "as it was begun"
    assert len({card.key for card in desk.cards()}) == 1


def test_a_week_without_jobs_is_no_message(desk: Desk) -> None:
    assert desk.tick().reason == "0 reports: nothing happened"
    assert desk.bus.published == []


def test_the_event_fits_its_schema_and_a_forged_one_does_nothing(desk: Desk) -> None:
    desk.ended("v-1", **VISION)
    desk.tick()
    [event] = desk.bus.published
    schema = json.loads(Path("docs/events/weekly-report.v1.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(event.detail)))
    notify = ReportNotification(desk.reports, [desk.channel], ("WeeklyReport",), UTC)
    forged = {"team": "vision", "week": {"until": "2020-01-01T00:00:00Z"}}
    assert notify({"detail-type": "Weekly Report", "detail": forged}).counts == {Field.IGNORED: 1}
    for wrong in ({"team": "vision"}, {**forged, "week": {"until": "soon"}}):
        with pytest.raises(PoisonMessage):
            notify({"detail-type": "Weekly Report", "detail": wrong})
    assert desk.channel.sent == []


@dataclass
class Logs:
    """Every job installed for ten minutes, except those that have no log."""

    silent: tuple[str, ...] = ()
    read: list[str] = field(default_factory=list)

    def installing(self, a_job: Any) -> timedelta | None:
        self.read.append(a_job.name)
        return None if a_job.name in self.silent else timedelta(minutes=10)


def test_logs_are_read_of_a_bounded_number_of_jobs_and_only_when_that_was_chosen(desk: Desk) -> None:
    desk.logs = Logs(silent=("v-0",))
    for number in range(25):
        desk.ended(f"v-{number}", phases=Phases(), **VISION)
    desk.tick()
    assert len(desk.logs.read) == 20
    [card] = desk.cards()
    assert "whose logs were read spent" in card.lines[0]
    assert not any(line.startswith("Unknown") for line in card.context)


def test_a_tick_without_a_time_is_refused(desk: Desk) -> None:
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        desk.tick(time="soon")
