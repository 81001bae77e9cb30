"""Quotas and requests in the shapes of the API: ServiceQuota and RequestedServiceQuotaChange."""

from typing import Any

from local.sagemaker.model import partition_of
from local.sagemaker.simulator import Scope
from local.service_quotas.account import Change
from local.service_quotas.catalogue import MADE_UP, Quota

Json = dict[str, Any]
CODE = "sagemaker"
NAME = "Amazon SageMaker"


def arn(scope: Scope, code: str, *, default: bool = False) -> str:
    """A quota's ARN; that of a default value names no account."""
    account = "" if default else scope.account
    return f"arn:{partition_of(scope.region)}:servicequotas:{scope.region}:{account}:{CODE}/{code}"


def quota_shape(scope: Scope, quota: Quota, value: float, *, default: bool = False) -> Json:
    """ServiceQuota with the given value; UsageMetric only where the quota has one."""
    shape: Json = {
        "ServiceCode": CODE,
        "ServiceName": NAME,
        "QuotaArn": arn(scope, quota.code, default=default),
        "QuotaCode": quota.code,
        "QuotaName": quota.name,
        "Value": value,
        "Unit": quota.unit,
        "Adjustable": True,
        "GlobalQuota": False,
        "QuotaAppliedAtLevel": "ACCOUNT",
    }
    if quota.made_up:
        shape["Description"] = MADE_UP
    if quota.metric:
        shape["UsageMetric"] = {
            "MetricNamespace": "AWS/Usage",
            "MetricName": "ResourceCount",
            "MetricDimensions": {"Class": "None", "Resource": quota.metric, "Service": "SageMaker", "Type": "Resource"},
            "MetricStatisticRecommendation": "Maximum",
        }
    return shape


def change_shape(change: Change) -> Json:
    """RequestedServiceQuotaChange; CaseId only once a case was opened."""
    shape: Json = {
        "Id": change.id,
        "ServiceCode": CODE,
        "ServiceName": NAME,
        "QuotaCode": change.quota.code,
        "QuotaName": change.quota.name,
        "DesiredValue": change.desired,
        "Status": change.status,
        "Created": change.created,
        "LastUpdated": change.updated,
        "Requester": change.requester,
        "QuotaArn": arn(change.scope, change.quota.code),
        "GlobalQuota": False,
        "Unit": change.quota.unit,
        "QuotaRequestedAtLevel": "ACCOUNT",
    }
    return shape | ({"CaseId": change.case_id} if change.case_id else {})
