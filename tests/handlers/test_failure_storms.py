"""A hundred failures alike, as people hear of them: in any order, repeated, from two functions at once, and killed."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import arn, at
from tests.fakes import Crash, Fuse
from tests.handlers.storm_world import OUT_OF_MEMORY, StormWorld
from trainops.domain.cards import Card, Tone
from trainops.domain.failure_classes import FailureClass
from trainops.domain.storms import SINGLES, WINDOW


@pytest.mark.case("NO-13")
def test_a_hundred_failures_alike_in_ten_minutes_are_three_messages_one_summary_and_one_end() -> None:
    world = StormWorld()
    for number in range(100):
        world.pass_time(number / 10)
        world.fails(f"job-{number}", number / 10, owner=("alpha", "beta", None)[number % 3])
    world.settle()
    singles, told = world.channel.times(storms=False), world.channel.times(storms=True)
    assert len(singles) == 3
    assert told == [at(10), at(20)]
    summary, ended = (card for key, (_, card) in world.channel.cards.items() if key.startswith("storm|"))
    assert summary["title"] == "100 failures alike of team vision: gpu out of memory"
    assert summary["facts"][0] == ["Owners", "alpha 33, beta 32, unknown 32"]
    assert len(summary["lines"]) == 5, "a sample"
    assert ended["summary"] == "No more for 10 min; 100 in all. The next one is told singly again."
    assert summary["thread"] == ended["thread"] == "storm|vision/gpu_out_of_memory|2026-03-02T09:00:00Z"
    assert summary["word"] == ended["word"] == "Failed"
    label, page = summary["links"][0]
    assert label == "All of them"
    assert "logs-insights" in page


def test_the_last_message_before_a_storm_says_what_follows() -> None:
    world = StormWorld()
    for number in range(3):
        world.fails(f"job-{number}", number)
    notes = ["told together" in str(card["context"]) for _, card in world.channel.got]
    assert notes == [False, False, True]


def test_what_is_absorbed_has_a_line_in_the_log_that_the_summarys_query_finds() -> None:
    world = StormWorld()
    for number in range(4):
        world.fails(f"job-{number}", number)
    [note] = world.outcomes[-1].notes
    assert note["storm"] == "storm|vision/gpu_out_of_memory|2026-03-02T09:00:00Z"
    assert str(note["job"]).endswith("/job-3")


def test_failures_of_another_class_do_not_count() -> None:
    world = StormWorld()
    for number in range(3):
        world.fails(f"memory-{number}", number)
        world.fails(f"import-{number}", number, reason="ModuleNotFoundError: No module named 'einops'")
    assert len(world.told_singly) == 6


def test_a_storm_of_an_hour_has_one_summary_for_each_ten_minutes() -> None:
    world = StormWorld()
    for number in range(120):
        world.pass_time(number / 2)
        world.fails(f"job-{number}", number / 2)
    world.settle()
    assert len(world.told_singly) == 3
    assert world.channel.times(storms=True) == [at(minute) for minute in (10, 20, 30, 40, 50, 60, 70)]


def test_a_repetition_long_afterwards_is_nothing_new() -> None:
    world = StormWorld()
    for number in range(5):
        world.fails(f"job-{number}", number)
    world.settle()
    before = set(world.channel.cards)
    world.fails("job-4", 4)
    world.fails("job-0", 0)
    assert set(world.channel.cards) == before
    world.fails("job-9", 60)
    assert "job-9" in world.told_singly


moments = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 45)), max_size=40)
"""Which job fails, and at which minute its event says it did."""


@settings(max_examples=40, deadline=None)
@given(moments, st.randoms(use_true_random=False))
def test_in_any_order_and_repetition_nothing_is_lost_and_never_more_is_said_than_the_bound(
    failures: list[tuple[int, int]], dice: Any
) -> None:
    world = StormWorld()
    arriving = [pair for pair in failures for _ in range(dice.choice([1, 1, 2]))]
    for number, said in arriving:
        if dice.random() < 0.5:  # else the failure comes before the look that is due
            world.pass_time(said)
        world.looks.now = max(world.looks.now, at(said))
        world.fails(f"job-{number}", said)
        if dice.random() < 0.1 and world.looks.waiting:
            world.looks.waiting.append(dice.choice(world.looks.waiting))
    world.settle()
    _nothing_is_lost(world, {f"job-{number}" for number, _ in failures})
    _never_more(world)


def _nothing_is_lost(world: StormWorld, jobs: set[str]) -> None:
    """Each job has a message of its own, or is in the list and in the count of a storm that was told."""
    listed = {seen.job.rpartition("/")[2] for fates in world.storms.lists.values() for seen in fates.values()}
    assert world.told_singly | listed == jobs
    for (key, opened), fates in world.storms.lists.items():
        told = [card for name, (_, card) in world.channel.cards.items() if f"{opened:%Y-%m-%dT%H:%M:%SZ}|" in name]
        assert any(f"{len(fates) + SINGLES} in all" in str(card["summary"]) for card in told), (key, told)


def _never_more(world: StormWorld) -> None:
    for times, most in ((world.channel.times(storms=False), SINGLES), (world.channel.times(storms=True), 2)):
        for first in times:
            within = [when for when in times if first <= when < first + WINDOW - timedelta(seconds=1)]
            assert len(within) <= most, (first, within)


def crash_points() -> list[Any]:
    fuse = Fuse()
    _drive(StormWorld(fuse))
    return [
        pytest.param({side: number}, id=f"{side}-{number}-{call}")
        for number, call in enumerate(fuse.calls, start=1)
        for side in ("before", "after")
    ]


def _drive(world: StormWorld) -> None:
    """Five failures and the looks that follow; what dies is delivered again."""
    for number in range(5):
        try:
            world.fails(f"job-{number}", number)
        except Crash:
            world.fails(f"job-{number}", number)
    try:
        world.settle()
    except Crash:
        world.looks.waiting += [(world.looks.now, world.dying)]
        world.settle()


@pytest.mark.parametrize("fuse", crash_points())
def test_a_function_killed_at_any_step_loses_nothing(fuse: dict[str, Any]) -> None:
    world = StormWorld(Fuse(**fuse))
    _drive(world)
    _nothing_is_lost(world, {f"job-{number}" for number in range(5)})
    assert len(world.told_singly) == SINGLES
    assert len(world.channel.times(storms=True)) == 2


def test_of_two_functions_at_once_only_one_takes_the_third_place() -> None:
    world = StormWorld()
    for number in range(2):
        world.fails(f"job-{number}", number)
    put = world.storms.put_storm

    def meanwhile(storm: Any) -> Any:
        world.storms.put_storm = put  # type: ignore[method-assign]
        world.fails("rival", 2)
        return put(storm)

    world.storms.put_storm = meanwhile  # type: ignore[method-assign]
    world.fails("job-2", 2)
    assert world.told_singly == {"job-0", "job-1", "rival"}
    assert world.absorbed == 1


def test_nobody_is_told_of_a_storm_of_what_nobody_wants_to_hear_of() -> None:
    world = StormWorld(told=("Completed",))
    for number in range(9):
        world.fails(f"job-{number}", number, reason=OUT_OF_MEMORY)
    world.settle()
    assert world.channel.got == []


def test_what_is_only_worth_asking_for_when_a_card_is_told_is_not_asked_for_what_is_absorbed() -> None:
    world, asked = StormWorld(), list[str]()

    def finished(card: Card) -> Card:
        asked.append(card.job_name)
        return replace(card, lines=("the end of its log",))

    for number in range(5):
        card = Card(key=f"k{number}", job_name=f"job-{number}", tone=Tone.BAD, title="t", summary="s", team="vision")
        gpu = FailureClass.GPU_OUT_OF_MEMORY
        world.gate.tell(card, gpu, word="Failed", about=arn(), at=at(number), finished=finished)
    assert asked == ["job-0", "job-1", "job-2"]
    assert [card["lines"] for _, card in world.channel.got] == [["the end of its log"]] * 3
