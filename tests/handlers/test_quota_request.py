"""One deployment against the local Service Quotas with its limits on: what is asked for, and with how many calls."""

import pytest

from tests.handlers.quota_world import ASKED, TRAINING, WARM, reason, state, world
from trainops.domain.quota_records import QuotaState
from trainops.errors import QuotaShort


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
