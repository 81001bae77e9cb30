"""Sweeps as runs: one at a time, one digest for many pools, teams apart, and what is learned."""

from datetime import timedelta

import pytest

from tests.handlers.pool_world import MINUTE, world
from tests.local.simulator.bench import Everyone
from trainops.domain.warm_pools import PoolState
from trainops.telemetry import Field, Metric


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


def test_a_pool_of_a_digest_that_a_hold_keeps_is_told_as_held_and_its_later_end_for_itself() -> None:
    w = world()
    for number in range(6):
        w.run(f"job-{number}", keep_alive=3600)
    w.pass_time(300, minutes=15)
    w.queue.waiting = []
    w.pass_time(300, minutes=20)
    tag = {"Key": "trainops:hold-until", "Value": f"{w.now + 10 * MINUTE:%Y-%m-%dT%H:%MZ}"}
    w.bench.call("AddTags", ResourceArn=w.key("job-3").arn, Tags=[tag])
    w.tick()
    assert w.news() == ["Warm Pool Sweep job-5", "Warm Pool Held job-3"]
    w.pass_time(60, minutes=14)
    assert w.news()[2:] == ["Warm Pool Ended job-3"]
    w.tick()
    last = w.pools.digests[max(w.pools.digests)]
    assert last.ended == 5, "the sixth was told for itself"


@pytest.mark.case("IA-01")
def test_refusals_of_many_pools_are_counted_at_once_and_told_by_the_next_digest_once() -> None:
    w = world()
    w.bench.caller = Everyone(denied=frozenset({"sagemaker:UpdateTrainingJob"}))
    for number in range(6):
        w.run(f"job-{number}", keep_alive=3600)
    w.pass_time(300, minutes=15)
    w.queue.waiting = []
    w.pass_time(300, minutes=20)
    w.tick()
    assert sum(outcome.counts.get(Metric.POOLS_REFUSED, 0) for outcome in w.outcomes) == 6
    for minutes, refused in ((15, 6), (15, 0)):
        w.pass_time(300, minutes=minutes)
        w.tick()
        assert w.pools.digests[max(w.pools.digests)].refused == 6, "nothing new is told"
        assert (w.now in w.pools.digests) is (refused > 0)
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
    assert w.tick().counts[Metric.WALK_CUT_SHORT] == 0


def test_a_tick_that_comes_late_and_finds_a_later_ones_mark_comes_to_its_end() -> None:
    w = world()
    w.pools.swept = w.now + 15 * MINUTE
    assert w.tick().counts[Metric.WALK_CUT_SHORT] == 0


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


def test_each_teams_available_pools_are_counted() -> None:
    w = world()
    for number, team in enumerate(["vision", "vision", "language"]):
        w.run(f"job-{number}", keep_alive=3600, Tags=[{"Key": "team", "Value": team}])
    w.pass_time(minutes=16)
    outcome = w.tick()
    assert outcome.figures == {"vision": {Field.POOLS_AVAILABLE: 2}, "language": {Field.POOLS_AVAILABLE: 1}}
    w.settings.known = {"vision"}
    assert w.tick().figures == {"vision": {Field.POOLS_AVAILABLE: 2}, "default": {Field.POOLS_AVAILABLE: 1}}


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
