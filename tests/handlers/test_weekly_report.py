"""Each team's report of its week: due once, told once, whatever fails; with the week's own figures."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.adapters.ledger_table import table
from tests.desks import desk as desk_of
from tests.fakes import Crash, Fuse
from tests.handlers.report_desk import MONDAY, UNTIL, Desk
from trainops.domain.job_phases import Phases
from trainops.domain.self_checks import SubscriptionLook
from trainops.errors import PoisonMessage
from trainops.telemetry import Field
from trainops.workflows.report_notification import ReportNotification


@pytest.fixture
def desk() -> Iterator[Desk]:
    with table() as dynamodb:
        yield Desk(dynamodb)


VISION: dict[str, Any] = {"tags": {"team": "vision"}}


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


@pytest.mark.parametrize(
    ("ended", "told"), [(UNTIL - timedelta(days=7), 1), (UNTIL - timedelta(seconds=1), 1), (UNTIL, 0)]
)
def test_a_job_and_its_pool_belong_to_one_week_only(desk: Desk, ended: datetime, told: int) -> None:
    desk.ended("v-1", ended, keep_alive=timedelta(hours=1), match_fingerprint="abc", **VISION)
    desk.tick()
    assert sum(report["jobs"].get("Completed", 0) for report in (event.detail for event in desk.bus.published)) == told


def test_what_spot_cost_more_than_on_demand_and_what_pools_cost_is_said(desk: Desk) -> None:
    desk.ended("v-1", spot=True, billable_time=timedelta(hours=2), **VISION)
    for number in range(3):
        desk.ended(f"p-{number}", keep_alive=timedelta(hours=1), match_fingerprint="abc", **VISION)
    desk.tick()
    [card] = desk.cards()
    facts = dict(card.facts)
    assert facts["Worse than on-demand"] == "spot on ml.g5.xlarge"
    assert facts["Managed spot"] == "0 %, $0.00, 1 job"
    assert "Work lost on spot" not in facts, "it completed"
    assert facts["Warm pools"] == "3 ended, 0 of them by reuse"
    [table_of_pools] = [item for item in card.tables if item.title == "Warm pools"]
    assert [(row.label, row.value) for row in table_of_pools.rows] == [("Idle", "$5.40")]
    assert card.lines == (
        "Suggestion: no job took any of 3 warm pools of 1 \N{MULTIPLICATION SIGN} ml.g5.xlarge, such as that of p-0. "
        "Leave KeepAlivePeriodInSeconds out of jobs that nothing follows. Worth about $5.40 a week.",
    )


def test_what_spot_saved_on_lost_work_is_counted_and_said_to_be_lost(desk: Desk) -> None:
    spot: dict[str, Any] = {"spot": True, "billable_time": timedelta(minutes=12), **VISION}
    desk.ended("v-1", output_uri="s3://b/model.tar.gz", **spot)
    desk.ended("v-2", status="Failed", failure_reason="CUDA out of memory", instance_count=2, **spot)
    desk.tick()
    [card] = desk.cards()
    facts = dict(card.facts)
    assert facts["Managed spot"] == "80 %, $8.64, 2 jobs", "what was paid, whatever it was worth"
    assert facts["Work lost on spot"] == "2 h of instance time, in the figures of managed spot too"


@pytest.mark.case("NO-18")
@pytest.mark.parametrize(
    ("looked", "missing", "said"),
    [(1, 1, True), (2, 2, True), (3, 1, False), (0, 0, False)],
)
def test_a_subscription_that_nobody_confirmed_or_that_is_gone_has_a_line(
    desk: Desk, looked: int, missing: int, said: bool
) -> None:
    desk.ended("v-1", **VISION)
    desk.looks.put_look(SubscriptionLook(MONDAY - timedelta(days=looked), {"cards": missing} if missing else {}))
    desk.tick()
    [card] = desk.cards()
    line = f"Subscriptions missing: {missing} of topic cards."
    assert [text.startswith(line) for text in card.lines] == ([True] if said else [])


def test_what_has_no_price_is_said_and_a_job_that_never_started_cost_nothing(desk: Desk) -> None:
    failed: dict[str, Any] = {"status": "Failed", "failure_reason": "CapacityError: no", "billable_time": None}
    desk.ended("v-1", started=None, **{**VISION, **failed, "training_time": None})
    desk.ended("v-2", **VISION, **failed)
    desk.tick()
    [card] = desk.cards()
    assert card.summary.endswith("2 failed. Jobs cost $0.00 (1 job of unknown cost).")


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
    notify = ReportNotification(desk.reports, desk_of(("WeeklyReport",), desk.channel), UTC)
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
