"""Service Quotas on a stepped clock, shared by its tests."""

from collections.abc import Callable
from typing import Any

import pytest

from local.sagemaker.clock import Clock
from local.sagemaker.errors import ServiceError
from local.service_quotas.account import Quotas
from local.service_quotas.api import ServiceQuotasApi
from tests.local.simulator.bench import START, Everyone

TRAINING = "L-B6D80D9C"  # ml.g5.xlarge for training job usage
WARM = "L-8E6F4665"  # ml.g5.xlarge for training warm pool usage
ARN = f"arn:aws:servicequotas:eu-central-1:123456789012:sagemaker/{TRAINING}"


class Known(Everyone):
    """A caller with an identity."""

    @property
    def identity(self) -> dict[str, Any]:
        return {"userArn": "arn:aws:iam::123456789012:user/analyst", "userId": "AIDA", "accountId": "123456789012"}


class Desk:
    """Service Quotas on a stepped clock."""

    def __init__(self, region: str = "eu-central-1", *, denied: frozenset[str] = frozenset()) -> None:
        self.clock = Clock.stepped(START)
        self.quotas = Quotas(self.clock)
        self.caller = Known(denied=denied)
        self.caller.scope = type(self.caller.scope)(self.caller.scope.account, region)
        self._api = ServiceQuotasApi(self.quotas)

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        return self._api.call(operation, self.caller, request)

    def ask(self, code: str = TRAINING, desired: float = 8, **more: Any) -> dict[str, Any]:
        request = {"ServiceCode": "sagemaker", "QuotaCode": code, "DesiredValue": desired, **more}
        return dict(self.call("RequestServiceQuotaIncrease", **request)["RequestedQuota"])

    def value(self, code: str = TRAINING) -> float:
        return float(self.call("GetServiceQuota", ServiceCode="sagemaker", QuotaCode=code)["Quota"]["Value"])

    def every(self, operation: str, member: str, **request: Any) -> list[list[dict[str, Any]]]:
        """All pages."""
        pages: list[list[dict[str, Any]]] = []
        token: dict[str, str] = {}
        while True:
            answer = self.call(operation, **request, **token)
            pages.append(answer[member])
            if "NextToken" not in answer:
                return pages
            token = {"NextToken": answer["NextToken"]}


def refused(call: Callable[[], object]) -> str:
    """The code of the error that the call ends with."""
    with pytest.raises(ServiceError) as caught:
        call()
    return caught.value.code
