"""What the tracker reads and counts: only what is wanted, from jobs, and never nought for what it does not know."""

from datetime import timedelta

import pytest

from tests.handlers.quota_world import TRAINING, WARM, TrackerWorld
from trainops.domain.quota_usage import HeldInstances
from trainops.errors import TryLater
from trainops.telemetry import Metric
from trainops.workflows.quota_tracker import QuotaTracker
from trainops.workflows.quota_turn import QuotaTurn


@pytest.mark.case("MX-06")
def test_only_wanted_quotas_are_read_and_none_when_nothing_is_wanted() -> None:
    world = TrackerWorld()
    assert world.tick().reason == "no deployment wants any quota"
    assert (world.desk.counted(), world.jobs.asked) == ({}, 0)
    for name in (TRAINING, WARM):
        world.desk.grant(name, 8)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8, "warm_pool": 8}})
    world.desk.counted()
    world.tick()
    assert world.desk.counted() == {"GetServiceQuota": 2}
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    world.desk.counted()
    world.tick()
    assert world.desk.counted() == {"GetServiceQuota": 1}


@pytest.mark.case("QU-14", "QU-16")
@pytest.mark.parametrize("offset", [0, 5, 14])
def test_a_use_of_eight_of_eight_for_twenty_minutes_is_seen_whenever_the_ticks_fall(offset: int) -> None:
    world = TrackerWorld()
    world.desk.grant(TRAINING, 8)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    begins, ends, highest = timedelta(minutes=40), timedelta(minutes=60), 0
    world.desk.clock.advance(timedelta(minutes=offset))
    for number in range(6):
        at = timedelta(minutes=offset + 15 * number)
        busy = [HeldInstances({"ml.g5.xlarge": 1}, "InProgress")] * 8
        world.jobs.jobs = busy if begins <= at < ends else busy[:1]
        highest = max(highest, world.tick().counts[Metric.QUOTA_USED_PERCENT])
        world.desk.clock.advance(timedelta(minutes=15))
    assert highest == 100


@pytest.mark.case("QU-21")
def test_use_without_a_usage_metric_is_counted_from_jobs_or_unknown_and_never_nought() -> None:
    world = TrackerWorld()
    world.desk.grant(WARM, 8)
    world.desk.grant("ml.m5.xlarge for processing job usage", 8)
    world.stack.deploy({"ml.g5.xlarge": {"warm_pool": 8}, "ml.m5.xlarge": {"processing": 8}})
    world.jobs.jobs = [HeldInstances({"ml.g5.xlarge": 2}, "Completed", idle=True)]
    outcome = world.tick()
    seen = world.record(WARM).seen
    assert seen is not None
    assert seen.usage_metric is None
    notes = {str(note["instance_type"]): note for note in outcome.notes}
    warm, processing = notes["ml.g5.xlarge"], notes["ml.m5.xlarge"]
    assert (warm["value"], warm["used"], warm["used_from"]) == (8, 2, "counted from jobs")
    assert (processing["value"], processing["used"], processing["used_from"]) == (8, None, "unknown")
    assert outcome.counts[Metric.QUOTA_USED_PERCENT] == 25
    world.jobs.fault = TryLater("Search: ThrottlingException")
    outcome = world.tick()
    assert world.record(WARM).used is None
    assert Metric.QUOTA_USED_PERCENT not in outcome.counts
    assert outcome.counts[Metric.WALK_CUT_SHORT] == 1


def test_a_quota_that_cannot_be_read_now_keeps_its_state_and_the_others_are_looked_at() -> None:
    world = TrackerWorld()
    world.stack.deploy({"ml.g5.xlarge": {"training": 8, "warm_pool": 8}})
    world.desk.failures.add({"operation": "GetServiceQuota", "code": "TooManyRequestsException"})
    outcome = world.tick()
    assert f"left for later: {TRAINING}: GetServiceQuota: TooManyRequestsException" in outcome.reason or (
        f"left for later: {WARM}" in outcome.reason
    )
    assert outcome.counts[Metric.WALK_CUT_SHORT] == 1
    assert world.told() == ["PENDING", "PENDING"], "both are told of what the deployment did"
    assert world.tick().counts[Metric.WALK_CUT_SHORT] == 0
    assert world.told() == []


def test_a_tick_without_time_left_says_what_was_left() -> None:
    world = TrackerWorld()
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert "time ran out" in world.tick(lambda: False).reason


def test_an_event_without_a_time_is_an_error() -> None:
    world = TrackerWorld()
    tracker = QuotaTracker(world.ledger, QuotaTurn(world.desk.product()), world.jobs, world.bus)
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        tracker({}, lambda: True)
