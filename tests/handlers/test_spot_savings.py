"""A finished job's figures, published once whatever is repeated; and what a recount finds."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.adapters.ledger_table import TABLE, table
from tests.builders import CREATED, arn, at, job, price, record
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.domain.job_phases import Phases
from trainops.domain.job_records import JobRecord
from trainops.domain.training_jobs import JobKey
from trainops.errors import PoisonMessage
from trainops.outcomes import Outcome
from trainops.telemetry import Field, Metric, TeamMetric
from trainops.workflows.metrics_recount import SETTLED, MetricsRecount
from trainops.workflows.spot_savings import SpotSavings

DONE = "Finished/Completed"


@dataclass
class Office:
    """The function's parts on a ledger of its own."""

    dynamodb: Any
    ledger: DynamoLedger = field(init=False)
    counts: DynamoJobCounts = field(init=False)

    def __post_init__(self) -> None:
        own = LedgerTable(self.dynamodb, TABLE)
        self.ledger = DynamoLedger(own)
        self.counts = DynamoJobCounts(own)

    def know(self, name: str, **fields: Any) -> JobRecord:
        """A finished spot job with 500 seconds of training and 100 billed, in the ledger."""
        times = {"training_time": timedelta(seconds=500), "billable_time": timedelta(seconds=100)}
        whole = job(name, **{"spot": True, "match_fingerprint": "abc", **times, **fields})
        known = record(whole, "Started", DONE, price=price("3.60"), team=whole.tags.get("team", "default"), version=0)
        return self.ledger.put_job(known)

    def hear(self, name: str, announcement: str = DONE, created: datetime = CREATED) -> Outcome:
        key = {"arn": arn(name), "created": created.isoformat()}
        event = {"time": at(31).isoformat(), "detail": {"job": key, "announcement": announcement}}
        return SpotSavings(self.ledger, self.counts, ("vision",))(event)

    def recount(self, now: datetime) -> Outcome:
        return MetricsRecount(self.counts)({"time": now.isoformat()}, lambda: True)


@pytest.fixture
def office() -> Any:
    with table() as dynamodb:
        yield Office(dynamodb)


def test_a_repeated_end_counts_nothing_twice(office: Office) -> None:
    office.know("job-1", tags={"team": "vision"})
    first, *more = (office.hear("job-1") for _ in range(3))
    figures = first.figures["vision"]
    assert (figures[TeamMetric.SPOT_TRAINING], figures[TeamMetric.SPOT_BILLABLE]) == (500, 100)
    assert figures[TeamMetric.SPOT_ON_DEMAND_USD] == Decimal("0.5")
    assert figures[TeamMetric.SPOT_BILLED_USD] == Decimal("0.1")
    assert [(again.reason, again.figures, again.counts) for again in more] == [("counted before", {}, {})] * 2


def test_a_name_used_again_is_another_job(office: Office) -> None:
    office.know("job-1")
    later = at(24 * 60)
    office.know("job-1", key=JobKey.of(arn("job-1"), later))
    assert office.hear("job-1").figures
    assert office.hear("job-1", created=later).figures


@pytest.mark.case("MX-02")
def test_a_team_that_nobody_configured_is_counted_with_all_others(office: Office) -> None:
    office.know("job-1", tags={"team": "typo-173"})
    assert set(office.hear("job-1").figures) == {"default"}


@pytest.mark.case("SP-01")
def test_an_incomplete_job_is_counted_as_such_and_nothing_raises(office: Office) -> None:
    office.know("job-1", training_time=None, billable_time=timedelta(seconds=60))
    outcome = office.hear("job-1")
    assert outcome.counts == {Metric.UNKNOWN: 1}
    assert "for want of training time" in outcome.reason
    assert outcome.figures["default"][TeamMetric.JOBS_COMPLETED] == 1


def test_an_end_that_the_ledger_never_announced_is_ignored(office: Office) -> None:
    office.know("job-1")
    for name, announcement in (("forged", DONE), ("job-1", "Finished/Failed"), ("job-1", "Started")):
        assert office.hear(name, announcement).counts == {Field.IGNORED: 1}
    assert office.hear("job-1").figures, "and the real one still counts"
    with pytest.raises(PoisonMessage):
        SpotSavings(office.ledger, office.counts, ())({"detail": {}})


@pytest.mark.parametrize(
    ("known", "start"),
    [
        ({"started_warm": True}, "warm"),
        ({"started_warm": False}, "cold"),
        ({"job": {"described": False}}, None),
    ],
)
def test_a_start_is_warm_or_cold_as_the_ledger_says_and_unknown_when_the_api_never_told(
    office: Office, known: dict[str, Any], start: str | None
) -> None:
    phases = Phases(training_began=at(2))
    written = office.know("job-1", spot=False, phases=phases, **known.get("job", {}))
    office.ledger.put_job(replace(written, started_warm=known.get("started_warm", False)))
    assert office.hear("job-1").figures["default"].get(Field.START) == start


def test_a_recount_names_the_jobs_that_were_never_counted(office: Office) -> None:
    for name in ("counted-1", "lost-1", "lost-2"):
        office.know(name)
    office.hear("counted-1")
    outcome = office.recount(at(30) + SETTLED)
    assert outcome.counts[Metric.RECOUNT_DRIFT] == 2
    assert outcome.reason.startswith("2 of 3 finished jobs are not in the metrics (lost-1, lost-2); spot saved 80 %")


def test_a_recount_leaves_out_what_may_still_be_on_its_way_and_what_is_older_than_a_week(office: Office) -> None:
    office.know("job-1")
    assert office.recount(at(29) + SETTLED).counts[Metric.RECOUNT_DRIFT] == 0
    assert office.recount(at(31) + SETTLED + timedelta(days=7)).counts[Metric.RECOUNT_DRIFT] == 0


def test_jobs_outside_the_scope_and_ends_that_nobody_announced_are_not_counted_again(office: Office) -> None:
    office.ledger.put_job(record(job("outside"), team="-", version=0))
    assert office.recount(at(30) + SETTLED).counts[Metric.RECOUNT_DRIFT] == 0


def test_a_recount_without_a_time_is_refused(office: Office) -> None:
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        MetricsRecount(office.counts)({}, lambda: True)


def test_a_recount_tells_how_long_starts_took_by_input_mode(office: Office) -> None:
    for name, mode, minutes in (("job-1", "File", 2), ("job-2", "File", 4), ("job-3", "FastFile", 1)):
        office.know(name, spot=False, phases=Phases(training_began=at(minutes)), input_mode=mode)
        office.hear(name)
    told = office.recount(at(30) + SETTLED).reason
    assert told.endswith("starts P50/P90: FastFile cold 60/60 s of 1, File cold 180/228 s of 2")
