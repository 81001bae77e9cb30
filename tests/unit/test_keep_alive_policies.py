"""How long a pool is kept, and the reason that says so."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import CREATED
from tests.unit.keep_alive import KEY, LONGEST, TEAM, economics, history_of, pool, trial
from trainops.domain.keep_alive_guard import NONE, Limits
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded
from trainops.domain.keep_alive_policies import (
    ENOUGH_GAPS,
    POLICIES,
    KeepAliveDecision,
    KeepAliveSettings,
    decide,
)

MINUTE = timedelta(minutes=1)
QUICK, SLOW = history_of([100] * 40), history_of([None] * 40)
UNKNOWN = History()


def decided(
    history: History = UNKNOWN, policy: str = "histogram", asked: timedelta | None = LONGEST, **more: Any
) -> KeepAliveDecision:
    """A decision of this policy; `more`: `usd`, `idle` (how long the pool has been idle), fields of the economics."""
    usd, idle = more.pop("usd", "7.09"), more.pop("idle", timedelta(0))
    settings = KeepAliveSettings(policy=policy, **more.pop("settings", {}))
    return decide(pool(asked, **more.pop("pool", {})), economics(usd, **more), history, settings, CREATED + idle)


def test_the_fixed_policy_keeps_every_pool_equally_long() -> None:
    decision = decided(policy="fixed")
    assert (decision.keep, decision.policy) == (30 * MINUTE, "fixed")
    assert decision.reason.startswith("keep 30 min after the end, of 1 h asked for: the fixed limit is 30 min; with")


def test_break_even_keeps_a_pool_until_it_has_cost_a_cold_start() -> None:
    decision = decided(policy="break-even")
    assert round(decision.keep.total_seconds()) == 1185
    assert "with waiting at $60.00 an hour a cold start is worth $2.33" in decision.reason


@pytest.mark.parametrize("policy", POLICIES)
def test_a_decision_only_shortens_what_the_person_asked_for(policy: str) -> None:
    for history in (UNKNOWN, QUICK, SLOW):
        assert decided(history, policy, asked=20 * timedelta(seconds=1)).keep <= timedelta(seconds=20)
        assert decided(history, policy, asked=timedelta(0)).keep == timedelta(0)
        assert decided(history, policy, asked=None, usd="0.001").keep <= LONGEST


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("missing", [{"usd": None}, {"count": None}])
def test_an_unknown_price_means_the_fixed_limit_and_is_said(policy: str, missing: dict[str, Any]) -> None:
    decision = decided(QUICK, policy, **missing)
    assert (decision.keep, decision.policy, decision.trial) == (30 * MINUTE, "fixed", None)
    assert "is unknown, so the fixed limit of 30 min holds" in decision.reason


def test_the_fixed_limit_for_an_unknown_price_does_not_extend_what_was_asked_for() -> None:
    assert decided(usd=None, asked=5 * MINUTE).keep == 5 * MINUTE


def test_a_key_whose_jobs_follow_soon_is_kept_until_they_usually_have() -> None:
    decision = decided(QUICK)
    assert (decision.keep, decision.policy) == (timedelta(seconds=120), "histogram")
    assert decision.reason.startswith(
        "keep 2 min after the end, of 1 h asked for: after 40 gaps of this kind of pool, the last matching job created "
        "10 minutes to an hour before, the next one comes in time with a chance of "
    )
    assert "against $2.33 for releasing now; with waiting at $60.00 an hour" in decision.reason


def test_a_key_whose_jobs_never_follow_is_released_at_once() -> None:
    decision = decided(SLOW)
    assert decision.keep == timedelta(0)
    assert decision.reason.startswith("release now, of 1 h asked for: ")


def test_a_dearer_hour_of_waiting_keeps_pools_longer() -> None:
    history = history_of([1000, None] * 30)
    assert decided(history, waiting_value=Decimal(5)).keep == timedelta(0)
    assert decided(history, waiting_value=Decimal(500)).keep >= timedelta(seconds=1000)


@pytest.mark.parametrize(("gaps", "policy"), [(ENOUGH_GAPS - 1, "break-even"), (ENOUGH_GAPS, "histogram")])
def test_a_new_account_goes_by_break_even_until_eight_gaps_are_resolved(gaps: int, policy: str) -> None:
    assert decided(history_of([None] * gaps)).policy == policy


def test_a_new_key_goes_by_its_team() -> None:
    decision = decided(QUICK, pool={"fingerprint": "f" * 16})
    assert decision.policy == "histogram"
    assert "after 40 gaps of team vision" in decision.reason
    assert decided(QUICK, pool={"fingerprint": "f" * 16, "team": "speech"}).policy == "break-even"


@pytest.mark.parametrize(("gaps", "whose"), [(ENOUGH_GAPS - 1, "team vision"), (ENOUGH_GAPS, "this kind of pool")])
def test_a_key_speaks_for_itself_from_eight_gaps_on(gaps: int, whose: str) -> None:
    own = history_of([None] * gaps, key=KEY)
    others = history_of([100] * 40, key="f" * 16)
    mixed = History(keys={**others.keys, **own.keys}, teams=others.teams)
    assert f"of {whose}" in decided(mixed).reason


def test_the_newest_creation_the_history_knows_counts_too() -> None:
    key = replace(QUICK.keys[KEY], last_created=CREATED - MINUTE / 2)
    assert "last matching job created 10 minutes to an hour before" in decided(QUICK).reason
    assert "last matching job created within a minute" in decided(replace(QUICK, keys={KEY: key})).reason


def test_a_pool_that_has_been_idle_too_long_already_is_released_now() -> None:
    decision = decided(QUICK, idle=20 * MINUTE)
    assert decision.keep == 20 * MINUTE
    assert decision.reason.startswith("release now")


def test_a_decision_that_comes_late_is_charged_for_the_time_until_it_came() -> None:
    decision = decided(SLOW, idle=timedelta(seconds=5))
    assert decision.trial is not None
    assert (decision.trial.kept, decision.trial.none) == (5, 5)


def test_when_the_guard_objects_the_reason_says_so() -> None:
    guard = QUICK.guard
    for _ in range(11):
        guard = guard.with_outcome(trial(kept=10), None)
    history = History(QUICK.keys, QUICK.teams, guard)
    decision = decided(history)
    assert (decision.keep, decision.policy) == (timedelta(0), NONE)
    assert "has lost $110.00 more than 'none' would have, so 'none' is followed" in decision.reason


@pytest.mark.case("WP-15")
def test_a_dear_pool_is_released_after_five_minutes_while_a_cheap_one_is_kept_for_twenty_five() -> None:
    dear = decided(policy="break-even", usd="37.69", idle=5 * MINUTE)
    cheap = decided(policy="break-even", usd="0.23", idle=25 * MINUTE)
    assert dear.keep < 5 * MINUTE
    assert dear.reason.startswith("release now")
    assert cheap.keep > 25 * MINUTE


def test_a_policy_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError):
        decided(policy="fixed 30 min")


@given(st.integers(0, 2**32), st.sampled_from(["0.23", "1.408", "20.36"]))
def test_the_trial_of_a_decision_tells_what_was_kept(seed: int, usd: str) -> None:
    history = history_of([(seed * 7919**number) % 4000 for number in range(12)])
    decision = decided(history, usd=usd)
    assert decision.trial is not None
    assert decision.trial.kept == decision.keep.total_seconds()
    assert decision.trial.followed == decision.policy


def test_an_adversary_who_knows_every_decision_cannot_cost_more_than_twice_the_optimum_plus_a_constant() -> None:
    """The next job comes just after the pool was released, or at once when it was released at once: one key, jobs of a
    second, and a break-even time of 1,185 s.
    """
    known, settings = economics("7.09"), KeepAliveSettings(limits=Limits(allowance=Decimal(20)))
    cold, rate, now, history = 7 / 3, 7.09 / 3600, CREATED, History()
    cost = optimum = 0.0
    for _ in range(1500):
        decision = decide(pool(idle_since=now, last_created=now - MINUTE / 60), known, history, settings, now)
        kept = decision.keep.total_seconds()
        gap = kept + 1
        cost += kept * rate + cold
        optimum += min(gap * rate, cold)
        events: list[JobCreated | JobEnded] = [JobEnded(KEY, TEAM, now, decision.trial)]
        events.append(JobCreated(KEY, TEAM, now + timedelta(seconds=gap)))
        history = learn(history, events, now + timedelta(seconds=gap), LONGEST)
        now += timedelta(seconds=gap + 1)
    assert cost <= 2 * 1.02 * optimum + 20 + 2 * cold
