"""How much what was learned may lose against simpler alternatives."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.keep_alive import trial
from trainops.domain.keep_alive_guard import ALTERNATIVES, ASKED, BREAK_EVEN, LEARNED, NONE, Guard, Limits

LIMITS = Limits(Decimal(500), Decimal("0.02"))
KEEPS = {NONE: 0.0, BREAK_EVEN: 100.0, ASKED: 1000.0}


@pytest.mark.parametrize(
    ("gap", "own", "none", "break_even", "asked"),
    [(40, 140, 100, 40, 40), (100, 150, 100, 100, 100), (101, 150, 100, 200, 101), (None, 50, 0, 100, 1000)],
)
def test_each_alternative_is_charged_what_it_alone_would_have_cost(
    gap: float | None, own: float, none: float, break_even: float, asked: float
) -> None:
    kept = 30 if gap == 40 else 50
    lost, others = trial(kept=kept).losses(gap)
    assert lost == (own - 10 if gap == 40 else own)
    assert others == {NONE: none, BREAK_EVEN: break_even, ASKED: asked}


def test_a_fresh_guard_lets_the_learned_one_be_followed() -> None:
    assert Guard().verdict(LIMITS) == (LEARNED, "")


def test_beyond_the_allowance_the_best_alternative_is_followed_and_said() -> None:
    guard = Guard()
    for _ in range(5):
        guard = guard.with_outcome(trial(kept=150), None)
    followed, why = guard.verdict(LIMITS)
    assert followed == NONE, "no pool was ever reused"
    assert why == "what was learned has lost $750.00 more than 'none' would have"


def test_exactly_the_allowance_is_still_within_it() -> None:
    guard = Guard(excess={NONE: 500.0, BREAK_EVEN: 0.0, ASKED: 0.0})
    assert guard.verdict(LIMITS)[0] == LEARNED
    assert Guard(excess={NONE: 500.01, BREAK_EVEN: 0.0, ASKED: 0.0}).verdict(LIMITS)[0] != LEARNED


def test_the_persons_own_setting_is_followed_when_it_was_the_best() -> None:
    guard = Guard()
    for _ in range(10):
        guard = guard.with_outcome(trial(kept=0), 101)
        guard = guard.with_outcome(trial(kept=0), 20)
    assert guard.verdict(LIMITS)[0] == ASKED


def test_whatever_was_followed_break_even_is_when_that_would_have_lost_less() -> None:
    guard = Guard()
    for _ in range(8):
        guard = guard.with_outcome(trial(NONE, kept=0), 1)
    assert guard.verdict(LIMITS)[0] == BREAK_EVEN


def test_good_times_buy_no_bad_ones() -> None:
    guard = Guard()
    for _ in range(1000):
        guard = guard.with_outcome(trial(kept=10), 5)
    assert set(guard.excess.values()) == {0.0}
    for _ in range(8):
        guard = guard.with_outcome(trial(kept=1000), None)
    assert guard.verdict(LIMITS)[0] != LEARNED


def test_a_fixed_limit_is_nobodys_prediction_and_costs_the_learned_one_no_trust() -> None:
    guard = Guard()
    for _ in range(100):
        guard = guard.with_outcome(trial("fixed", kept=1000), None)
    assert guard.verdict(LIMITS)[0] == LEARNED


@given(st.lists(st.tuples(st.floats(0, 1000), st.one_of(st.none(), st.floats(0, 2000))), max_size=200))
def test_any_predictor_on_any_history_stays_within_its_bound_of_break_even(
    rounds: list[tuple[float, float | None]],
) -> None:
    guard, total, own = Guard(), 0.0, 0.0
    for wish, gap in rounds:
        followed, _ = guard.verdict(LIMITS)
        tried = trial(followed, kept=KEEPS.get(followed, wish))
        lost, others = tried.losses(gap)
        total, own = total + others[BREAK_EVEN], own + lost
        guard = guard.with_outcome(tried, gap)
    last_one = 1000 + 100
    assert own <= 1.02 * total + 500 + last_one


def test_a_predictor_that_keeps_exactly_the_useless_pools_costs_at_most_its_bound() -> None:
    guard, own = Guard(), 0.0
    for number in range(3000):
        gap = 50.0 if number % 2 else None
        followed, _ = guard.verdict(LIMITS)
        tried = trial(followed, kept=KEEPS.get(followed, 0.0 if gap else 1000.0))
        own += tried.losses(gap)[0]
        guard = guard.with_outcome(tried, gap)
    assert own <= 1.02 * guard.lost[BREAK_EVEN] + 500 + 1100
    assert own > 500, "it was followed for a while"
    assert set(guard.lost) == set(ALTERNATIVES)
