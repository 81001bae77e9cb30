"""From messages to announcements, with everything that goes wrong on the way."""

import random
from typing import Any

import pytest

from tests.builders import CREATED, arn, at, description, event, job
from tests.fakes import Crash, Fuse
from tests.handlers.intake_world import STARTED, World
from trainops.domain.reconciliation import look_message
from trainops.domain.training_jobs import JobKey
from trainops.errors import PoisonMessage, TryLater


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


def test_repeated_looks_at_a_job_that_is_not_due_cost_nothing() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    for _ in range(5):
        world.intake(look_message(job().key, at(10)))
    assert len(world.api.described) == 1
    world.intake(look_message(job().key, at(10), status="Completed"))
    assert len(world.api.described) == 2
