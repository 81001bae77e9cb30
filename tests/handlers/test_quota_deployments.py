"""Several deployments, rollbacks and stacks against the local Service Quotas with its limits on; calls counted."""

import pytest

from local.service_quotas.catalogue import by_name
from tests.handlers.quota_world import ASKED, CHECK, LOOK, TRAINING, reason, state, world
from tests.quota_fakes import Deployer, FakeQuotaLedger
from trainops.domain.quota_records import QuotaState
from trainops.errors import QuotaShort


@pytest.mark.case("QU-02")
def test_three_deployments_within_an_hour_make_one_request() -> None:
    desk, ledger, stack = world()
    calls = []
    for spot in (0, 1, 0):  # something else changes each time; without a change CloudFormation would not even call
        desk.grant("ml.g5.xlarge for spot training job usage", 5)
        stack.deploy({"ml.g5.xlarge": {"training": 8, "spot": spot}})
        calls.append(desk.counted())
    assert len(desk.requests) == 1
    assert calls[0]["RequestServiceQuotaIncrease"] == 1
    assert calls[1] == calls[2] == {"GetServiceQuota": 2, "GetRequestedServiceQuotaChange": 1}
    assert state(ledger) is QuotaState.PENDING


@pytest.mark.case("QU-08")
def test_a_rollback_for_another_reason_does_not_spoil_the_next_deployment() -> None:
    desk, ledger, stack = world()
    wanted = stack.wanted({"ml.g5.xlarge": {"training": 8}})
    stack.send("Create", wanted)
    assert desk.counted() == ASKED
    stack.roll_back(wanted, None)
    assert desk.counted() == {}, "deleting calls nothing"
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == LOOK
    assert len(desk.requests) == 1
    assert "waiting on request" in reason(ledger)


@pytest.mark.case("QU-08")
def test_a_request_that_somebody_else_opened_is_the_existing_one() -> None:
    desk, ledger, stack = world()
    other = desk.product().ask(by_name()[TRAINING].code, 8, case_allowed=True)
    desk.counted()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == CHECK
    assert other.id in reason(ledger)


@pytest.mark.case("QU-11", "CD-01")
def test_deleting_and_an_unchanged_wish_call_nothing_and_keep_the_case() -> None:
    desk, ledger, stack = world()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    desk.decide("CASE_OPENED", case_id="1700000001")
    stack.deploy({"ml.g5.xlarge": {"training": 8, "spot": 0}})
    desk.counted()
    stack.deploy({"ml.g5.xlarge": {"training": 8, "spot": 0}})
    assert desk.counted() == {}, "the same again"
    stack.destroy()
    assert desk.counted() == {}
    record = ledger.quota(TRAINING)
    assert record is not None
    assert record.request is not None
    assert record.request.case_id == "1700000001"


@pytest.mark.case("CD-02", "CD-04")
def test_the_physical_id_is_the_same_through_failures_status_changes_and_a_rollback() -> None:
    desk, _, stack = world()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    desk.decide("DENIED")
    with pytest.raises(QuotaShort):
        stack.deploy({"ml.g5.xlarge": {"training": 8}, "ml.x9.xlarge": {"training": 1}}, FailOnRefusal="true")
    stack.destroy()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert len(set(stack.answers)) == 1
    assert len(stack.answers) == 4, "create, rollback, delete, create; the failed update has no answer"


@pytest.mark.case("QU-08", "QU-11")
def test_a_failed_update_its_rollback_and_a_delete_ask_for_nothing_twice() -> None:
    desk, ledger, stack = world()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    first = desk.counted()
    with pytest.raises(QuotaShort, match=r"ml\.x9\.xlarge for training job usage: the Region has no quota"):
        stack.deploy({"ml.g5.xlarge": {"training": 8}, "ml.x9.xlarge": {"training": 1}}, FailOnRefusal="true")
    failed_and_rolled_back = desk.counted()
    stack.destroy()
    assert first == ASKED
    assert "RequestServiceQuotaIncrease" not in failed_and_rolled_back
    assert failed_and_rolled_back["GetRequestedServiceQuotaChange"] == 2
    assert desk.counted() == {}
    assert len(desk.requests) == 1
    dropped = ledger.quota("ml.x9.xlarge for training job usage")
    assert dropped is not None
    assert dropped.wishes == {}, "the rollback took the wish back"


def test_deploying_and_destroying_twice_makes_one_request() -> None:
    desk, _, stack = world()
    calls = []
    for _ in range(2):
        stack.deploy({"ml.g5.xlarge": {"training": 8}})
        calls.append(desk.counted())
        stack.destroy()
        calls.append(desk.counted())
    assert calls == [ASKED, {}, LOOK, {}]
    assert len(desk.requests) == 1


def test_two_stacks_that_want_the_same_quota_make_one_request_and_the_larger_wish_counts() -> None:
    desk, ledger, blue = world()
    green = Deployer(desk, ledger, "green")
    blue.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == ASKED
    green.deploy({"ml.G5.xlarge": {"training": 6}})
    assert desk.counted() == LOOK
    [record] = ledger.quotas()
    assert (record.wishes, record.wanted) == ({"trainops-operations": 8, "green": 6}, 8)
    green.deploy({"ml.g5.xlarge": {"spot": 0}})
    [record, _] = ledger.quotas()
    assert record.wishes == {"trainops-operations": 8}


def test_two_stacks_that_ask_at_the_same_moment_make_one_request() -> None:
    """The other's request comes between our look and ours: another ledger, so only Service Quotas knows."""
    desk, ledger, blue = world()
    green = Deployer(desk, FakeQuotaLedger(), "green")

    def race(operation: str) -> None:
        if operation == "RequestServiceQuotaIncrease":
            desk.before = None
            green.deploy({"ml.g5.xlarge": {"training": 8}})

    desk.before = race
    blue.deploy({"ml.g5.xlarge": {"training": 8}})
    assert len(desk.requests) == 1
    assert state(ledger) is QuotaState.PENDING
    assert f"existing request {desk.requests[0].id}" in reason(ledger)
