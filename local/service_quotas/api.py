"""The operations of the Service Quotas API that concern SageMaker's quotas: authorise, act, answer one page.

IAM evaluates a quota's ARN where the Service Authorization Reference names the resource type `quota`, else `*`.
"""

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

from local.api_model import check_request, check_response
from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope
from local.service_quotas.account import Change, Quotas
from local.service_quotas.catalogue import Quota, by_code
from local.service_quotas.shapes import CODE, arn, change_shape, quota_shape

Json = dict[str, Any]
T = TypeVar("T")
SERVICE = "service-quotas"
PAGE = 100  # what is returned when MaxResults is absent (unverified)


class Caller(Protocol):
    """Who sent the request; AccessDeniedException is raised as a ServiceError."""

    scope: Scope

    @property
    def identity(self) -> Mapping[str, Any]:
        """`userArn`, `userId`, `accountId`, `accessKey` of whoever signed."""

    def authorise(self, action: str, resource: str, context: Mapping[str, Any]) -> None:
        """Evaluate the caller's policies for the action on the resource."""


class ServiceQuotasApi:
    """Quota operations on one set of accounts."""

    def __init__(self, quotas: Quotas) -> None:
        self._quotas = quotas
        self._operations: dict[str, Callable[[Caller, Json], Json]] = {
            "ListServices": self._services,
            "ListServiceQuotas": self._list,
            "GetServiceQuota": self._get,
            "ListAWSDefaultServiceQuotas": self._list_defaults,
            "GetAWSDefaultServiceQuota": self._get_default,
            "RequestServiceQuotaIncrease": self._request,
            "GetRequestedServiceQuotaChange": self._get_change,
            "ListRequestedServiceQuotaChangeHistory": self._history,
            "ListRequestedServiceQuotaChangeHistoryByQuota": self._history_of_quota,
        }

    def call(self, operation: str, caller: Caller, request: Json) -> Json:
        """Run one operation; an unknown one is an UnknownOperationException that names it."""
        run = self._operations.get(operation)
        if run is None:
            raise ServiceError("UnknownOperationException", f"{operation} is not simulated on this machine")
        check_request(SERVICE, operation, request, "IllegalArgumentException")
        on_quota = operation in {
            "GetServiceQuota", "RequestServiceQuotaIncrease", "ListRequestedServiceQuotaChangeHistoryByQuota"
        }  # fmt: skip
        resource, context = "*", {}
        if on_quota:
            resource = arn(caller.scope, request["QuotaCode"]).replace(f":{CODE}/", f":{request['ServiceCode']}/")
            context = {"servicequotas:service": request["ServiceCode"]}
        caller.authorise(f"servicequotas:{operation}", resource, context)
        response = run(caller, request)
        check_response(SERVICE, operation, response)
        return response

    def _services(self, _caller: Caller, _request: Json) -> Json:
        return {"Services": [{"ServiceCode": CODE, "ServiceName": "Amazon SageMaker"}]}

    def _list(self, caller: Caller, request: Json) -> Json:
        _known_service(request)
        if request.get("QuotaAppliedAtLevel") == "RESOURCE":
            return {"Quotas": []}
        values = ((quota, self._quotas.value(caller.scope, quota)) for quota in by_code().values())
        wanted = request.get("QuotaCode")
        shapes = [
            quota_shape(caller.scope, quota, value)
            for quota, value in values
            if value is not None and wanted in {None, quota.code}
        ]
        return _page("Quotas", shapes, "QuotaCode", request)

    def _get(self, caller: Caller, request: Json) -> Json:
        quota = _quota(request)
        value = self._quotas.value(caller.scope, quota)
        if value is None:
            raise _missing("The request failed because the specified quota has no applied value.")
        return {"Quota": quota_shape(caller.scope, quota, value)}

    def _list_defaults(self, caller: Caller, request: Json) -> Json:
        _known_service(request)
        shapes = [quota_shape(caller.scope, quota, quota.default, default=True) for quota in by_code().values()]
        return _page("Quotas", shapes, "QuotaCode", request)

    def _get_default(self, caller: Caller, request: Json) -> Json:
        quota = _quota(request)
        return {"Quota": quota_shape(caller.scope, quota, quota.default, default=True)}

    def _request(self, caller: Caller, request: Json) -> Json:
        quota = _quota(request)
        if "ContextId" in request:
            raise ServiceError("IllegalArgumentException", "ContextId is not allowed for an account-level quota")
        who = {"accountId": caller.scope.account, "callerArn": caller.identity.get("userArn", "")}
        allowed = request.get("SupportCaseAllowed", True)
        change = self._quotas.request(
            caller.scope, quota, float(request["DesiredValue"]), json.dumps(who), case_allowed=allowed
        )
        return {"RequestedQuota": change_shape(change)}

    def _get_change(self, caller: Caller, request: Json) -> Json:
        change = self._quotas.find(caller.scope, request["RequestId"])
        if change is None:
            raise _missing("The request failed because the specified quota increase request does not exist.")
        return {"RequestedQuota": change_shape(change)}

    def _history(self, caller: Caller, request: Json) -> Json:
        return _changes(self._quotas.history(caller.scope), request)

    def _history_of_quota(self, caller: Caller, request: Json) -> Json:
        quota = _quota(request)
        return _changes((change for change in self._quotas.history(caller.scope) if change.quota == quota), request)


def _changes(changes: Iterable[Change], request: Json) -> Json:
    """A page of the history; a service without requests is an empty history."""
    if request.get("ServiceCode", CODE) != CODE or request.get("QuotaRequestedAtLevel") == "RESOURCE":
        changes = ()
    wanted = request.get("Status")
    shapes = [change_shape(change) for change in changes if wanted in {None, change.status}]
    return _page("RequestedQuotas", shapes, "Id", request)


def _page(member: str, shapes: list[Json], key: str, request: Json) -> Json:
    """Cut one page behind the entry that the token names; a token of nothing is InvalidPaginationTokenException."""
    start = 0
    if token := request.get("NextToken"):
        try:
            place = base64.b64decode(token).decode()
            start = 1 + [shape[key] for shape in shapes].index(place)
        except ValueError as error:
            raise ServiceError("InvalidPaginationTokenException", "Invalid token was used.") from error
    page = shapes[start : start + request.get("MaxResults", PAGE)]
    more = start + len(page) < len(shapes)
    return {member: page} | ({"NextToken": base64.b64encode(page[-1][key].encode()).decode()} if more else {})


def _known_service(request: Json) -> None:
    if request["ServiceCode"] != CODE:
        raise _missing(f"The request failed because the specified service does not exist: {request['ServiceCode']}")


def _quota(request: Json) -> Quota:
    _known_service(request)
    quota = by_code().get(request["QuotaCode"])
    if quota is None:
        raise _missing("The request failed because the specified quota does not exist.")
    return quota


def _missing(message: str) -> ServiceError:
    return ServiceError("NoSuchResourceException", message)
