"""One policy over a history: pools, delays and bills."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.past import AT_ONCE, in_a_row, past
from trainops_cli.replay.comparison import BREAK_EVENS, Assumptions, Run, compare, simulate
from trainops_cli.replay.jobs import PastJob
from trainops_cli.replay.optimum import least_cost
from trainops_cli.replay.simulation import Outcome, Timing

BREAK_EVEN = Run("break-even", 60)


def run(jobs: list[PastJob], policy: str = "break-even", break_even: int | None = 60, **timing: object) -> Outcome:
    """One run; decisions come at once unless `timing` says otherwise."""
    known = {"lag": timedelta(0), "updates_per_second": 1e6}
    return simulate(jobs, replace(AT_ONCE, timing=Timing(**{**known, **timing})), Run(policy, break_even))  # type: ignore[arg-type]


def test_a_job_within_the_keep_alive_starts_warm_and_one_after_it_cold() -> None:
    outcome = run(in_a_row([60, 61]))
    assert outcome.cold_starts == 2
    assert outcome.idle_seconds == pytest.approx(60 + 60 + 60)


def test_the_youngest_pool_is_taken() -> None:
    outcome = run([past(0, 100), past(0, 130), past(140, 500), past(520, 600, "b")])
    assert outcome.idle_seconds == pytest.approx(10 + 60 + 60 + 60)


def test_pools_of_another_key_are_not_taken() -> None:
    assert run([past(0, 100), past(110, 200, "b")]).cold_starts == 2


def test_without_pools_every_start_is_cold_and_nothing_idles() -> None:
    outcome = run(in_a_row([1, 1, 1]), "none", None)
    assert (outcome.cold_starts, outcome.idle_seconds, outcome.updates) == (4, 0, 0)


def test_a_job_that_asked_for_no_pool_leaves_none() -> None:
    assert run([past(0, 100, asks=0), past(101, 200)]).cold_starts == 2


def test_sagemaker_ends_a_pool_by_itself_when_its_time_is_up() -> None:
    outcome = run([past(0, 100, asks=40)])
    assert (outcome.idle_seconds, outcome.updates) == (40, 0)


def test_a_release_idles_at_least_as_long_as_its_decision_takes() -> None:
    late = run([past(0, 100)], lag=timedelta(seconds=75))
    assert late.idle_seconds == 75
    assert run([past(0, 100), past(170, 300)], lag=timedelta(seconds=75)).cold_starts == 1


def test_releases_wait_for_the_accounts_rate() -> None:
    outcome = run([past(0, 100, key) for key in "abcd"], updates_per_second=0.1)
    assert outcome.updates == 4
    assert outcome.idle_seconds == pytest.approx(60 + 70 + 80 + 90)


def test_a_pool_may_still_be_taken_while_its_release_waits() -> None:
    jobs = [past(0, 100, "a"), past(0, 100, "b"), past(165, 9000, "b")]
    assert run(jobs, updates_per_second=0.1).cold_starts == 2
    assert run(jobs).cold_starts == 3


def test_dollars_are_idle_seconds_and_cold_starts_at_the_jobs_own_price() -> None:
    outcome = run(in_a_row([1]), break_even=None)
    assert outcome.idle_usd == pytest.approx(1 + 140 / 60)
    assert outcome.cold_usd == pytest.approx(140 / 60)


def test_jobs_without_a_price_are_counted_and_not_in_the_bill() -> None:
    outcome = run([past(0, 100, price=None), past(101, 200, price=None)], break_even=None)
    assert (outcome.unpriced, outcome.idle_usd, outcome.cold_usd) == (2, 0, 0)
    assert outcome.idle_seconds == pytest.approx(1 + 1800), "the fixed limit holds"


def test_what_recurs_is_learned() -> None:
    jobs = in_a_row([300] * 400)
    learned, simple = run(jobs, "histogram", 200), run(jobs, "break-even", 200)
    assert learned.idle_seconds < simple.idle_seconds / 4
    warm = run(jobs, "histogram", 600)
    assert warm.cold_starts < 5


def test_decisions_that_come_later_than_a_sweep_are_learned_from_too() -> None:
    """After three minutes already paid for, two more cost less than a cold start."""
    jobs, late = in_a_row([300] * 400), timedelta(minutes=3)
    assert run(jobs, "histogram", 200, lag=late).cold_starts < 40
    assert run(jobs, "break-even", 200, lag=late).cold_starts == 401


def test_nothing_is_learned_before_a_sweep() -> None:
    jobs = in_a_row([300] * 400)
    assert run(jobs, "histogram", 200, sweep=timedelta(days=9)) == run(jobs, "break-even", 200)


histories = st.lists(
    st.tuples(st.integers(0, 20_000), st.integers(1, 900), st.sampled_from("ab")), min_size=1, max_size=40
)


@given(histories, st.sampled_from([60, 300, 1200, 3600]))
def test_break_even_never_costs_more_than_twice_the_optimum(
    history: list[tuple[int, int, str]], break_even: int
) -> None:
    jobs = [past(start, start + took, key) for start, took, key in sorted(history)]
    outcome = run(jobs, break_even=break_even)
    least = sum(
        least_cost([(start, start + took) for start, took, of in history if of == key], break_even, 3600)
        for key in "ab"
    )
    assert outcome.idle_seconds + outcome.cold_starts * break_even <= 2 * least + 1e-3


@given(histories)
def test_no_policy_beats_the_optimum_and_every_start_is_warm_or_cold(history: list[tuple[int, int, str]]) -> None:
    jobs = [past(start, start + took, key) for start, took, key in sorted(history)]
    for result in compare(jobs, Assumptions(), 1):
        assert min(result.ratios) >= 1 - 1e-9
        assert result.ratio is not None
        assert result.ratio >= 1 - 1e-9
        assert result.outcome.jobs == len(jobs)


def test_processes_find_what_one_process_finds() -> None:
    jobs = in_a_row([20, 400, 30, 5000, 9] * 3)
    assert compare(jobs, Assumptions(), 2) == compare(jobs, Assumptions(), 1)
    assert len(compare(jobs, Assumptions(), 1)[0].ratios) == len(BREAK_EVENS)
