"""Which run a message means, whose it is, and whether it is looked after."""

from datetime import timedelta

import pytest

from tests.builders import CREATED, arn, at, description, event, job
from tests.handlers.intake_world import STARTED, World
from trainops.domain.reconciliation import look_message
from trainops.domain.training_jobs import JobKey


def test_a_job_name_used_again_after_deletion_is_announced_again() -> None:
    world = World()
    world.knows(description())
    world.intake(event())
    later = CREATED + timedelta(days=1)
    world.knows(description(created=later))
    world.intake(event(created=later, when=later + timedelta(minutes=30)))
    assert world.bus.said == ["resnet-1 Finished/Completed"] * 2
    assert len(world.ledger.items) == 2


def test_an_event_about_the_first_run_is_not_filled_with_facts_of_the_second() -> None:
    world = World()
    world.knows(description(created=CREATED + timedelta(days=1)))
    outcome = world.intake(event(status="Failed", FailureReason="first run"))
    assert "known from the event alone" in outcome.reason
    assert world.item.job.failure_reason == "first run"
    assert world.item.job.billable_time is None


def test_a_deleted_job_is_announced_from_its_event() -> None:
    world = World()
    world.intake(event(status="Stopped"))
    assert world.bus.published[0].detail["known_from"] == "event"
    assert world.bus.published[0].detail["spot"]["billable_seconds"] is None


def test_an_event_without_creation_time_means_the_run_the_api_knows() -> None:
    world = World()
    world.knows(description())
    world.intake(event(CreationTime=None))
    assert world.bus.said == ["resnet-1 Finished/Completed"]
    assert world.item.job.described


def test_an_event_without_creation_time_about_a_deleted_job_means_the_newest_recorded_run() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    del world.api.jobs["resnet-1"]
    world.intake(event(CreationTime=None))
    assert world.bus.said == ["resnet-1 Started", "resnet-1 Finished/Completed"]
    assert len(world.ledger.items) == 1


def test_tags_are_asked_for_only_when_the_message_cannot_say_them() -> None:
    world = World()
    world.knows(description())
    world.api.tags["resnet-1"] = {"owner": "researcher"}
    world.intake(look_message(job().key, at(40), status="Completed"))
    assert world.item.owner.name == "researcher"
    assert world.bus.published[0].detail["owner"] == {"name": "researcher", "source": "tag owner"}


def test_an_owners_address_stays_out_of_the_event() -> None:
    world = World()
    world.intake(event(tags={"owner": "researcher@example.com"}))
    assert "example.com" not in str(world.bus.published[0].detail)


def test_a_job_outside_the_scope_is_neither_described_nor_announced() -> None:
    world = World(scope={"platform": "trainops"})
    assert "outside scope.tags" in world.intake(event(tags={"platform": "other"})).reason
    assert (world.api.described, world.bus.said) == ([], [])
    world.intake(event("mine", tags={"platform": "trainops", "x": "y"}))
    assert world.bus.said == ["mine Finished/Completed"]


def test_a_job_outside_the_scope_is_remembered_so_that_the_reconciler_does_not_ask_for_it() -> None:
    world = World(scope={"platform": "trainops"})
    world.knows(description())
    world.intake(look_message(job().key, at(40), status="Completed"))
    assert world.bus.said == []
    assert world.ledger.statuses([job().key]) == {job().key: "Completed"}
    world.intake(event(tags={}))
    assert world.bus.said == []


def test_a_mixed_case_name_is_described_by_its_name_and_is_one_run_whatever_the_arns_case() -> None:
    world = World()
    given, lower = arn("ResNet-50"), arn("resnet-50")
    world.knows({**description("ResNet-50", status="InProgress"), "TrainingJobArn": lower})
    started = event("ResNet-50", "InProgress", "Starting", when=at(0))
    for written in (given, lower):
        started["detail"]["TrainingJobArn"] = written
        world.intake(started)
    world.intake(look_message(JobKey.of(given, CREATED), at(400)))
    world.knows({**description("ResNet-50"), "TrainingJobArn": lower})
    world.intake(event("ResNet-50"))
    assert set(world.api.described) == {"ResNet-50"}
    assert len(world.ledger.items) == 1
    [item] = world.ledger.items.values()
    assert (item.job.name, item.job.described, item.job.status) == ("ResNet-50", True, "Completed")
    assert world.bus.said == ["resnet-50 Started", "resnet-50 Finished/Completed"]
    assert world.bus.published[-1].detail["job"]["name"] == "ResNet-50"


def test_an_event_without_creation_time_about_a_second_run_is_not_taken_for_the_first() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    later = CREATED + timedelta(days=1)
    world.knows(description(created=later))
    world.intake(event(CreationTime=None, when=later + timedelta(minutes=30)))
    assert world.bus.said == ["resnet-1 Started", "resnet-1 Finished/Completed"]
    assert {key.created for key in world.ledger.items} == {CREATED, later}


def test_tags_that_came_while_the_job_ran_are_kept() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake({**STARTED, "detail": {**STARTED["detail"], "Tags": {"team": "vision"}}})
    world.knows(description())
    world.intake(event(tags={"owner": "researcher"}))
    assert (world.item.team, world.item.owner.name) == ("vision", "researcher")


@pytest.mark.parametrize(("tags", "asked"), [({}, 1), ({"owner": "researcher"}, 0)])
def test_the_tags_of_a_job_are_asked_for_at_most_once(tags: dict[str, str], asked: int) -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake({**STARTED, "detail": {**STARTED["detail"], "Tags": tags}})
    world.knows(description())
    world.intake(event(tags=tags))
    assert len(world.api.tags_asked) == asked
