"""Savings of many jobs: ratios of sums, never a mean of percentages."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import job, price, record
from trainops.domain.fleet_savings import by_instance_type, fleet_savings
from trainops.domain.job_records import JobRecord
from trainops.workflows.metrics_recount import week_of_spot

HOURS = 3600


def spot(training: int | None, billable: int | None, count: int = 1, usd: str | None = "1", **fields: Any) -> JobRecord:
    times = {
        "training_time": None if training is None else timedelta(seconds=training),
        "billable_time": None if billable is None else timedelta(seconds=billable),
    }
    known: dict[str, Any] = {"spot": True, "instance_count": count, **times, **fields}
    return record(job(**known), price=price(usd) if usd else None)


@pytest.mark.case("SP-05")
def test_one_giant_job_outweighs_a_tiny_one() -> None:
    tiny, giant = spot(10, 1), spot(100 * HOURS, 90 * HOURS, 8)
    sums = fleet_savings([tiny, giant])
    assert sums.percent_by_time == Decimal("10.0")
    assert sums.percent_by_money == Decimal("10.0")
    assert sums.on_demand_usd - sums.billed_usd == Decimal("80.0025"), "the sum of what each saved"


def test_money_weighs_dear_instances_more_than_time_does() -> None:
    sums = fleet_savings([spot(HOURS, HOURS, usd="1"), spot(HOURS, 0, usd="9")])
    assert (sums.percent_by_time, sums.percent_by_money) == (Decimal("50.0"), Decimal("90.0"))


@pytest.mark.case("SP-04")
def test_a_fleet_billed_for_longer_than_it_trained_saves_nothing_and_says_by_how_much() -> None:
    sums = fleet_savings([spot(100, 130)])
    assert sums.percent_by_time == sums.percent_by_money == 0
    assert sums.overrun_seconds == 30
    assert (sums.training_seconds, sums.billable_seconds) == (Decimal(100), Decimal(130))


@pytest.mark.case("SP-01")
def test_an_incomplete_job_is_counted_and_in_no_sum() -> None:
    sums = fleet_savings([spot(500, 100), spot(None, 60), spot(0, 60)])
    assert (sums.percent_by_time, sums.jobs, sums.incomplete) == (Decimal("80.0"), 1, 2)


@pytest.mark.case("SP-16")
def test_a_job_without_a_price_keeps_its_hours_and_is_counted() -> None:
    sums = fleet_savings([spot(500, 100, usd=None)])
    assert (sums.percent_by_time, sums.percent_by_money, sums.unpriced) == (Decimal("80.0"), None, 1)


def test_on_demand_jobs_do_not_dilute_it() -> None:
    assert fleet_savings([spot(500, 100), record(job(), price=price())]).percent_by_time == Decimal("80.0")


def test_spot_is_worse_where_more_was_billed_than_came_of_it() -> None:
    lost: dict[str, Any] = {"status": "Stopped", "secondary_status": "MaxWaitTimeExceeded"}
    good, bad = spot(500, 100), spot(500, 100, instance_type="ml.p4d.24xlarge", **lost)
    worse = {kind: sums.worse_than_on_demand for kind, sums in by_instance_type([good, bad]).items()}
    assert worse == {"ml.g5.xlarge": False, "ml.p4d.24xlarge": True}


def test_a_week_is_told_in_words() -> None:
    told = week_of_spot(fleet_savings([spot(2 * HOURS, HOURS), spot(None, 1)]), ["ml.p4d.24xlarge"])
    assert told == (
        "spot saved 50 % of the time of 1 job, $1.00 (50 %), 1 job with unknown figures, "
        "spot was worse than on-demand for ml.p4d.24xlarge"
    )
    assert week_of_spot(fleet_savings([]), []) == "no spot job ended"


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(0, 10**6), st.integers(1, 64)), min_size=1, max_size=20))
def test_a_fleets_percentage_lies_between_those_of_its_jobs(jobs: list[tuple[int, int, int]]) -> None:
    percent = fleet_savings([spot(*times) for times in jobs]).percent_by_time
    assert percent is not None
    each = [max(100 - Decimal(100) * billable / training, Decimal(0)) for training, billable, _ in jobs]
    assert 0 <= percent <= max(each) + Decimal("0.1")
