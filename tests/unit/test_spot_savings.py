"""Cost and spot savings: the documented formula, and unknown where a part is missing."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import job, price
from trainops.domain.spot_savings import estimated_cost, estimated_savings, overrun, savings_percent
from trainops.domain.training_jobs import TrainingJob


def spot(training: int | None, billable: int | None, count: int | None = 1) -> TrainingJob:
    """A spot job with these seconds."""
    return job(
        spot=True,
        training_time=None if training is None else timedelta(seconds=training),
        billable_time=None if billable is None else timedelta(seconds=billable),
        instance_count=count,
    )


def test_savings_follow_the_documented_formula() -> None:
    assert savings_percent(spot(500, 100)) == Decimal("80.0")


@pytest.mark.case("SP-01")
@pytest.mark.parametrize("training", [None, 0])
def test_savings_without_training_time_are_unknown(training: int | None) -> None:
    assert savings_percent(spot(training, 60)) is None
    assert estimated_savings(spot(training, 60), price()) is None
    assert overrun(spot(training, 60)) == timedelta(0)


@pytest.mark.case("SP-04")
def test_billed_for_longer_than_trained_is_no_negative_saving_but_an_overrun() -> None:
    job_with_overrun = spot(100, 130)
    assert savings_percent(job_with_overrun) == 0
    assert estimated_savings(job_with_overrun, price()) == 0
    assert overrun(job_with_overrun) == timedelta(seconds=30)


@pytest.mark.parametrize("is_spot", [False, None])
def test_a_job_that_is_not_known_to_be_spot_has_no_savings(is_spot: bool | None) -> None:
    assert savings_percent(job(spot=is_spot, billable_time=timedelta(minutes=1))) is None


def test_cost_counts_every_instance() -> None:
    assert estimated_cost(spot(7200, 3600, count=2), price("1.408")) == Decimal("2.8160")
    assert estimated_savings(spot(7200, 3600, count=2), price("1.408")) == Decimal("2.8160")


@pytest.mark.case("SP-16")
def test_a_type_without_a_price_costs_an_unknown_amount_and_not_zero() -> None:
    unpriced = job(instance_type="ml.newfamily.xlarge")
    assert estimated_cost(unpriced, None) is None


def test_cost_is_unknown_while_any_part_is() -> None:
    assert estimated_cost(spot(100, None), price()) is None
    assert estimated_cost(spot(100, 100, count=None), price()) is None


@given(st.integers(1, 10**7), st.integers(1, 10**7))
def test_savings_are_always_a_percentage(training: int, billable: int) -> None:
    percent = savings_percent(spot(training, billable))
    assert percent is not None
    assert 0 <= percent <= 100
