"""The safety net: what a sweep finds, what it asks for, and what it never does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from local.sagemaker.plans import Plan
from tests.handlers.pool_world import MINUTE, PoolWorld, world
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolState
from trainops.errors import TryLater
from trainops.telemetry import Metric


def deaf(w: PoolWorld) -> PoolWorld:
    """Nothing that happens is delivered."""
    w.bench.simulator.emit = False
    return w


def test_a_pool_that_no_event_told_of_is_found_described_and_ended() -> None:
    w = deaf(world())
    w.run(keep_alive=3600, Tags=[{"Key": "team", "Value": "vision"}])
    w.pass_time(minutes=30)
    assert w.pools.items == {}
    w.tick()
    assert (w.pool().state, w.pool().team) == (PoolState.ENDED, "vision")
    assert [name for name, _ in w.client.asked].count("ListTrainingJobs") == 1


@pytest.mark.case("WP-03")
def test_the_sweep_finds_the_pool_of_a_failed_job_whose_event_was_lost() -> None:
    w = deaf(world())
    w.run(plan=Plan(outcome="Failed", failure_reason="AlgorithmError: ExitCode 1"), keep_alive=3600)
    w.pass_time(minutes=30)
    w.tick()
    assert w.pool().state is PoolState.ENDED


@pytest.mark.case("WP-08")
def test_a_job_of_twenty_hours_that_ended_two_minutes_ago_keeps_its_pool() -> None:
    w = deaf(world(idle_limit=10 * MINUTE))
    w.run(
        plan=Plan(training_seconds=20 * 3600 - 150),
        keep_alive=3600,
        StoppingCondition={"MaxRuntimeInSeconds": 86400},
    )
    w.pass_time(600, hours=20, seconds=20)
    w.bench.pass_time(120)
    found = w.bench.describe()
    assert w.now - found["TrainingEndTime"] == 2 * MINUTE
    assert (w.now - found["CreationTime"]) > timedelta(hours=20)
    w.tick()
    pool = w.pool()
    assert (w.status(), pool.state, pool.ended) == ("Available", PoolState.KEPT, found["TrainingEndTime"])
    assert pool.plan is not None
    assert pool.plan.due == found["TrainingEndTime"] + 10 * MINUTE


def test_a_pool_younger_than_its_events_is_left_to_them() -> None:
    w = deaf(world(idle_limit=timedelta(0)))
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=13)
    w.tick()
    assert w.pools.items == {}


def test_a_known_pool_whose_reminder_was_lost_is_ended_without_a_describe_by_the_sweep() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=15)
    w.queue.waiting = []
    w.pass_time(minutes=15)
    described = w.client.count("DescribeTrainingJob")
    outcome = w.sweep({"time": w.now.isoformat()}, lambda: True)
    assert w.client.count("DescribeTrainingJob") == described
    assert outcome.reason.startswith("1 pools are available, 1 to be looked at (job-1), 0 have gone")
    w.settle()
    assert w.pool().state is PoolState.ENDED


def test_an_open_pool_that_is_not_listed_any_more_is_settled() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=600)
    w.pass_time(minutes=15)
    w.queue.waiting = []
    w.pass_time(minutes=20)
    w.tick()
    assert w.pool().state is PoolState.EXPIRED


def test_an_observing_teams_pools_are_not_asked_for_again_and_again() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=40)
    before = w.client.count("DescribeTrainingJob")
    w.tick()
    assert w.client.count("DescribeTrainingJob") == before
    assert w.status() == "Available"


@pytest.mark.case("WP-13")
@pytest.mark.parametrize("fault", ["throttled", "out of time"])
def test_a_partial_listing_stops_nothing_and_does_not_say_that_all_is_well(fault: str) -> None:
    w = deaf(world())
    for number in range(150):
        w.run(f"job-{number:03}", keep_alive=3600)
    w.pass_time(600, minutes=40)
    listed = []

    def throttle(operation: str) -> None:
        listed.append(operation)
        if operation == "ListTrainingJobs" and len(listed) == 2:
            raise TryLater("ListTrainingJobs: ThrottlingException")

    if fault == "throttled":
        w.client.before = throttle
    outcome = w.sweep({"time": w.now.isoformat()}, lambda: fault == "throttled")
    assert w.queue.sent == []
    assert outcome.counts == {Metric.WALK_CUT_SHORT: 1}, "no heartbeat either"
    assert outcome.reason.startswith("the listing of warm pools was cut short: ")
    assert outcome.reason.endswith("nothing was ended, what is idle is not known")
    w.client.before = None
    w.tick()
    assert w.pool("job-000").state is PoolState.ENDED


def test_pools_outside_the_scope_are_described_once_and_never_touched() -> None:
    w = deaf(PoolWorld(FakeSettings(settings()), scope={"department": "research"}))
    w.run(keep_alive=3600)
    w.pass_time(minutes=30)
    w.tick()
    described = w.client.count("DescribeTrainingJob")
    w.tick()
    assert (w.status(), w.pool().state) == ("Available", PoolState.OUTSIDE)
    assert w.client.count("DescribeTrainingJob") == described == 1


def test_a_pool_that_the_ledger_thinks_is_over_is_read_again() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=16)
    pool = w.pool()
    w.pools.items[pool.key] = replace(pool, state=PoolState.ABSENT, look_at=None)
    w.tick()
    assert w.pool().state is PoolState.KEPT
