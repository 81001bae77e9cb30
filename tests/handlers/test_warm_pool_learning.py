"""Pools under the learned policy: plans are made anew at each look, and know that the pool has survived so far."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import price
from tests.handlers.pool_world import MINUTE, PoolWorld, figures, world
from tests.local.simulator.bench import START, spot_request
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded, SpotEnded
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolState
from trainops.telemetry import Field

GAP = timedelta(seconds=200)


def learned(**chosen: Any) -> PoolWorld:
    """A team whose next job came 200 seconds after the last one's end, twenty times in a row."""
    w = world(policy="histogram", waiting_usd_per_hour=Decimal(10), idle_limit=timedelta(hours=1), **chosen)
    lessons: list[JobCreated | JobEnded] = []
    for number in range(20):
        ended = START - timedelta(days=3) + number * timedelta(hours=1)
        lessons += [JobEnded("like", "default", ended), JobCreated("like", "default", ended + GAP)]
    w.histories.known = learn(History(), lessons, START - timedelta(days=1), timedelta(hours=1))
    return w


def test_a_pool_is_kept_as_long_as_the_teams_gaps_say() -> None:
    w = learned()
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=40)
    pool = w.pool()
    assert pool.released is not None
    assert GAP <= pool.released - pool.ended <= 2 * GAP
    assert pool.plan is not None
    assert pool.plan.policy == "histogram"
    assert "after 20 gaps of team default" in pool.plan.reason


def test_what_would_have_been_saved_is_counted_from_the_moment_at_which_the_plan_of_then_would_have_ended_it() -> None:
    w = learned(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=90)
    pool = w.pool()
    assert (pool.state, w.client.count("UpdateTrainingJob")) == (PoolState.EXPIRED, 0)
    assert pool.would_end is not None
    assert GAP <= pool.would_end - pool.ended <= 2 * GAP
    assert figures(w)[Field.WOULD_AVOID_HOURS] > Decimal("1.7"), "most of an hour on two instances"


def test_an_observed_pool_whose_look_was_lost_counts_from_the_last_plan() -> None:
    w = learned(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=14)
    w.queue.waiting = []
    w.pass_time(minutes=70)
    w.tick()
    assert w.pool().state is PoolState.EXPIRED
    assert figures(w)[Field.WOULD_AVOID_HOURS] > Decimal("1.7")


def test_the_sweep_ends_what_control_forgot_although_the_plan_of_now_begins_now() -> None:
    w = learned()
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=14)
    w.queue.waiting = []
    w.pass_time(minutes=15)
    w.tick()
    assert w.pool().state is PoolState.ENDED


@pytest.mark.parametrize("late", [0, 5])
def test_a_warned_pool_is_ended_even_when_its_look_comes_late_and_is_not_announced_again(late: int) -> None:
    w = learned(grace=2 * MINUTE)
    w.run(keep_alive=3600)
    while not w.news():
        w.pass_time(10, seconds=10)
    [(at, message)] = w.queue.waiting
    w.queue.waiting = []
    w.bench.pass_time((at - w.now).total_seconds() + 60 * late)
    w.control({**message, "time": w.now.isoformat()})
    assert w.pool().state is PoolState.ENDED
    assert w.news() == ["Warm Pool Ending job-1", "Warm Pool Ended job-1"]


def test_a_pool_that_nobody_ever_came_for_teaches_although_its_like_never_comes_back() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=1800)
    w.pass_time(minutes=20)
    for _ in range(8):
        w.pass_time(minutes=15)
        w.tick()
    [key] = w.histories.known.keys.values()
    assert (key.gaps.resolved, key.waiting) == (1, ())
    assert w.histories.known.teams["default"].gaps.resolved == 1


@pytest.mark.case("WP-07")
def test_what_managed_spot_saved_is_noted_for_the_kind_of_pool_that_the_job_could_have_left() -> None:
    w = world()
    w.bench.call("CreateTrainingJob", **spot_request())
    w.pass_time(minutes=20)
    [lesson] = [lesson for lesson in w.histories.notes.values() if isinstance(lesson, SpotEnded)]
    record = w.ledger.items[w.key()]
    assert lesson.fingerprint == record.job.match_fingerprint
    assert record.job.training_time is not None
    assert record.job.billable_time is not None
    hours = (record.job.training_time - record.job.billable_time) / timedelta(hours=1)
    assert lesson.saved_usd == pytest.approx(
        hours * (record.job.instance_count or 0) * float(price().usd_per_hour), abs=0.001
    )
    unpriced = PoolWorld(FakeSettings(settings()))
    unpriced.bench.call("CreateTrainingJob", **spot_request())
    unpriced.pass_time(minutes=20)
    assert unpriced.histories.notes == {}, "unknown is not zero"
