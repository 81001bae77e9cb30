"""From messages to announcements, with everything that goes wrong on the way."""

import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import CREATED, arn, at, description, event, job
from tests.fakes import Crash, FakeBus, FakeLedger, FakePrices, FakeTrainingJobs, Fuse
from trainops.domain.job_records import JobRecord
from trainops.domain.reconciliation import look_message
from trainops.domain.training_jobs import JobKey, from_description
from trainops.errors import PoisonMessage, TryLater
from trainops.workflows.job_intake import JobIntake


@dataclass
class World:
    """An intake and everything around it; `consumed` is what a consumer that commits by key ends up with."""

    fuse: Fuse = field(default_factory=Fuse)
    scope: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger = FakeLedger(self.fuse)
        self.api = FakeTrainingJobs(fuse=self.fuse)
        self.bus = FakeBus(self.fuse)
        self.intake = JobIntake(self.ledger, self.api, self.bus, FakePrices(), self.scope)

    def knows(self, answer: dict[str, Any]) -> None:
        self.api.jobs[answer["TrainingJobName"]] = from_description(answer, {})

    @property
    def item(self) -> JobRecord:
        return self.ledger.items[JobKey.of(arn(), CREATED)]

    @property
    def consumed(self) -> set[str]:
        return set(self.bus.said)


STARTED = event(status="InProgress", secondary="Starting", when=at(0))


def test_a_job_is_described_once_at_its_start_and_once_at_its_end() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    for _ in range(3):
        world.intake(STARTED)
    world.knows(description())
    for _ in range(3):
        world.intake(event())
    assert world.bus.said == ["resnet-1 Started", "resnet-1 Finished/Completed"]
    assert len(world.api.described) == 2
    assert not world.item.pending


def crash_points() -> list[Any]:
    world = World()
    world.knows(description())
    world.intake(event())
    return [
        pytest.param({side: number}, id=f"{side}-{number}-{call}")
        for number, call in enumerate(world.fuse.calls, start=1)
        for side in ("before", "after")
    ]


@pytest.mark.parametrize("fuse", crash_points())
def test_an_intake_killed_at_any_step_loses_nothing_and_announces_nothing_twice_to_who_commits(
    fuse: dict[str, Any],
) -> None:
    world = World(Fuse(**fuse))
    world.knows(description())
    with pytest.raises(Crash):
        world.intake(event())
    world.intake(event())
    world.intake(event())
    assert world.consumed == {"resnet-1 Finished/Completed"}
    assert len(world.bus.said) <= 2
    assert not world.item.pending


def test_the_crash_points_cover_every_step_that_reaches_outside() -> None:
    world = World()
    world.knows(description())
    world.intake(event())
    assert world.fuse.calls == ["describe", "put_job", "publish", "put_job"]


def test_of_two_intakes_at_once_one_is_told_to_come_back_and_finds_it_done() -> None:
    world = World()
    world.knows(description())
    blocked = world.api.describe

    def meanwhile(name: str, tags: Any) -> Any:
        world.api.describe = blocked  # type: ignore[method-assign]
        world.intake(event())
        return blocked(name, tags)

    world.api.describe = meanwhile  # type: ignore[method-assign]
    with pytest.raises(TryLater, match="written by another"):
        world.intake(event())
    assert world.intake(event()).reason == "Completed is known already; nothing is new"
    assert world.bus.said == ["resnet-1 Finished/Completed"]


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


def test_a_malformed_event_is_poison_with_its_reason() -> None:
    with pytest.raises(PoisonMessage, match="names no training job"):
        World().intake({"detail": {"TrainingJobStatus": "Completed"}})


@pytest.mark.parametrize("seed", range(20))
def test_repeated_and_shuffled_events_end_in_one_record_and_one_announcement_each(seed: int) -> None:
    dice = random.Random(seed)
    world = World()
    names = [f"job-{number}" for number in range(20)]
    storm = []
    for name in names:
        world.knows(description(name, status=dice.choice(["Completed", "Failed", "Stopped"])))
        status = world.api.jobs[name].status
        for raw in (event(name, "InProgress", "Starting", when=at(0)), event(name, status)):
            storm += [raw] * dice.choice([0, 1, 2, 3])
    dice.shuffle(storm)
    for raw in storm:
        world.intake(raw)
    for name in names:
        world.intake(look_message(JobKey.of(arn(name), CREATED), at(90)))
    ends = [said for said in world.bus.said if "Finished" in said]
    assert len(ends) == len(set(ends)) == len(names)
    assert len(world.ledger.items) == len(names)


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


def test_an_end_the_api_has_not_caught_up_with_is_waited_for_so_that_its_billing_is_known() -> None:
    world = World()
    behind = {**description(status="InProgress"), "LastModifiedTime": at(29)}
    world.knows(behind)
    with pytest.raises(TryLater, match="still says resnet-1 is running"):
        world.intake(event())
    assert world.bus.said == []
    world.knows(description())
    world.intake(event())
    assert world.bus.published[-1].detail["spot"]["billable_seconds"] == 1680


def test_an_api_that_is_not_behind_but_disagrees_is_not_waited_for() -> None:
    world = World()
    world.knows({**description(status="InProgress"), "LastModifiedTime": at(30)})
    world.intake(event())
    assert world.bus.said == ["resnet-1 Finished/Completed"]


def test_an_event_without_creation_time_about_a_second_run_is_not_taken_for_the_first() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    later = CREATED + timedelta(days=1)
    world.knows(description(created=later))
    world.intake(event(CreationTime=None, when=later + timedelta(minutes=30)))
    assert world.bus.said == ["resnet-1 Started", "resnet-1 Finished/Completed"]
    assert {key.created for key in world.ledger.items} == {CREATED, later}


def test_repeated_looks_at_a_job_that_is_not_due_cost_nothing() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    for _ in range(5):
        world.intake(look_message(job().key, at(10)))
    assert len(world.api.described) == 1
    world.intake(look_message(job().key, at(10), status="Completed"))
    assert len(world.api.described) == 2


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
