"""What is published of each kind of job that has ended."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import at, job, price, record
from trainops.domain.job_figures import figures_of, start_of
from trainops.domain.job_phases import Phases
from trainops.domain.job_records import Price
from trainops.domain.spot_savings import price_for
from trainops.domain.training_jobs import TrainingJob
from trainops.outcomes import Figures
from trainops.telemetry import Field, TeamMetric


def figures(a_job: TrainingJob, *, warm: bool | None = False, usd: str | None = "3.60") -> Figures:
    """At $3.60 an hour, a second of one instance is a tenth of a cent."""
    return figures_of(record(a_job, price=price(usd) if usd else None), start_of(a_job, warm=warm))


def spot(training: int | None, billable: int | None, **fields: Any) -> TrainingJob:
    times = {name: value if value is None else timedelta(seconds=value) for name, value in
             (("training_time", training), ("billable_time", billable))}  # fmt: skip
    return job(**{"spot": True, **times, **fields})


def test_100_of_500_seconds_billed_save_80_percent() -> None:
    found = figures(spot(500, 100))
    assert found[TeamMetric.JOBS_COMPLETED] == 1
    assert (found[TeamMetric.SPOT_TRAINING], found[TeamMetric.SPOT_BILLABLE]) == (500, 100)
    assert (found[TeamMetric.SPOT_ON_DEMAND_USD], found[TeamMetric.SPOT_BILLED_USD]) == (Decimal("0.5"), Decimal("0.1"))
    assert (found[Field.SAVINGS_PERCENT], found[Field.SAVED_USD]) == (80, Decimal("0.4"))
    assert Field.UNKNOWN not in found


def test_every_instance_counts() -> None:
    found = figures(spot(500, 100, instance_count=8))
    assert (found[TeamMetric.SPOT_TRAINING], found[TeamMetric.SPOT_BILLED_USD]) == (4000, Decimal("0.8"))


def test_an_on_demand_job_is_counted_and_in_no_sum_of_spot() -> None:
    found = figures(job(status="Failed", failure_reason="AlgorithmError: x"))
    assert found[TeamMetric.JOBS_FAILED] == 1
    assert not [name for name in found if str(name).startswith("Spot")]
    assert Field.UNKNOWN not in found


@pytest.mark.case("SP-01")
@pytest.mark.parametrize("training", [None, 0])
def test_billable_without_training_time_is_unknown_and_in_no_sum(training: int | None) -> None:
    found = figures(spot(training, 60))
    assert found[Field.UNKNOWN] == "training time"
    assert found[TeamMetric.JOBS_COMPLETED] == 1
    assert TeamMetric.SPOT_BILLABLE not in found
    assert Field.SAVINGS_PERCENT not in found


@pytest.mark.case("SP-02")
def test_a_job_that_never_started_misses_nothing() -> None:
    found = figures(spot(None, None, status="Stopped", secondary_status="MaxWaitTimeExceeded", started=None))
    assert found[TeamMetric.JOBS_STOPPED] == 1
    assert Field.UNKNOWN not in found
    assert not {TeamMetric.SPOT_TRAINING, TeamMetric.COLD_START} & set(found)


@pytest.mark.case("SP-04")
def test_an_overrun_is_its_own_number_and_stays_in_the_sums() -> None:
    found = figures(spot(100, 130))
    assert (found[Field.SAVINGS_PERCENT], found[Field.OVERRUN_SECONDS]) == (0, 30)
    assert (found[TeamMetric.SPOT_TRAINING], found[TeamMetric.SPOT_BILLABLE]) == (100, 130)
    assert (found[Field.TRAINING_SECONDS], found[Field.BILLABLE_SECONDS]) == (100, 130)


@pytest.mark.case("SP-07")
def test_billed_work_that_nothing_was_saved_of_is_wasted_and_no_saving() -> None:
    lost = {"status": "Stopped", "secondary_status": "MaxWaitTimeExceeded", "interruptions": (at(5), at(10))}
    found = figures(spot(500, 100, **lost))
    assert (found[Field.INTERRUPTIONS], found[Field.WASTED_SECONDS]) == (2, 100)
    saved = figures(spot(500, 100, **lost, checkpoint_uri="s3://b/team/exp-1/"))
    assert Field.WASTED_SECONDS not in saved


@pytest.mark.case("SP-12")
def test_missing_capacity_is_told_from_faults_in_the_code() -> None:
    reason = "CapacityError: Unable to provision requested ML compute capacity. Please retry."
    assert figures(job(status="Failed", failure_reason=reason))[Field.FAILURE_CLASS] == "no_capacity"


@pytest.mark.case("SP-16")
def test_without_a_price_the_money_is_unknown_and_no_sum_is_half() -> None:
    found = figures(spot(500, 100, instance_type="ml.newfamily.xlarge"), usd=None)
    assert found[Field.UNKNOWN] == "price of ml.newfamily.xlarge"
    assert not [name for name in found if str(name).endswith(("Usd", "usd"))]


def test_hours_without_a_price_are_still_published() -> None:
    found = figures(spot(500, 100), usd=None)
    assert (found[TeamMetric.SPOT_TRAINING], found[TeamMetric.SPOT_BILLABLE]) == (500, 100)
    assert found[Field.SAVINGS_PERCENT] == 80


def test_a_job_known_from_its_event_alone_is_counted_as_unknown() -> None:
    found = figures(job(described=False, spot=None, training_time=None, billable_time=None), warm=None)
    assert found[TeamMetric.JOBS_COMPLETED] == 1
    assert str(found[Field.UNKNOWN]).startswith("the API's answer")


def test_instance_groups_cost_the_sum_of_their_types() -> None:
    mixed = spot(3600, 1800, instance_type=None, instance_count=None, groups={"ml.a": 1, "ml.b": 3})
    dollars = {"ml.a": Price(Decimal(10), "list"), "ml.b": Price(Decimal(2), "list")}
    whole = record(mixed, price=price_for(mixed, dollars.get))  # type: ignore[arg-type]
    found = figures_of(whole, None)
    assert found[TeamMetric.SPOT_ON_DEMAND_USD] == 10 + 3 * 2
    assert found[TeamMetric.SPOT_BILLED_USD] == Decimal(10 + 3 * 2) / 2
    assert (found[TeamMetric.SPOT_TRAINING], found[Field.INSTANCE_TYPE]) == (4 * 3600, "ml.a+ml.b")
    assert price_for(mixed, {"ml.a": dollars["ml.a"]}.get) is None, "one unknown price makes the sum unknown"  # type: ignore[arg-type]


def test_a_tuning_jobs_child_is_counted_like_any_other_job() -> None:
    child = figures(spot(500, 100, tuning_job="arn:aws:sagemaker:us-east-1:111122223333:hyper-parameter-tuning-job/t"))
    assert child == figures(spot(500, 100))
    assert child[TeamMetric.SPOT_BILLABLE] == 100


def test_a_serverless_job_has_no_instances_to_price() -> None:
    found = figures(job(instance_type=None, instance_count=None), usd=None)
    assert found[Field.UNKNOWN] == "number of instances"


@pytest.mark.parametrize(
    ("warm", "metric"), [(False, TeamMetric.COLD_START), (True, TeamMetric.WARM_START), (None, None)]
)
def test_a_start_is_cold_or_warm_or_not_known(warm: bool | None, metric: TeamMetric | None) -> None:
    found = figures(job(phases=Phases(training_began=at(2.25)), input_mode="FastFile"), warm=warm)
    assert found.get(Field.START_SECONDS) == (135 if metric else None)
    assert found[Field.INPUT_MODE] == "FastFile"
    starts = {TeamMetric.COLD_START, TeamMetric.WARM_START} & set(found)
    assert starts == ({metric} if metric else set())
