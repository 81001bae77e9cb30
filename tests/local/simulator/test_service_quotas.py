"""Quotas are listed, read and raised as Service Quotas does, with approvals that take effect late."""

import json
from datetime import timedelta

import pytest

from local.service_quotas.account import STATUSES
from local.service_quotas.catalogue import by_code, by_name
from tests.local.simulator.quota_bench import ARN, TRAINING, WARM, Desk, refused


def test_published_codes_and_names_are_found_and_the_rest_is_marked_as_made_up() -> None:
    assert by_code()[TRAINING].name == "ml.g5.xlarge for training job usage"
    assert by_name()["ml.m7i.2xlarge for training warm pool usage"].code == "L-E3970643"
    assert by_name()["ml.m5.4xlarge for spot training job usage"].default == 2
    assert "ml.t3.medium for training job usage" not in by_name()
    assert "ml.p6e-gb200.36xlarge for spot training job usage" not in by_name()
    assert len(by_code()) == len(by_name())
    described = Desk().call("GetAWSDefaultServiceQuota", ServiceCode="sagemaker",
                            QuotaCode=by_name()["ml.g5.xlarge for endpoint usage"].code)  # fmt: skip
    assert "made up" in described["Quota"]["Description"]


def test_the_one_service_whose_quotas_are_here_is_listed() -> None:
    assert [service["ServiceCode"] for service in Desk().call("ListServices")["Services"]] == ["sagemaker"]


def test_all_quotas_take_at_least_sixteen_pages_and_come_once_each() -> None:
    pages = Desk().every("ListServiceQuotas", "Quotas", ServiceCode="sagemaker", MaxResults=100)
    codes = [quota["QuotaCode"] for page in pages for quota in page]
    assert len(pages) >= 16
    assert len(codes) == len(set(codes)) > 1500
    assert {len(page) for page in pages[:-1]} == {100}


def test_a_quota_with_only_a_default_is_not_listed_and_not_found_until_a_value_is_applied() -> None:
    desk = Desk()
    hidden = next(quota for quota in by_code().values() if not quota.listed)
    request = {"ServiceCode": "sagemaker", "QuotaCode": hidden.code}
    assert desk.call("ListServiceQuotas", **request)["Quotas"] == []
    assert refused(lambda: desk.call("GetServiceQuota", **request)) == "NoSuchResourceException"
    default = desk.call("GetAWSDefaultServiceQuota", **request)["Quota"]
    assert (default["Value"], "::sagemaker/" in default["QuotaArn"]) == (hidden.default, True)
    desk.quotas.set_value(desk.caller.scope, hidden.name, 3)
    assert desk.value(hidden.code) == 3
    assert len(desk.call("ListServiceQuotas", **request)["Quotas"]) == 1
    defaults = desk.every("ListAWSDefaultServiceQuotas", "Quotas", ServiceCode="sagemaker", MaxResults=100)
    assert sum(map(len, defaults)) == len(by_code())


def test_only_some_quotas_have_a_usage_metric() -> None:
    desk = Desk()
    training = desk.call("GetServiceQuota", ServiceCode="sagemaker", QuotaCode=TRAINING)["Quota"]
    warm = desk.call("GetServiceQuota", ServiceCode="sagemaker", QuotaCode=WARM)["Quota"]
    assert training["UsageMetric"]["MetricDimensions"]["Resource"] == "training-job/ml.g5.xlarge"
    assert "UsageMetric" not in warm


def test_a_request_starts_pending_and_names_who_asked() -> None:
    change = Desk().ask()
    assert (change["Status"], change["DesiredValue"], change["QuotaArn"]) == ("PENDING", 8, ARN)
    assert json.loads(change["Requester"])["callerArn"].endswith("user/analyst")
    assert "CaseId" not in change


@pytest.mark.parametrize(("desired", "accepted"), [(3.9, False), (4, False), (4.1, True)])
def test_only_more_than_the_current_value_may_be_asked_for(desired: float, *, accepted: bool) -> None:
    desk = Desk()
    desk.quotas.set_value(desk.caller.scope, TRAINING, 4)
    if accepted:
        assert desk.ask(desired=desired)["Status"] == "PENDING"
    else:
        assert refused(lambda: desk.ask(desired=desired)) == "IllegalArgumentException"


@pytest.mark.parametrize("status", sorted(STATUSES))
def test_a_quota_has_one_open_request_at_a_time(status: str) -> None:
    desk = Desk()
    desk.quotas.decide(desk.ask()["Id"], {"status": status})
    if status in {"PENDING", "CASE_OPENED"}:
        assert refused(lambda: desk.ask(desired=9)) == "ResourceAlreadyExistsException"
    else:
        assert desk.ask(desired=9)["Status"] == "PENDING"


@pytest.mark.parametrize(("region", "allowed"), [("eu-central-1", 20), ("eu-south-1", 2)])
def test_an_account_has_so_many_open_requests_and_no_more(region: str, allowed: int) -> None:
    desk = Desk(region)
    codes = [quota.code for quota in by_code().values() if quota.default == 0]
    for code in codes[:allowed]:
        desk.ask(code)
    assert refused(lambda: desk.ask(codes[allowed])) == "QuotaExceededException"


def test_an_approved_value_is_in_force_only_after_its_lag() -> None:
    desk = Desk()
    change = desk.ask()
    desk.quotas.decide(change["Id"], {"status": "APPROVED", "value_after_seconds": 60})
    shown = desk.call("GetRequestedServiceQuotaChange", RequestId=change["Id"])["RequestedQuota"]
    assert (shown["Status"], desk.value()) == ("APPROVED", 0)
    desk.clock.advance(timedelta(seconds=59))
    assert desk.value() == 0
    desk.clock.advance(timedelta(seconds=1))
    assert desk.value() == desk.quotas.applied(desk.caller.scope, "ml.g5.xlarge for training job usage") == 8


def test_a_closed_case_grants_nothing_or_what_the_script_says() -> None:
    desk = Desk()
    desk.quotas.decide(desk.ask()["Id"], {"status": "CASE_CLOSED"})
    assert desk.value() == 0
    desk.quotas.decide(desk.ask()["Id"], {"status": "CASE_CLOSED", "value": 5})
    assert desk.value() == 5


def test_a_request_that_allows_no_case_is_not_approved_where_one_is_needed() -> None:
    desk = Desk()
    change = desk.quotas.decide(desk.ask(SupportCaseAllowed=False)["Id"], {"status": "CASE_OPENED"})
    assert (change.status, change.case_id) == ("NOT_APPROVED", None)


@pytest.mark.parametrize(("days", "kept"), [(90, 1), (91, 0)])
def test_the_history_forgets_closed_requests_after_ninety_days(days: int, kept: int) -> None:
    desk = Desk()
    desk.quotas.decide(desk.ask()["Id"], {"status": "DENIED"})
    desk.ask(WARM)
    desk.clock.advance(timedelta(days=days))
    history = desk.call("ListRequestedServiceQuotaChangeHistory", ServiceCode="sagemaker")["RequestedQuotas"]
    assert [change["Status"] for change in history] == ["PENDING"] + ["DENIED"] * kept


def test_the_history_is_paged_and_filtered_by_quota_and_status() -> None:
    desk = Desk()
    for code in (TRAINING, WARM):
        desk.quotas.decide(desk.ask(code)["Id"], {"status": "DENIED"})
    desk.ask()
    pages = desk.every("ListRequestedServiceQuotaChangeHistory", "RequestedQuotas", MaxResults=1)
    assert [[change["QuotaCode"] for change in page] for page in pages] == [[TRAINING], [WARM], [TRAINING]]
    by_quota = desk.call("ListRequestedServiceQuotaChangeHistoryByQuota", ServiceCode="sagemaker", QuotaCode=TRAINING,
                         Status="DENIED")  # fmt: skip
    assert len(by_quota["RequestedQuotas"]) == 1
