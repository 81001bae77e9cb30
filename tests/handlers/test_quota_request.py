"""The custom resource against the local Service Quotas with its limits on: every deployment's calls are counted."""

import pytest

from local.service_quotas.catalogue import by_name
from tests.quota_fakes import Deployer, FakeQuotaLedger, QuotaDesk
from trainops.domain.quota_records import QuotaState
from trainops.errors import QuotaShort

TRAINING = "ml.g5.xlarge for training job usage"
WARM = "ml.g5.xlarge for training warm pool usage"
CHECK = {"GetServiceQuota": 1, "ListRequestedServiceQuotaChangeHistoryByQuota": 1}
ASKED = {**CHECK, "RequestServiceQuotaIncrease": 1}


def world(region: str = "eu-central-1") -> tuple[QuotaDesk, FakeQuotaLedger, Deployer]:
    desk, ledger = QuotaDesk(region), FakeQuotaLedger()
    return desk, ledger, Deployer(desk, ledger)


def state(ledger: FakeQuotaLedger, name: str = TRAINING) -> QuotaState | None:
    record = ledger.quota(name)
    assert record is not None
    return record.state


def reason(ledger: FakeQuotaLedger, name: str = TRAINING) -> str:
    record = ledger.quota(name)
    assert record is not None
    return record.reason


def test_a_deployment_asks_for_each_quota_that_is_too_low_and_waits_for_nobody() -> None:
    desk, ledger, stack = world()
    stack.deploy({"ml.g5.xlarge": {"warm_pool": 8, "training": 16, "spot": 0}})
    assert [(change.quota.name, change.desired) for change in desk.requests] == [(WARM, 8), (TRAINING, 16)]
    assert desk.counted() == {"GetServiceQuota": 3, **{name: 2 for name in ASKED if name != "GetServiceQuota"}}
    assert (state(ledger), state(ledger, WARM)) == (QuotaState.PENDING, QuotaState.PENDING)
    assert state(ledger, "ml.g5.xlarge for spot training job usage") is QuotaState.ENOUGH
    assert desk.throttled == 0


@pytest.mark.case("QU-01")
def test_a_larger_wish_waits_for_the_open_request_and_names_it() -> None:
    desk, ledger, stack = world()
    stack.deploy({"ml.g5.xlarge": {"training": 4}})
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    [request] = desk.requests
    assert request.desired == 4
    assert f"waiting on request {request.id}" in reason(ledger)
    assert "asks for 4; 8 follow when it closes" in reason(ledger)
    desk.decide("APPROVED")
    stack.deploy({"ml.g5.xlarge": {"training": 8, "spot": 0}})
    assert [change.desired for change in desk.requests] == [4, 8]


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


@pytest.mark.case("QU-04", "QU-05")
@pytest.mark.parametrize(("wanted", "current"), [(2, 10), (80, 100), (10, 10)])
def test_a_quota_that_is_enough_is_neither_lowered_nor_asked_for(wanted: int, current: int) -> None:
    desk, ledger, stack = world()
    desk.grant(TRAINING, current)
    stack.deploy({"ml.g5.xlarge": {"training": wanted}})
    assert desk.requests == []
    assert desk.counted() == {"GetServiceQuota": 1}
    assert f"the quota is {current}: " in reason(ledger)
    assert ("already above" in reason(ledger)) is (current > wanted)


@pytest.mark.case("QU-06")
def test_a_quota_without_an_applied_value_has_its_default_and_is_asked_for() -> None:
    desk, ledger, stack = world()
    desk.grant(TRAINING, None)
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == {**ASKED, "GetAWSDefaultServiceQuota": 1}
    assert desk.requests[0].desired == 8
    record = ledger.quota(TRAINING)
    assert record is not None
    assert record.seen is not None
    assert record.seen.default


@pytest.mark.case("QU-06")
def test_a_quota_that_the_region_does_not_offer_is_said_so_and_the_stack_succeeds() -> None:
    desk, ledger, stack = world()
    stack.deploy({"ml.x9.xlarge": {"training": 8}})
    assert state(ledger, "ml.x9.xlarge for training job usage") is QuotaState.NOT_OFFERED
    assert desk.requests == []
    pages = desk.counted()
    assert pages["ListServiceQuotas"] >= 16, "more than 1,500 quotas, a hundred a page"
    assert pages["ListAWSDefaultServiceQuotas"] >= 16
    assert desk.throttled == 0


@pytest.mark.case("QU-08")
def test_a_rollback_for_another_reason_does_not_spoil_the_next_deployment() -> None:
    desk, ledger, stack = world()
    wanted = stack.wanted({"ml.g5.xlarge": {"training": 8}})
    stack.send("Create", wanted)
    assert desk.counted() == ASKED
    stack.roll_back(wanted, None)
    assert desk.counted() == {}, "deleting calls nothing"
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == {"GetServiceQuota": 1, "GetRequestedServiceQuotaChange": 1}
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


@pytest.mark.case("QU-09")
def test_twelve_quotas_in_a_region_of_two_open_requests_deploy_green_and_ten_are_deferred() -> None:
    desk, ledger, stack = world("eu-south-1")
    kinds = ["ml.g5.xlarge", "ml.g5.2xlarge", "ml.g5.4xlarge", "ml.g6.xlarge"]
    stack.deploy({kind: {"training": 8, "warm_pool": 4, "spot": 4} for kind in kinds})
    assert len(desk.requests) == 2
    states = [record.state for record in ledger.quotas()]
    assert states.count(QuotaState.DEFERRED) == 10
    assert states.count(QuotaState.PENDING) == 2
    assert all("too many requests are open" in r.reason for r in ledger.quotas() if r.state is QuotaState.DEFERRED)


@pytest.mark.case("QU-11", "CD-01")
def test_deleting_and_an_unchanged_wish_call_nothing_new_and_keep_the_case() -> None:
    desk, ledger, stack = world()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    desk.decide("CASE_OPENED", case_id="1700000001")
    desk.counted()
    stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == {"GetServiceQuota": 1, "GetRequestedServiceQuotaChange": 1}, "reading only"
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
    assert calls == [ASKED, {}, {"GetServiceQuota": 1, "GetRequestedServiceQuotaChange": 1}, {}]
    assert len(desk.requests) == 1


def test_two_stacks_that_want_the_same_quota_make_one_request_and_the_larger_wish_counts() -> None:
    desk, ledger, blue = world()
    green = Deployer(desk, ledger, "green")
    blue.deploy({"ml.g5.xlarge": {"training": 8}})
    assert desk.counted() == ASKED
    green.deploy({"ml.G5.xlarge": {"training": 6}})
    assert desk.counted() == {"GetServiceQuota": 1, "GetRequestedServiceQuotaChange": 1}
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


@pytest.mark.parametrize("fails", [False, True])
def test_a_refused_request_fails_the_deployment_only_where_the_settings_say_so(fails: bool) -> None:
    desk, ledger, stack = world()
    desk.failures.add({"operation": "RequestServiceQuotaIncrease", "code": "DependencyAccessDeniedException"})
    if fails:
        with pytest.raises(QuotaShort, match="DependencyAccessDeniedException"):
            stack.deploy({"ml.g5.xlarge": {"training": 8}}, FailOnRefusal="true")
    else:
        stack.deploy({"ml.g5.xlarge": {"training": 8}})
    assert state(ledger) is QuotaState.REFUSED


@pytest.mark.parametrize("operation", ["GetServiceQuota", "RequestServiceQuotaIncrease"])
def test_what_is_throttled_is_carried_over(operation: str) -> None:
    desk, ledger, stack = world()
    desk.failures.add({"operation": operation, "code": "TooManyRequestsException"})
    stack.deploy({"ml.g5.xlarge": {"training": 8}}, FailOnRefusal="true")
    assert state(ledger) is QuotaState.DEFERRED
    assert f"{operation}: TooManyRequestsException" in reason(ledger)


def test_whether_a_support_case_may_be_opened_is_the_settings_choice() -> None:
    desk, _, stack = world()
    stack.deploy({"ml.g5.xlarge": {"training": 8}}, SupportCaseAllowed="false")
    assert not desk.requests[0].case_allowed


def test_the_limits_of_the_account_are_found_by_their_codes() -> None:
    desk, _, stack = world()
    stack.deploy({}, Account={"training_instances": "8", "longest_run_seconds": "432000", "volume_gb": "2048"})
    assert [(change.quota.code, change.desired) for change in desk.requests] == [
        ("L-00C91CB5", 8),
        ("L-C5A266EB", 2048),
    ]
    assert desk.counted()["GetServiceQuota"] == 3


def test_the_quota_that_debugger_rules_use_is_found_by_name() -> None:
    desk, _, stack = world()
    stack.deploy({"ml.m5.xlarge": {"processing": 4}})
    assert [change.quota.name for change in desk.requests] == ["ml.m5.xlarge for processing job usage"]
    assert desk.counted()["ListServiceQuotas"] >= 16


@pytest.mark.case("CD-16")
def test_a_wish_of_an_unknown_kind_is_an_error_that_names_it() -> None:
    _, _, stack = world()
    with pytest.raises(ValueError, match="pool"):
        stack.send("Create", stack.wanted({"ml.g5.xlarge": {"pool": 1}}))
