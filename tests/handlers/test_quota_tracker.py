"""The tracker against the local Service Quotas with its limits on: every status by script, each change told once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.fakes import Crash, FakeBus, FakeKillSwitch, Fuse
from tests.quota_fakes import Deployer, FakeLiveJobs, FakeQuotaLedger, QuotaDesk, tick_at
from trainops.domain.quota_records import QuotaRecord, QuotaState
from trainops.domain.quota_usage import HeldInstances
from trainops.errors import TryLater
from trainops.telemetry import Metric, Outcome
from trainops.workflows.quota_tracker import QuotaTracker
from trainops.workflows.quota_turn import QuotaTurn

TRAINING = "ml.g5.xlarge for training job usage"
WARM = "ml.g5.xlarge for training warm pool usage"
LOOK = {"GetServiceQuota": 1, "GetRequestedServiceQuotaChange": 1}


class World:
    """A deployment, its ledger, and the tracker that runs when a test says so."""

    def __init__(self, region: str = "eu-central-1") -> None:
        self.desk, self.ledger = QuotaDesk(region), FakeQuotaLedger()
        self.stack = Deployer(self.desk, self.ledger)
        self.jobs, self.bus, self.switch = FakeLiveJobs(), FakeBus(), FakeKillSwitch()

    def tick(self, has_time: Callable[[], bool] = lambda: True) -> Outcome:
        turn = QuotaTurn(self.desk.product(), self.switch.is_on)
        return QuotaTracker(self.ledger, turn, self.jobs, self.bus)(tick_at(self.desk.clock.now()), has_time)

    def told(self) -> list[str]:
        """The states told since the last time."""
        states = [event.detail["state"] for event in self.bus.published]
        self.bus.published.clear()
        return states

    def record(self, name: str = TRAINING) -> QuotaRecord:
        found = self.ledger.quota(name)
        assert found is not None
        return found


def asked(value: int = 8) -> World:
    """A deployment has asked for 8, and the tracker has told so."""
    world = World()
    world.stack.deploy({"ml.g5.xlarge": {"training": value}})
    world.tick()
    assert world.told() == ["PENDING"]
    world.desk.counted()
    return world


@pytest.mark.parametrize(
    ("status", "script", "state", "value"),
    [
        ("PENDING", {}, QuotaState.PENDING, 0),
        ("CASE_OPENED", {"case_id": "1700000001"}, QuotaState.CASE_OPENED, 0),
        ("APPROVED", {}, QuotaState.ENOUGH, 8),
        ("APPROVED", {"value_after_seconds": 600}, QuotaState.APPROVED, 0),
        ("DENIED", {}, QuotaState.DENIED, 0),
        ("CASE_CLOSED", {}, QuotaState.CASE_CLOSED, 0),
        ("CASE_CLOSED", {"value": 5}, QuotaState.CASE_CLOSED, 5),
        ("CASE_CLOSED", {"value": 8}, QuotaState.ENOUGH, 8),
        ("NOT_APPROVED", {}, QuotaState.NOT_APPROVED, 0),
        ("INVALID_REQUEST", {}, QuotaState.INVALID_REQUEST, 0),
    ],
)
def test_every_status_is_followed_with_two_calls_and_told_once(
    status: str, script: dict[str, Any], state: QuotaState, value: int
) -> None:
    world = asked()
    world.desk.decide(status, **script)
    for _ in range(3):
        world.tick()
    record = world.record()
    assert record.state is state
    assert record.seen is not None
    assert record.seen.value == value
    assert world.told() == ([] if state is QuotaState.PENDING else [state.value])
    assert len(world.desk.requests) == 1, "what was decided is not asked for again"
    assert all(count <= 3 for count in world.desk.counted().values()), "at most one read of each kind a tick"


def test_an_approval_is_told_before_and_after_it_is_visible() -> None:
    world = asked()
    world.desk.decide("APPROVED", value_after_seconds=600)
    world.tick()
    assert "was approved, which is not visible yet" in world.record().reason
    world.desk.clock.advance(timedelta(seconds=599))
    world.tick()
    world.desk.clock.advance(timedelta(seconds=1))
    world.tick()
    assert world.told() == ["APPROVED", "enough"]


@pytest.mark.parametrize(("later", "state"), [(timedelta(hours=23), "APPROVED"), (timedelta(days=1), "CASE_CLOSED")])
def test_an_approval_that_stays_invisible_for_a_day_needs_a_person(later: timedelta, state: str) -> None:
    world = asked()
    world.desk.decide("APPROVED", value=0)
    world.desk.clock.advance(later)
    world.tick()
    assert world.told() == [state]


@pytest.mark.case("QU-01")
@pytest.mark.parametrize("status", ["APPROVED", "DENIED"])
def test_a_wish_that_grew_while_a_request_was_open_is_asked_for_when_it_closes(status: str) -> None:
    world = asked(4)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    world.tick()
    assert [change.desired for change in world.desk.requests] == [4]
    world.desk.decide(status)
    world.tick()
    assert [change.desired for change in world.desk.requests] == [4, 8]
    assert world.record().state is QuotaState.PENDING


@pytest.mark.case("QU-09")
def test_what_was_carried_over_is_filed_as_soon_as_requests_close() -> None:
    world = World("eu-south-1")
    kinds = ["ml.g5.xlarge", "ml.g5.2xlarge", "ml.g5.4xlarge", "ml.g6.xlarge"]
    world.stack.deploy({kind: {"training": 8, "warm_pool": 4, "spot": 4} for kind in kinds})
    outcome = world.tick()
    assert outcome.counts[Metric.POSTPONED] == 10
    for filed in range(2, 13, 2):
        assert len(world.desk.requests) == filed
        for change in world.desk.requests:
            world.desk.quotas.decide(change.id, {"status": "APPROVED"})
        outcome = world.tick()
    assert outcome.counts[Metric.POSTPONED] == 0
    assert {record.state for record in world.ledger.quotas()} == {QuotaState.ENOUGH}
    assert world.desk.throttled == 0


def test_while_the_kill_switch_is_on_requests_are_followed_and_none_is_made() -> None:
    world = asked(4)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    world.desk.decide("DENIED")
    world.switch.on = True
    assert world.tick().counts[Metric.POSTPONED] == 1
    assert len(world.desk.requests) == 1
    world.switch.on = False
    world.tick()
    assert [change.desired for change in world.desk.requests] == [4, 8]


def test_a_case_that_support_granted_out_of_band_is_enough_and_nothing_is_asked() -> None:
    world = asked()
    world.desk.grant(TRAINING, 100)
    world.tick()
    assert world.record().reason == "the quota is 100: already above (8)"
    assert world.told() == ["enough"]


@pytest.mark.case("MX-06")
def test_only_wanted_quotas_are_read_and_none_when_nothing_is_wanted() -> None:
    world = World()
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
    world = World()
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
    world = World()
    world.desk.grant(WARM, 8)
    world.desk.grant("ml.m5.xlarge for processing job usage", 8)
    world.stack.deploy({"ml.g5.xlarge": {"warm_pool": 8}, "ml.m5.xlarge": {"processing": 8}})
    world.jobs.jobs = [HeldInstances({"ml.g5.xlarge": 2}, "Completed", idle=True)]
    outcome = world.tick()
    seen = world.record(WARM).seen
    assert seen is not None
    assert not seen.has_usage_metric
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


@pytest.mark.parametrize("before", [True, False])
def test_a_change_is_told_although_the_process_died_around_its_publication(*, before: bool) -> None:
    world = asked()
    world.desk.decide("DENIED")
    world.bus.fuse = Fuse(before=1) if before else Fuse(after=1)
    with pytest.raises(Crash):
        world.tick()
    world.bus.fuse = Fuse()
    world.tick()
    world.tick()
    assert set(world.told()) == {"DENIED"}


def test_a_quota_that_cannot_be_read_now_keeps_its_state_and_the_others_are_looked_at() -> None:
    world = World()
    world.stack.deploy({"ml.g5.xlarge": {"training": 8, "warm_pool": 8}})
    world.desk.failures.add({"operation": "GetServiceQuota", "code": "TooManyRequestsException"})
    outcome = world.tick()
    assert f"left for later: {TRAINING}: GetServiceQuota: TooManyRequestsException" in outcome.reason or (
        f"left for later: {WARM}" in outcome.reason
    )
    assert (outcome.counts[Metric.SWEPT], outcome.counts[Metric.WALK_CUT_SHORT]) == (0, 1)
    assert world.told() == ["PENDING"], "the other one is told"
    assert world.tick().counts[Metric.SWEPT] == 1
    assert world.told() == ["PENDING"]


def test_a_tick_without_time_left_says_what_was_left() -> None:
    world = World()
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert "time ran out" in world.tick(lambda: False).reason


def test_an_event_without_a_time_is_an_error() -> None:
    world = World()
    tracker = QuotaTracker(world.ledger, QuotaTurn(world.desk.product()), world.jobs, world.bus)
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        tracker({}, lambda: True)
