"""Refused jobs as the local AWS's trail tells of them: which quota, what it takes, told once to each owner."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fakes import Crash, Fuse
from tests.handlers.quota_world import SPOT, TRAINING, RefusalWorld, one
from tests.local.simulator.bench import pool_request
from tests.quota_fakes import Deployer, FakeLiveJobs
from trainops.domain.quota_digests import untold
from trainops.domain.quota_events import changes_event
from trainops.errors import PoisonMessage, TryLater
from trainops.outcomes import Outcome
from trainops.telemetry import Field, Metric
from trainops.workflows.quota_refusal import QuotaRefusal


@pytest.mark.case("QU-17")
def test_a_refusal_at_nought_names_the_quota_what_it_takes_and_where_to_ask() -> None:
    world = RefusalWorld(limit=0)
    outcome = world.handle(world.refused())
    assert f"“{TRAINING}” is 0, needs 1. Nobody has asked for more: it takes 1" in outcome.reason
    card = world.card()
    assert card["title"] == "new-1 was not started: quota too low"
    assert card["summary"] == f"The quota “{TRAINING}” is 0, and this job needs 1."
    assert ["Owner", "ann (tag owner)"] in card["facts"]
    assert card["links"][0][1].startswith("https://eu-central-1.console.aws.amazon.com/servicequotas/")


@pytest.mark.case("SP-13", "QU-17")
def test_a_spot_refusal_names_the_spot_quota_and_not_the_other() -> None:
    world = RefusalWorld()
    stopping = {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200}
    world.handle(world.refused(EnableManagedSpotTraining=True, StoppingCondition=stopping))
    assert world.bus.published[-1].detail["quota"]["name"] == SPOT


@pytest.mark.case("QU-19")
def test_stopping_jobs_hold_their_instances_and_that_is_said_instead_of_asking_for_more() -> None:
    world = RefusalWorld(limit=8)
    world.start(*(f"running-{n}" for n in range(5)), *(f"stopped-{n}" for n in range(3)))
    for number in range(3):
        world.bench.call("StopTrainingJob", TrainingJobName=f"stopped-{number}")
    outcome = world.handle(world.refused())
    detail = world.bus.published[-1].detail
    assert (detail["used"], detail["stopping"], detail["needed"]) == (8, 3, 9)
    assert "3 of them belong to jobs that are stopping" in outcome.reason
    assert "More quota need not be asked for" in world.card()["lines"][0]


@pytest.mark.case("QU-19")
def test_without_enough_stopping_jobs_more_quota_is_needed() -> None:
    world = RefusalWorld(limit=8)
    world.start(*(f"running-{n}" for n in range(8)))
    outcome = world.handle(world.refused())
    assert "needs 9" in outcome.reason
    assert "it takes 9" in outcome.reason


def test_idle_pools_count_as_used_and_are_told() -> None:
    world = RefusalWorld(limit=2)
    for number in range(2):
        pooled = pool_request(f"pooled-{number}", keep_alive=21600)
        pooled["ResourceConfig"] |= {"InstanceCount": 1, "VolumeSizeInGB": 50 + number}
        world.bench.call("CreateTrainingJob", **pooled)
    world.bench.pass_time(7200)
    other = {**one(), "VolumeSizeInGB": 99}
    world.handle(world.refused(ResourceConfig=other))
    assert ["Idle in warm pools", "2 instances"] in world.card()["facts"]


def test_an_open_request_is_named_with_its_date() -> None:
    world = RefusalWorld(limit=0)
    Deployer(world.desk, world.ledger).deploy({"ml.g5.xlarge": {"training": 8}})
    [request] = world.desk.requests
    outcome = world.handle(world.refused())
    assert f"An increase to 8 was asked for on 2026-03-01 ({request.id})" in outcome.reason


def test_a_job_beyond_what_the_settings_want_is_told_so() -> None:
    world = RefusalWorld(limit=4)
    Deployer(world.desk, world.ledger).deploy({"ml.g5.xlarge": {"training": 4}})
    outcome = world.handle(world.refused(ResourceConfig=one(6)))
    assert "The settings want 4 of it, which this job exceeds: it takes 6" in outcome.reason


def test_an_owner_is_told_once_an_hour_of_a_quota_and_another_owner_too() -> None:
    world = RefusalWorld(limit=0)
    for name in ("first", "second", "third"):
        world.handle(world.refused(name))
    assert world.bus.said == [world.bus.said[0]]
    world.handle(world.refused("other", owner="bea"))
    assert len(world.bus.published) == 2
    world.bench.pass_time(3600)
    world.handle(world.refused("later"))
    assert len(world.bus.published) == 3


def test_without_an_owner_tag_whoever_called_is_told() -> None:
    world = RefusalWorld(limit=0)
    world.handle(world.refused(owner=None))
    assert world.bus.published[-1].detail["owner"] == {"name": "bea", "source": "session name of the caller"}


@pytest.mark.parametrize("before", [True, False])
def test_a_refusal_is_told_although_the_process_died_around_its_publication(*, before: bool) -> None:
    world = RefusalWorld(limit=0)
    event = world.refused()
    world.bus.fuse = Fuse(before=1) if before else Fuse(after=1)
    with pytest.raises(Crash):
        world.handle(event)
    world.bus.fuse = Fuse()
    assert world.handle(event).counts == {Metric.ANNOUNCED: 1}
    assert world.handle(event).counts == {}


def test_a_text_that_names_no_quota_is_counted_and_told_to_nobody() -> None:
    world = RefusalWorld(limit=0)
    event = world.refused()
    event["detail"]["errorMessage"] = "You have exceeded something"
    assert world.handle(event) == Outcome("the refusal names no quota that is known by its text", {Field.IGNORED: 1})
    assert world.bus.published == []


@pytest.mark.parametrize("detail", [{}, {"eventName": "StopTrainingJob"}, {"eventName": "CreateTrainingJob"}])
def test_what_is_no_record_of_a_refused_job_is_parked(detail: dict[str, Any]) -> None:
    world = RefusalWorld()
    text = {"errorMessage": str(_refusal(world))} if detail.get("eventName") == "CreateTrainingJob" else {}
    with pytest.raises(PoisonMessage):
        world.handle({"detail": {**detail, **text}})


def _refusal(world: RefusalWorld) -> str:
    return str(world.refused(ResourceConfig=one(9))["detail"]["errorMessage"])


def test_while_the_jobs_cannot_be_counted_the_message_waits() -> None:
    world = RefusalWorld(limit=0)
    waiting = QuotaRefusal(world.ledger, FakeLiveJobs(fault=TryLater("Search: ThrottlingException")), world.bus)
    with pytest.raises(TryLater):
        waiting(world.refused())


LIMITS: dict[str, dict[str, Any]] = {
    "Number of instances across all training jobs": {"ResourceConfig": one(9)},
    "Maximum number of instances per training job": {"ResourceConfig": one(21)},
    "Longest run time for a training job": {"StoppingCondition": {"MaxRuntimeInSeconds": 432_001}},
    "Size of EBS volume for a training job instance": {"ResourceConfig": {**one(), "VolumeSizeInGB": 1025}},
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_of_the_whole_account_is_named_although_the_types_own_quota_would_do(name: str) -> None:
    world = RefusalWorld(limit=100)
    if name == "Number of instances across all training jobs":
        world.desk.grant(name, 8)
    world.handle(world.refused(**LIMITS[name]))
    detail = world.bus.published[-1].detail
    needs = {"across": 9, "per": 21, "run": 432_001, "volume": 1025}
    assert detail["quota"]["name"] == name
    assert detail["needed"] == next(value for word, value in needs.items() if word in name.split())


@pytest.mark.parametrize(
    "quota", ["Number of instances across all processing jobs", "ml.t3.medium for processing job usage"]
)
def test_a_job_whose_debugger_rules_find_no_processing_instances_is_told_of_that_quota(quota: str) -> None:
    """Rules run as processing jobs, and SageMaker refuses the training job for them (reported by users)."""
    world = RefusalWorld(limit=0)
    event = world.refused()
    numbers = "is 4 Instances, with current utilization of 0 Instances and a request delta of 11 Instances."
    event["detail"]["errorMessage"] = f"The account-level service limit '{quota}' {numbers}"
    world.handle(event)
    detail = world.bus.published[-1].detail
    assert (detail["quota"]["name"], detail["value"], detail["needed"]) == (quota, 4, 11)
    assert ["In use", "0 (as SageMaker says)"] in world.card()["facts"]


def test_a_change_of_a_request_becomes_a_card_and_a_forged_event_none() -> None:
    world = RefusalWorld(limit=0)
    Deployer(world.desk, world.ledger).deploy({"ml.g5.xlarge": {"training": 8}})
    [changes] = untold(world.ledger.quotas())
    world.bus.publish([changes_event(changes, datetime(2026, 3, 1, 12, tzinfo=UTC))])
    card = world.card()
    assert card["title"] == f"Quota {TRAINING}: 8 was asked for"
    assert ["Asked for by", "trainops-operations"] in card["facts"]
    forged = {"detail-type": "Quota Changed", "detail": {"announcement": "DENIED/8/x", "quota": {"name": TRAINING}}}
    assert world.notify(forged).counts == {Field.IGNORED: 1}
