"""The safety net: what a sweep finds, what it asks for, and what it never does."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.plans import Plan
from tests.builders import price
from tests.handlers.pool_world import PoolWorld
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolState
from trainops.errors import TryLater
from trainops.telemetry import Metric

MINUTE = timedelta(minutes=1)


def world(**chosen: Any) -> PoolWorld:
    return PoolWorld(FakeSettings(settings(**chosen)), price=price())


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


@pytest.mark.case("OP-03")
def test_seventy_seven_pools_in_one_sweep_are_one_digest_with_totals_and_the_most_expensive() -> None:
    w = world()
    resources = {"VolumeSizeInGB": 50, "KeepAlivePeriodInSeconds": 3600, "InstanceType": "ml.g5.xlarge"}
    for number in range(77):
        w.run(f"job-{number:02}", ResourceConfig={**resources, "InstanceCount": 4 if number == 33 else 1})
    w.pass_time(300, minutes=15)
    w.queue.waiting = []
    w.pass_time(300, minutes=25)
    w.tick()
    assert w.news() == ["Warm Pool Sweep job-76"], "one message and not 77"
    [digest] = w.pools.digests.values()
    assert (digest.count, digest.without_price) == (77, 0)
    assert digest.idle_hours is not None
    assert digest.idle_usd is not None
    idle = (w.now - w.pool("job-00").ended) * 80
    assert abs(float(digest.idle_hours) - idle / timedelta(hours=1)) < 0.01
    assert digest.top[0].startswith("job-33, 4 \N{MULTIPLICATION SIGN} ml.g5.xlarge, team default: $")
    assert len(digest.top) == 5
    assert digest.log_group == "/sweep"
    assert {w.pool(f"job-{number:02}").state for number in range(77)} == {PoolState.ENDED}
    w.pass_time(300, minutes=15)
    w.tick()
    assert len(w.news()) == 2, "what became of them is told once"
    last = w.pools.digests[max(w.pools.digests)]
    assert (last.count, last.ended, last.refused) == (0, 77, 0)
    assert last.avoided_usd is not None
    assert last.avoided_usd > 0
    w.pass_time(300, minutes=15)
    w.tick()
    assert len(w.news()) == 2


def test_two_sweeps_at_once_are_one() -> None:
    w = world()
    w.pools.take_lease(w.now, w.now + 10 * MINUTE)
    outcome = w.tick()
    assert outcome.reason == "another sweep is at work; this one did nothing"
    assert w.client.asked == []


def test_a_sweep_that_was_killed_holds_up_the_next_ones_only_for_its_lease() -> None:
    w = world()
    w.pools.take_lease(w.now, w.now + 10 * MINUTE)
    w.bench.pass_time(15 * 60)
    assert w.tick().counts[Metric.SWEPT] == 1


@pytest.mark.case("WP-15")
def test_a_team_whose_settings_are_gone_is_left_alone_while_others_are_swept() -> None:
    w = world()
    for name in ("lost", "there"):
        w.run(name, keep_alive=3600, Tags=[{"Key": "team", "Value": name}])
    w.pass_time(minutes=14)
    w.queue.waiting = []
    w.settings.missing = {"lost"}
    w.pass_time(minutes=20)
    outcome = w.tick()
    assert (w.status("lost"), w.status("there")) == ("Available", "Terminated")
    assert outcome.counts[Metric.NOT_CONFIGURED] == 1
    assert "left alone: the settings of lost cannot be read" in outcome.reason
    w.settings.missing = set()
    w.tick()
    assert w.status("lost") == "Terminated"


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


def test_each_teams_available_pools_are_counted() -> None:
    w = world()
    for number, team in enumerate(["vision", "vision", "language"]):
        w.run(f"job-{number}", keep_alive=3600, Tags=[{"Key": "team", "Value": team}])
    w.pass_time(minutes=16)
    outcome = w.tick()
    assert outcome.figures == {"vision": {Metric.POOLS_AVAILABLE: 2}, "language": {Metric.POOLS_AVAILABLE: 1}}
    w.settings.known = {"vision"}
    assert w.tick().figures == {"vision": {Metric.POOLS_AVAILABLE: 2}, "default": {Metric.POOLS_AVAILABLE: 1}}


def test_only_the_sweep_learns_and_what_was_noted_a_quarter_of_an_hour_ago() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=20)
    w.run("job-2", keep_alive=3600)
    w.pass_time(minutes=20)
    assert w.histories.known.teams == {}
    outcome = w.tick()
    assert "learned from 3 notes" in outcome.reason
    assert w.histories.known.teams["default"].gaps.resolved == 1
    w.tick()
    assert w.histories.known.teams["default"].gaps.resolved == 1, "a repetition teaches nothing"


def test_a_schedule_without_a_time_is_a_fault_that_names_it() -> None:
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        world().sweep({}, lambda: True)
