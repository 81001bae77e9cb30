"""The exact clairvoyant optimum."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops_cli.replay.optimum import least_cost


def by_trying_everything(spans: list[tuple[int, int]], break_even: float, longest: float) -> float:
    """Every way to give each creation an end before it, or none."""

    def rest(number: int, taken: frozenset[int]) -> float:
        if number == len(spans):
            return 0.0
        created = spans[number][0]
        choices = [break_even + rest(number + 1, taken)]
        choices += [
            created - end + rest(number + 1, taken | {place})
            for place, (_, end) in enumerate(spans)
            if place not in taken and 0 <= created - end <= longest
        ]
        return min(choices)

    return rest(0, frozenset())


@pytest.mark.parametrize("seed", range(300))
def test_it_is_what_trying_everything_finds(seed: int) -> None:
    random = Random(seed)
    starts = sorted(random.randint(0, 60) for _ in range(random.randint(1, 7)))
    spans = [(start, start + random.randint(1, 20)) for start in starts]
    longest = random.choice((5, 12, 25))
    for break_even in (3, 10, 30, 100):
        assert least_cost(spans, break_even, longest) == by_trying_everything(spans, break_even, longest)


def test_a_break_even_time_above_the_longest_keep_alive_can_pass_over_the_youngest_end() -> None:
    """The first creation takes the older end, so that the second still has one within ten seconds."""
    assert least_cost([(-9, 0), (-8, 6), (8, 90), (15, 99)], 1000, 10) == 2 * 1000 + 8 + 9


def test_a_job_that_leaves_no_pool_is_served_but_serves_nobody() -> None:
    assert least_cost([(0, 10), (12, 20), (25, 30)], 100, 60) == 100 + 2 + 5
    assert least_cost([(0, None), (12, 20), (25, 30)], 100, 60) == 200 + 5


def test_without_jobs_nothing_is_spent() -> None:
    assert least_cost([], 100, 60) == 0


spans = st.lists(
    st.tuples(st.integers(0, 5000), st.integers(1, 500)).map(lambda span: (span[0], sum(span))), max_size=60
)


@given(spans, st.integers(1, 2000))
def test_it_never_costs_more_than_no_pools_and_grows_with_what_a_cold_start_costs(
    jobs: list[tuple[int, int]], break_even: int
) -> None:
    least = least_cost(jobs, break_even, 3600)
    assert least <= break_even * len(jobs)
    assert least <= least_cost(jobs, break_even + 1, 3600)
