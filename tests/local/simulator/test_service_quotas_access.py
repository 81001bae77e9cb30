"""Service Quotas refuses what does not exist, asks IAM about real ARNs, and is steered by control routes."""

from typing import Any

import pytest

from local.service_quotas.control import routes
from tests.local.simulator.bench import Bench
from tests.local.simulator.quota_bench import ARN, TRAINING, Desk, refused


@pytest.mark.parametrize(
    ("operation", "request_", "code"),
    [
        ("ListServiceQuotas", {"ServiceCode": "sagemaker", "MaxResults": 101}, "IllegalArgumentException"),
        ("ListServiceQuotas", {"ServiceCode": "sagemaker", "NextToken": "bm93"}, "InvalidPaginationTokenException"),
        ("ListServiceQuotas", {"ServiceCode": "unheard"}, "NoSuchResourceException"),
        ("GetServiceQuota", {"ServiceCode": "sagemaker", "QuotaCode": "L-00000000"}, "NoSuchResourceException"),
        ("GetRequestedServiceQuotaChange", {"RequestId": "unknown"}, "NoSuchResourceException"),
        ("StartAutoManagement", {}, "UnknownOperationException"),
    ],
)
def test_what_does_not_exist_or_fit_is_refused(operation: str, request_: dict[str, Any], code: str) -> None:
    assert refused(lambda: Desk().call(operation, **request_)) == code


def test_calls_are_evaluated_on_the_quota_where_aws_has_that_resource() -> None:
    desk = Desk()
    desk.ask()
    desk.value()
    desk.call("ListServiceQuotas", ServiceCode="sagemaker", MaxResults=1)
    desk.call("ListAWSDefaultServiceQuotas", ServiceCode="sagemaker", MaxResults=1)
    context = {"servicequotas:service": "sagemaker"}
    assert desk.caller.asked == [
        ("servicequotas:RequestServiceQuotaIncrease", ARN, context),
        ("servicequotas:GetServiceQuota", ARN, context),
        ("servicequotas:ListServiceQuotas", "*", {}),
        ("servicequotas:ListAWSDefaultServiceQuotas", "*", {}),
    ]


def test_a_denied_request_opens_nothing() -> None:
    desk = Desk(denied=frozenset({"servicequotas:RequestServiceQuotaIncrease"}))
    assert refused(desk.ask) == "AccessDeniedException"
    assert desk.quotas.everything() == []


def test_the_control_routes_apply_values_and_decide_requests() -> None:
    desk = Desk()
    steer = routes(desk.quotas, Bench().simulator)
    place = {"account": desk.caller.scope.account, "region": desk.caller.scope.region}
    steer["PUT", "quotas/values"]({**place, "quota": TRAINING, "value": 2}, {})
    assert desk.value() == 2
    steer["PUT", "quotas/values"]({**place, "quota": TRAINING, "value": None}, {})
    assert refused(desk.value) == "NoSuchResourceException"
    change = desk.ask()
    steer["PUT", "quotas/requests/"]({"name": change["Id"], "body": {"status": "CASE_OPENED", "case_id": "42"}}, {})
    [shown] = steer["GET", "quotas/requests"]({}, {})
    assert (shown["Status"], shown["CaseId"], shown["Region"]) == ("CASE_OPENED", "42", "eu-central-1")
    with pytest.raises(ValueError, match="unknown status"):
        steer["PUT", "quotas/requests/"]({"name": change["Id"], "body": {"status": "LOST"}}, {})
