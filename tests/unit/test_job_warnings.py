"""What an owner is told at a job's start because no policy can refuse it."""

from datetime import timedelta
from typing import Any

import pytest

from tests.builders import at, description, event, job, record
from tests.unit.told import card, everything
from trainops.domain.cards import Tone
from trainops.domain.job_warnings import warnings_of
from trainops.domain.state_changes import parse_state_change
from trainops.domain.training_jobs import from_description

HOUR = timedelta(hours=1)


def words(**fields: Any) -> list[str]:
    return [warning.words for warning in warnings_of(job(status="InProgress", **fields))]


@pytest.mark.case("SP-08")
@pytest.mark.parametrize(
    ("fields", "warned"),
    [
        ({"spot": True, "max_runtime": HOUR + timedelta(seconds=1)}, True),
        ({"spot": True, "max_runtime": HOUR}, False),
        ({"spot": True, "max_runtime": None}, False),
        ({"spot": False, "max_runtime": 48 * HOUR}, False),
        ({"spot": True, "max_runtime": 48 * HOUR, "checkpoint_uri": "s3://b/c/"}, False),
        ({"spot": True, "max_runtime": 48 * HOUR, "described": False}, False),
    ],
)
def test_spot_without_checkpoints_is_warned_of_above_an_hour_and_only_when_it_is_known(
    fields: dict[str, Any], warned: bool
) -> None:
    assert words(**fields) == (["on spot without checkpoints"] if warned else [])


@pytest.mark.case("WP-07")
def test_a_pool_beside_spot_is_said_to_be_none() -> None:
    [warning] = warnings_of(job(spot=True, checkpoint_uri="s3://b/c/", keep_alive=timedelta(minutes=30)))
    assert warning.reason == "It asks for a warm pool of 30 min, and SageMaker keeps none for managed spot."
    assert words(spot=True, checkpoint_uri="s3://b/c/", keep_alive=timedelta(0)) == []
    assert words(spot=False, keep_alive=timedelta(minutes=30)) == []


@pytest.mark.case("WP-07")
def test_a_pool_beside_instance_groups_is_said_to_be_none_whoever_tells_of_the_job() -> None:
    groups = [{"InstanceGroupName": "a", "InstanceType": "ml.g5.xlarge", "InstanceCount": 1}]
    resources = {"InstanceGroups": groups, "VolumeSizeInGB": 30, "KeepAlivePeriodInSeconds": 1800}
    described = from_description(description(status="InProgress", ResourceConfig=resources), {})
    told = parse_state_change(event(status="InProgress", secondary="Starting", ResourceConfig=resources)).job
    for one in (described, told):
        assert [warning.words for warning in warnings_of(one)] == ["on instance groups, which exclude its warm pool"]


@pytest.mark.case("SP-08", "WP-07")
def test_the_card_of_a_started_job_carries_every_warning_the_costliest_in_its_title() -> None:
    said = card(record(job(status="InProgress", spot=True, keep_alive=HOUR)), "Started", at(0))
    assert (said.title, said.tone) == ("resnet-1 started on spot without checkpoints", Tone.WARNING)
    assert "up to 1 d of work starts from zero" in said.summary
    assert "SageMaker keeps none for managed spot" in everything(said)
    assert sum(line.startswith("Next: ") for line in said.lines) == 2
