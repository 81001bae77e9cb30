"""What a job's card says of what managed spot saved."""

from datetime import timedelta
from typing import Any

import pytest

from tests.unit.told import facts, finished


@pytest.mark.case("SP-01")
@pytest.mark.parametrize("training", [None, timedelta(0)])
def test_savings_without_training_time_are_told_as_unknown(training: timedelta | None) -> None:
    said = finished(spot=True, billable_time=timedelta(seconds=60), training_time=training)
    assert facts(said)["Spot savings"] == "unknown (no training or billable time)"


@pytest.mark.case("SP-04")
def test_a_spot_job_billed_beyond_its_training_time_says_the_overrun() -> None:
    said = finished(spot=True, training_time=timedelta(seconds=100), billable_time=timedelta(seconds=130))
    assert facts(said)["Spot savings"] == "0 % (billed 30 s more than it trained)"


def test_savings_are_told_in_percent_and_money() -> None:
    said = finished(spot=True, training_time=timedelta(hours=5), billable_time=timedelta(hours=1), instance_count=2)
    assert facts(said)["Spot savings"] == "80 %, about $11.26"


@pytest.mark.parametrize(
    ("billed", "how"),
    [(60, "80 % of it was not billed"), (0, "100 % of it was not billed"), (300, "all of it was billed")],
)
def test_lost_work_saved_nothing_whatever_was_not_billed_of_it(billed: int, how: str) -> None:
    spot: dict[str, Any] = {"training_time": timedelta(minutes=300), "billable_time": timedelta(minutes=billed)}
    for status in ("Failed", "Stopped"):
        said = finished(status, spot=True, **spot)
        assert facts(said)["Spot savings"] == f"none: nothing of the work is left ({how})"
        for kept in ({"checkpoint_uri": "s3://b/c/"}, {"output_uri": "s3://b/model.tar.gz"}):
            assert "none" not in facts(finished(status, spot=True, **spot, **kept))["Spot savings"]
    assert "none" not in facts(finished(spot=True, **spot))["Spot savings"], "it completed"
    missing = finished("Failed", spot=True, training_time=None, billable_time=timedelta(minutes=billed))
    assert facts(missing)["Spot savings"].startswith("unknown")
