"""What an owner is told at a job's start because no policy can refuse it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import at, description, event, job, record
from tests.unit.told import card, everything
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.cards import Tone
from trainops.domain.job_warnings import warnings_of
from trainops.domain.past_runs import UsualRuntime
from trainops.domain.state_changes import parse_state_change
from trainops.domain.training_jobs import from_description
from trainops.workflows.job_notification import spoken_status

HOUR = timedelta(hours=1)
USUAL = UsualRuntime(series="resnet", trained=4 * HOUR, runs=5)


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


@pytest.mark.parametrize(
    ("limit", "warned"), [(HOUR, True), (3 * HOUR - timedelta(seconds=1), True), (3 * HOUR, False), (None, False)]
)
def test_a_runtime_limit_far_under_what_earlier_runs_took_is_warned_of(
    limit: timedelta | None, *, warned: bool
) -> None:
    found = warnings_of(job(status="InProgress", max_runtime=limit), USUAL)
    assert [warning.words for warning in found] == (["with a runtime limit far under the usual"] if warned else [])
    if limit == HOUR:
        assert found[0].reason == (
            "The last 5 completed runs of “resnet” on these machines trained 4 h at the median; SageMaker stops "
            "this one after 1 h."
        )


@pytest.mark.parametrize(("wait", "warned"), [(59, True), (60, False), (None, False)])
def test_a_wait_limit_below_the_runtime_limit_is_warned_of_on_spot(wait: int | None, *, warned: bool) -> None:
    limits = {"max_wait": None if wait is None else timedelta(minutes=wait), "max_runtime": HOUR}
    expected = ["with a wait limit below its runtime limit"] if warned else []
    assert words(spot=True, checkpoint_uri="s3://b/c/", **limits) == expected
    assert words(spot=False, **limits) == []


@pytest.mark.case("WP-01")
@pytest.mark.parametrize(("quota", "warned"), [(0, True), (1, True), (2, False), (None, False)])
def test_a_pool_beyond_its_quota_is_warned_of_at_the_start_by_the_quotas_name(
    quota: int | None, *, warned: bool
) -> None:
    started = job(status="InProgress", keep_alive=timedelta(minutes=10), instance_count=2)
    found = warnings_of(started, None, quota)
    assert [warning.words for warning in found] == (["without the quota for its warm pool"] if warned else [])
    if quota == 0:
        assert "“ml.g5.xlarge for training warm pool usage” is 0" in found[0].reason
        assert "needs 2" in found[0].reason
        assert "ask for 2" in found[0].step


def test_a_start_with_a_warning_is_a_word_of_its_own_so_that_it_can_be_told_without_all_the_others() -> None:
    start = Announcement(AnnouncementType.STARTED, AnnouncementState.PUBLISHED, at(0), "built")
    running = record(job(status="InProgress", max_runtime=HOUR))
    assert spoken_status(running, start) == "Started"
    assert spoken_status(replace(running, usual=USUAL), start) == "StartWarning"
    assert "far under the usual" in card(replace(running, usual=USUAL), "Started", at(0)).title
