"""SageMaker's quotas through boto3's `service-quotas`, slowly: its limits are the account's.

Limits per account and Region: RequestServiceQuotaIncrease 3/s, ListServiceQuotas 10/s, the Gets and the history 5/s
(Service Quotas user guide). There are more than 1,500 quotas and no filter by name: a published code is tried first and
its name compared; else all are listed once per process and only their codes remembered, which never change.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from botocore import xform_name
from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, message_of, passing_faults
from trainops.adapters.pace import Pace
from trainops.adapters.paging import pages
from trainops.domain.quota_records import IncreaseRequest, SeenQuota
from trainops.domain.quotas import QuotaId, quota_key
from trainops.errors import IncreaseOpen, IncreaseRefused, TryLater

SERVICE = "sagemaker"
ABSENT = "NoSuchResourceException"


@dataclass(slots=True)
class ServiceQuotas:
    """Implements `quota_ports.Quotas`. `hints` are published codes by `QuotaId.key`."""

    client: Any
    pace: Pace
    hints: Mapping[str, str]
    _codes: dict[str, str] = field(default_factory=dict)
    _listed: list[str] = field(default_factory=list)
    """The lists that were read to their end."""

    def find(self, quota: QuotaId) -> SeenQuota | None:
        """GetServiceQuota of the code that is known or published; when that is another quota's, the code is looked for
        by name, among the quotas with a value of the account and then among all.
        """
        hint = quota.code or self.hints.get(quota.key)
        if hint and (seen := self._value(hint)) and quota.fits(seen.name, seen.code):
            return seen
        for listing in ("ListServiceQuotas", "ListAWSDefaultServiceQuotas"):
            if (code := self._code(quota.key, listing)) and (seen := self._value(code)):
                return seen
        return None

    def request(self, request_id: str) -> IncreaseRequest | None:
        """GetRequestedServiceQuotaChange."""
        answer = self._get("GetRequestedServiceQuotaChange", "RequestedQuota", RequestId=request_id)
        return _request(answer) if answer else None

    def open_request(self, code: str) -> IncreaseRequest | None:
        """ListRequestedServiceQuotaChangeHistoryByQuota, to its end: in which order it comes is not documented."""
        operation = "ListRequestedServiceQuotaChangeHistoryByQuota"
        changes = self._pages(operation, "RequestedQuotas", ServiceCode=SERVICE, QuotaCode=code)
        return next((found for change in changes if (found := _request(change)).open), None)

    def ask(self, code: str, value: int, *, case_allowed: bool) -> IncreaseRequest:
        """RequestServiceQuotaIncrease."""
        self.pace.wait()
        try:
            with passing_faults("RequestServiceQuotaIncrease"):
                answer = self.client.request_service_quota_increase(
                    ServiceCode=SERVICE, QuotaCode=code, DesiredValue=float(value), SupportCaseAllowed=case_allowed
                )
        except ClientError as error:
            code, told = code_of(error), f"{code_of(error)}: {message_of(error)}"
            if code == "ResourceAlreadyExistsException":
                raise IncreaseOpen(told) from error
            if code == "QuotaExceededException":
                raise TryLater(f"too many requests are open: {told}") from error
            raise IncreaseRefused(told) from error
        return _request(answer["RequestedQuota"])

    def _value(self, code: str) -> SeenQuota | None:
        """The applied value, else AWS's default: an account has not every quota of its own."""
        if applied := self._get("GetServiceQuota", "Quota", ServiceCode=SERVICE, QuotaCode=code):
            return _seen(applied)
        default = self._get("GetAWSDefaultServiceQuota", "Quota", ServiceCode=SERVICE, QuotaCode=code)
        return _seen(default, default=True) if default else None

    def _code(self, key: str, listing: str) -> str | None:
        if key not in self._codes and listing not in self._listed:
            for item in self._pages(listing, "Quotas", ServiceCode=SERVICE, MaxResults=100):
                self._codes[quota_key(item["QuotaName"])] = item["QuotaCode"]
            self._listed.append(listing)
        return self._codes.get(key)

    def _get(self, operation: str, member: str, **request: Any) -> dict[str, Any] | None:
        self.pace.wait()
        try:
            with passing_faults(operation):
                answer: dict[str, Any] = getattr(self.client, xform_name(operation))(**request)[member]
        except ClientError as error:
            if code_of(error) == ABSENT:
                return None
            raise
        return answer

    def _pages(self, operation: str, member: str, **request: Any) -> Iterator[dict[str, Any]]:
        return (item for page in pages(self.client, operation, self.pace, **request) for item in page[member])


def _seen(quota: Mapping[str, Any], *, default: bool = False) -> SeenQuota:
    return SeenQuota(
        name=quota["QuotaName"],
        code=quota["QuotaCode"],
        arn=quota["QuotaArn"],
        value=int(quota["Value"]),
        adjustable=bool(quota["Adjustable"]),
        default=default,
        usage_metric=quota.get("UsageMetric", {}).get("MetricDimensions", {}).get("Resource"),
    )


def _request(change: Mapping[str, Any]) -> IncreaseRequest:
    created = change["Created"].astimezone(UTC)
    return IncreaseRequest(
        id=change["Id"],
        status=change["Status"],
        desired=int(change["DesiredValue"]),
        created=created,
        updated=change.get("LastUpdated", created).astimezone(UTC),
        case_id=change.get("CaseId"),
    )
