"""The tracker against the local Service Quotas with its limits on: every status by script, each change told once."""

from datetime import timedelta
from typing import Any

import pytest

from tests.fakes import Crash, Fuse
from tests.handlers.quota_world import TRAINING, TrackerWorld, asked
from trainops.domain.quota_records import QuotaState


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
    world = TrackerWorld("eu-south-1")
    kinds = ["ml.g5.xlarge", "ml.g5.2xlarge", "ml.g5.4xlarge", "ml.g6.xlarge"]
    world.stack.deploy({kind: {"training": 8, "warm_pool": 4, "spot": 4} for kind in kinds})
    assert "10 deferred" in world.tick().reason
    for filed in range(2, 13, 2):
        assert len(world.desk.requests) == filed
        for change in world.desk.requests:
            world.desk.quotas.decide(change.id, {"status": "APPROVED"})
        outcome = world.tick()
    assert "deferred" not in outcome.reason
    assert {record.state for record in world.ledger.quotas()} == {QuotaState.ENOUGH}
    assert world.desk.throttled == 0


def test_while_the_kill_switch_is_on_requests_are_followed_and_none_is_made() -> None:
    world = asked(4)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    world.desk.decide("DENIED")
    world.switch.on = True
    assert "1 deferred" in world.tick().reason
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
