"""Counts of idle gaps, and the cheapest idle time they advise."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.keep_alive_gaps import (
    EDGES,
    FADE,
    KINDS,
    RECENT,
    STRETCHES,
    Counts,
    Gaps,
    chances,
    cheapest_plan,
    kind_of,
)

NEVER = (0.0,) * STRETCHES
SURE_AT_100 = tuple(1.0 if start == 90 else 0.0 for start, _ in pairwise(EDGES))
"""A job always comes between 90 and 120 s, on average at 105 s."""


def test_every_instant_up_to_the_api_models_longest_keep_alive_lies_in_one_stretch() -> None:
    assert list(EDGES) == sorted(set(EDGES))
    assert (EDGES[0], EDGES[-1]) == (0, 21600)


@pytest.mark.parametrize(
    ("seconds", "kind"), [(0, 0), (59.9, 0), (60, 1), (599, 1), (600, 2), (3599, 2), (3600, 3), (10**6, 3)]
)
def test_gaps_are_told_apart_by_how_recent_the_last_creation_was(seconds: float, kind: int) -> None:
    assert kind_of(timedelta(seconds=seconds)) == kind
    assert len(KINDS) == len(RECENT) + 1


def test_a_gap_counts_as_waiting_up_to_where_it_ended_and_as_taken_there() -> None:
    counts = Gaps().with_gap(1, 12, ended=True).kinds[1]
    assert counts.waiting[:4] == (1, 1, 1, 0)
    assert counts.taken[:4] == (0, 0, 1, 0)


def test_a_gap_that_nobody_ended_counts_only_for_what_it_outlasted() -> None:
    counts = Gaps().with_gap(0, 12, ended=False).all
    assert counts.waiting[:4] == (1, 1, 0, 0)
    assert not any(counts.taken)


def test_old_gaps_fade() -> None:
    counts = Counts().with_gap(0, ended=True).with_gap(1, ended=True)
    assert list(counts.waiting[:2]) == pytest.approx([FADE + 1, 1])
    assert list(counts.taken[:2]) == pytest.approx([FADE, 1])


def test_the_longest_gap_of_all_outlasts_every_stretch() -> None:
    counts = Gaps().with_gap(0, EDGES[-1] + 1, ended=True).all
    assert counts.waiting == (1,) * STRETCHES
    assert not any(counts.taken)


def test_a_key_that_has_shown_much_overrules_its_team() -> None:
    team = key = Gaps()
    for _ in range(200):
        team, key = team.with_gap(1, 3600, ended=False), key.with_gap(1, 2, ended=True)
    assert chances(team, None, 1)[0] < 0.01
    assert chances(team, key, 1)[0] > 0.9
    assert chances(team, key, 2)[0] < 0.1, "what it has shown in another kind says nothing here"


def test_a_key_that_has_shown_nothing_goes_by_its_team() -> None:
    team = Gaps()
    for _ in range(200):
        team = team.with_gap(1, 2, ended=True)
    assert chances(team, Gaps(), 1) == chances(team, None, 1)


@pytest.mark.parametrize(("break_even", "keep"), [(104, 0), (106, 120)])
def test_a_sure_gap_is_waited_for_exactly_when_it_costs_less_than_a_cold_start(break_even: float, keep: float) -> None:
    assert cheapest_plan(SURE_AT_100, break_even, 3600).keep == keep


def test_what_is_expected_of_the_plan_is_said() -> None:
    plan = cheapest_plan(SURE_AT_100, 1000, 3600)
    assert (plan.cost, plan.reuse) == (105, 1)
    assert cheapest_plan(NEVER, 1000, 3600).cost == 1000


def test_a_pool_that_outlived_its_likely_time_is_released() -> None:
    assert cheapest_plan(SURE_AT_100, 10_000, 3600, idle=110).keep == 120
    assert cheapest_plan(SURE_AT_100, 10_000, 3600, idle=120).keep == 120


def test_a_limit_within_a_stretch_counts_for_its_part_of_it() -> None:
    steady = (0.5,) * STRETCHES
    plan = cheapest_plan(steady, 10_000, 4000)
    assert plan.keep == 4000
    assert 0 < plan.reuse < 1


probabilities = st.lists(st.floats(0, 1), min_size=STRETCHES, max_size=STRETCHES)


@given(probabilities, st.floats(0, 50_000), st.floats(0, 30_000), st.floats(0, 30_000))
def test_a_plan_never_costs_more_than_releasing_now_and_keeps_to_its_limit(
    chance: list[float], break_even: float, limit: float, idle: float
) -> None:
    plan = cheapest_plan(chance, break_even, limit, idle)
    assert plan.cost <= break_even
    assert idle <= plan.keep <= max(limit, idle)
    assert 0 <= plan.reuse <= 1


@given(probabilities, st.floats(1, 50_000))
def test_dearer_cold_starts_never_shorten_the_keep_alive(chance: list[float], break_even: float) -> None:
    assert cheapest_plan(chance, break_even, 3600).keep <= cheapest_plan(chance, break_even * 2, 3600).keep


def test_before_a_job_is_submitted_gaps_of_all_kinds_count() -> None:
    team = key = Gaps()
    for number in range(200):
        team, key = team.with_gap(1, 3600, ended=False), key.with_gap(number % 4, 2, ended=True)
    assert chances(team, key, None)[0] > 0.9
    assert chances(team, None, None)[0] < 0.05
