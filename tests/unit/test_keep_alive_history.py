"""What job ends and creations teach about idle gaps."""

from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.builders import CREATED, at
from tests.unit.keep_alive import KEY, LONGEST, TEAM, trial
from trainops.domain.keep_alive_gaps import EDGES
from trainops.domain.keep_alive_guard import NONE
from trainops.domain.keep_alive_history import MOST_KINDS, MOST_SPOT, MOST_WAITING, History, learn
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded, Lesson, SpotEnded

LATER = at(10_000)


def created(minute: float, key: str = KEY) -> JobCreated:
    return JobCreated(key, TEAM, at(minute))


def ended(minute: float, key: str = KEY, paid: float | None = None) -> JobEnded:
    return JobEnded(key, TEAM, at(minute), None if paid is None else trial(kept=paid))


def taken(history: History, key: str = KEY) -> list[int]:
    """Where the stretches begin in which gaps ended."""
    counts = history.keys[key].gaps.all.taken
    return [EDGES[place] for place, count in enumerate(counts) if count]


def test_a_creation_takes_the_youngest_end_of_its_fingerprint() -> None:
    history = learn(History(), [ended(0), ended(10), created(15)], at(20), LONGEST)
    assert taken(history) == [300]
    assert [end.at for end in history.keys[KEY].waiting] == [at(0)]


def test_another_fingerprint_takes_nothing() -> None:
    history = learn(History(), [ended(0), created(5, "f" * 16)], at(20), LONGEST)
    assert taken(history) == []
    assert len(history.keys[KEY].waiting) == 1


def test_an_end_and_a_creation_of_one_instant_are_a_gap_of_nothing() -> None:
    assert taken(learn(History(), [created(5), ended(5)], LATER, LONGEST)) == [0]


def test_an_end_that_nobody_follows_in_time_was_outlasted() -> None:
    before = learn(History(), [ended(0)], at(60), LONGEST)
    assert before.keys[KEY].gaps.resolved == 0
    after = learn(before, [created(60.1)], at(61), LONGEST)
    assert (after.keys[KEY].gaps.resolved, taken(after)) == (1, [])
    assert after.keys[KEY].gaps.all.waiting[EDGES.index(2400)] == 1


def test_an_end_that_is_overdue_is_resolved_though_its_key_never_comes_back() -> None:
    before = learn(History(), [ended(0)], at(1), LONGEST)
    assert learn(before, [], at(60), LONGEST).teams[TEAM].gaps.resolved == 0
    assert learn(before, [], at(61), LONGEST).teams[TEAM].gaps.resolved == 1


def test_the_team_learns_from_all_its_fingerprints() -> None:
    history = learn(History(), [ended(0), created(1), ended(0, "f" * 16), created(2, "f" * 16)], LATER, LONGEST)
    assert history.teams[TEAM].gaps.resolved == 2
    assert history.keys[KEY].gaps.resolved == 1


def test_the_same_batch_twice_teaches_once() -> None:
    batch: list[JobCreated | JobEnded] = [ended(0, paid=50), created(1), ended(2)]
    once = learn(History(), batch, at(5), LONGEST)
    assert learn(once, batch, at(5), LONGEST) == once


def test_what_lies_after_the_batch_is_left_for_the_next() -> None:
    events: list[JobCreated | JobEnded] = [ended(0), created(10)]
    first = learn(History(), events, at(5), LONGEST)
    assert first.keys[KEY].gaps.resolved == 0
    assert learn(first, events, at(15), LONGEST).keys[KEY].gaps.resolved == 1


def test_what_was_read_is_never_changed() -> None:
    before = learn(History(), [ended(0)], at(5), LONGEST)
    kept = before.keys[KEY]
    learn(before, [created(6)], at(7), LONGEST)
    assert before.keys[KEY] is kept
    assert len(kept.waiting) == 1


def test_a_decisions_outcome_reaches_the_guard() -> None:
    history = learn(History(), [ended(0, paid=0), created(1), ended(3, paid=0)], at(4), LONGEST)
    assert history.guard.lost[NONE] == 100
    assert learn(history, [created(200)], at(200), LONGEST).guard.lost[NONE] == 100, "nobody came: nothing was lost"


def test_only_so_many_ends_are_remembered_and_the_oldest_go_first() -> None:
    ends = [ended(minute / 10) for minute in range(MOST_WAITING + 3)]
    waiting = learn(History(), ends, at(10), LONGEST).keys[KEY].waiting
    assert len(waiting) == MOST_WAITING
    assert waiting[-1].at == ends[-1].at


minutes = st.lists(st.tuples(st.integers(0, 600), st.booleans()), max_size=40)


@given(minutes, st.integers(0, 600))
def test_learning_in_two_batches_teaches_the_same_as_in_one(happened: list[tuple[int, bool]], cut: int) -> None:
    events: list[JobCreated | JobEnded] = [
        created(minute) if starts else ended(minute, paid=30) for minute, starts in happened
    ]
    at_once = learn(History(), events, LATER, LONGEST)
    in_two = learn(learn(History(), events, at(cut), LONGEST), events, LATER, LONGEST)
    assert in_two.teams == at_once.teams
    assert in_two.guard == at_once.guard
    assert {key: item.gaps for key, item in in_two.keys.items()} == {k: item.gaps for k, item in at_once.keys.items()}


@given(minutes)
def test_every_end_is_resolved_once_or_still_waits(happened: list[tuple[int, bool]]) -> None:
    events: list[JobCreated | JobEnded] = [created(minute) if starts else ended(minute) for minute, starts in happened]
    history = learn(History(), events, until(happened), LONGEST)
    ends = sum(1 for _, starts in happened if not starts)
    item = history.keys.get(KEY)
    assert ends == (item.gaps.resolved + len(item.waiting) if item else 0)


def until(happened: list[tuple[int, bool]]) -> datetime:
    return max((at(minute) for minute, _ in happened), default=CREATED) + timedelta(seconds=1)


def test_a_teams_item_names_its_most_used_kinds_of_pool_and_no_more_than_are_recommended_for() -> None:
    lessons = [ended(0, f"{number:016x}") for number in range(MOST_KINDS + 5)]
    last = f"{MOST_KINDS + 4:016x}"
    followed: list[Lesson] = [*lessons, created(1, f"{3:016x}"), ended(2, last), created(3, last)]
    kinds = learn(History(), followed, LATER, LONGEST).teams[TEAM].kinds
    assert len(kinds) == MOST_KINDS
    assert last in kinds, "used, though it came last"


def test_what_managed_spot_saved_is_remembered_of_the_last_jobs_and_leaves_no_gap() -> None:
    saved: list[Lesson] = [SpotEnded(KEY, TEAM, at(number), float(number)) for number in range(MOST_SPOT + 3)]
    key = learn(History(), saved, LATER, LONGEST).keys[KEY]
    assert key.spot_saved == tuple(float(number) for number in range(3, MOST_SPOT + 3))
    assert (key.waiting, key.gaps.resolved) == ((), 0)
