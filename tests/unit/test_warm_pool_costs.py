"""What a pool that stays after its job costs, and until when."""

from datetime import UTC, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import at, job, price
from trainops.domain.job_records import Price
from trainops.domain.training_jobs import TrainingJob, WarmPool
from trainops.domain.warm_pool_costs import pool_line, release_command, remaining_pool

HALF_AN_HOUR = timedelta(minutes=30)
TIMES = "\N{MULTIPLICATION SIGN}"


def line(a_job: TrainingJob, minute: float = 30, rate: Price | None = price()) -> str | None:  # noqa: B008 frozen
    """The sentence so many minutes after creation; the job ends at minute 30."""
    return pool_line(a_job, rate, at(minute), UTC)


def pooled(status: str = "Completed", pool: str | None = "Available", **fields: Any) -> TrainingJob:
    """A job with a pool of half an hour; `status` is the job's, `pool` the pool's."""
    known: dict[str, Any] = {"keep_alive": HALF_AN_HOUR, "warm_pool": WarmPool(pool) if pool else None}
    return job(status=status, **{**known, **fields})


def test_a_confirmed_pool_is_said_with_its_end_and_its_most() -> None:
    assert line(pooled("Completed")) == (
        f"Warm pool: 1 {TIMES} ml.g5.xlarge stays warm until 10:00 UTC, costs up to $0.70."
    )


@pytest.mark.case("WP-03")
@pytest.mark.parametrize("status", ["Failed", "Stopped"])
def test_a_pool_is_still_billed_after_a_failed_or_stopped_job(status: str) -> None:
    said = line(pooled(status, keep_alive=timedelta(seconds=3600), failure_reason="AlgorithmError: Exit Code: 1"))
    assert said is not None
    assert "until 10:30 UTC, costs up to $1.41" in said


def test_a_pool_that_is_not_confirmed_is_only_expected() -> None:
    said = line(pooled("Completed", None))
    assert said is not None
    assert said.startswith("Warm pool expected")
    assert "not confirmed" in said


@pytest.mark.parametrize("pool", ["Reused", "Terminated"])
def test_a_pool_that_is_over_costs_nothing_more(pool: str) -> None:
    assert line(pooled("Completed", pool)) is None


def test_a_job_without_keep_alive_leaves_no_pool() -> None:
    assert line(job()) is None
    assert line(job(keep_alive=timedelta(0))) is None
    assert line(pooled("InProgress", None, ended=None)) is None


def test_the_remaining_cost_counts_from_now_and_every_instance() -> None:
    pool = remaining_pool(pooled("Completed", instance_count=2), price("1.408"), at(45))
    assert pool is not None
    assert pool.cost == Decimal("0.7040")


def test_an_unknown_price_or_end_is_said_as_unknown() -> None:
    assert str(line(pooled("Completed"), rate=None)).endswith("cost unknown (no price for ml.g5.xlarge).")
    assert "until when is unknown" in str(line(pooled("Completed", keep_alive=None)))
    assert "was due to end" in str(line(pooled("Completed"), minute=61))
    assert "a cluster of unknown size" in str(line(pooled("Completed", instance_type=None, instance_count=None)))


def test_the_command_that_releases_a_pool_names_the_job_and_its_region() -> None:
    assert release_command(job("resnet-7").key.arn, "resnet-7") == (
        "aws sagemaker update-training-job --region us-east-1 --training-job-name resnet-7 "
        "--resource-config KeepAlivePeriodInSeconds=0"
    )
