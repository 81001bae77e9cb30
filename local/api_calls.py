"""Events of the kind "AWS API Call via CloudTrail" for calls that create, update or stop training jobs.

In AWS they need a trail, so they are off until switched on. The detail is a CloudTrail record (CloudTrail user guide,
record contents): names of members begin in lower case, refused calls carry `errorCode` and `errorMessage`.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from botocore.model import ListShape, MapShape, Shape, StructureShape

from local.authorisations import principal_of
from local.sagemaker.clock import Clock
from local.sagemaker.errors import ServiceError
from local.sagemaker.model import operation as modelled
from local.sagemaker.simulator import Deliver, Scope
from local.services import Service

Json = dict[str, Any]
RECORDED = frozenset({"CreateTrainingJob", "UpdateTrainingJob", "StopTrainingJob"})
DETAIL_TYPE = "AWS API Call via CloudTrail"


class Identified(Protocol):
    """A caller, as far as a record names one."""

    scope: Scope

    @property
    def identity(self) -> Mapping[str, Any]:
        """`userArn`, `userId`, `accountId` and `accessKey` of whoever signed; empty when unknown."""


class ApiCalls:
    """Publishes one event for each recorded call while `on`."""

    def __init__(self, clock: Clock, deliver: Deliver) -> None:
        self.on = False
        self._clock, self._deliver = clock, deliver
        self._sent: list[Json] = []

    def note(self, caller: Identified, operation: str, request: Json, outcome: Json | ServiceError) -> None:
        """Publish the call's record; callers with unknown credentials are in nobody's trail."""
        if not self.on or operation not in RECORDED or not caller.identity:
            return
        now = self._clock.now()
        detail = record(caller, operation, request, outcome) | {"eventTime": now.strftime("%Y-%m-%dT%H:%M:%SZ")}
        entry: Json = {"Source": "aws.sagemaker", "DetailType": DETAIL_TYPE, "Detail": detail, "Resources": []}
        entry["Time"] = now.timestamp()
        self._sent.append({**entry, "Account": caller.scope.account, "Region": caller.scope.region})
        self._deliver(caller.scope, entry)

    def routes(self) -> dict[tuple[str, str], Callable[..., Any]]:
        """The `/_local/sagemaker/api-calls` routes."""

        def put(body: Json, _query: object) -> Json:
            if set(body) != {"on"}:
                raise ValueError(f"one field is known and needed, on; not {sorted(body)}")
            self.on = bool(body["on"])
            return {"on": self.on}

        route = "sagemaker/api-calls"
        return {("PUT", route): put, ("GET", route): lambda _body, _query: self._sent}


S = TypeVar("S", bound=Identified)


@dataclass(frozen=True)
class Recorded(Service[S]):
    """A service whose calls are noted, whatever becomes of them."""

    service: Service[S]
    calls: ApiCalls

    def call(self, operation: str, caller: S, request: Json) -> Json:
        """Run one operation and note it."""
        try:
            response = self.service.call(operation, caller, request)
        except ServiceError as error:
            self.calls.note(caller, operation, request, error)
            raise
        self.calls.note(caller, operation, request, response)
        return response


def record(caller: Identified, operation: str, request: Json, outcome: Json | ServiceError) -> Json:
    """A CloudTrail record without its time."""
    model = modelled(operation)
    refused = isinstance(outcome, ServiceError)
    detail = {
        "eventVersion": "1.11",
        "userIdentity": user_identity(caller),
        "eventSource": "sagemaker.amazonaws.com",
        "eventName": operation,
        "awsRegion": caller.scope.region,
        "sourceIPAddress": "127.0.0.1",
        "userAgent": "local",
        "requestParameters": lower_camel(request, model.input_shape),
        "responseElements": None if refused or not outcome else lower_camel(outcome, model.output_shape),
        "requestID": str(uuid.uuid4()),
        "eventID": str(uuid.uuid4()),
        "readOnly": False,
        "eventType": "AwsApiCall",
        "managementEvent": True,
        "recipientAccountId": caller.scope.account,
        "eventCategory": "Management",
    }
    if isinstance(outcome, ServiceError):
        detail |= {"errorCode": outcome.code, "errorMessage": outcome.message}
    return detail


def user_identity(caller: Identified) -> Json:
    """The record's userIdentity: Root, IAMUser, or AssumedRole with the role as issuer of the session."""
    known = caller.identity
    arn, user_id, account = known["userArn"], known["userId"], known["accountId"]
    shape: Json = {"principalId": user_id, "arn": arn, "accountId": account, "accessKeyId": known["accessKey"]}
    role_arn, role = principal_of(arn)
    if role:
        issuer = {"type": "Role", "principalId": user_id.partition(":")[0], "arn": role_arn, "accountId": account}
        return {"type": "AssumedRole", **shape, "sessionContext": {"sessionIssuer": {**issuer, "userName": role}}}
    if arn.endswith(":root"):
        return {"type": "Root", **shape}
    return {"type": "IAMUser", **shape, "userName": arn.rpartition("/")[2]}


def lower_camel(value: Any, shape: Shape | None) -> Any:
    """The value with the names of modelled members beginning in lower case; keys of maps stay as they are."""
    if isinstance(shape, StructureShape) and isinstance(value, dict):
        return {name[:1].lower() + name[1:]: lower_camel(part, shape.members.get(name)) for name, part in value.items()}
    if isinstance(shape, ListShape) and isinstance(value, list):
        return [lower_camel(part, shape.member) for part in value]
    if isinstance(shape, MapShape) and isinstance(value, dict):
        return {key: lower_camel(part, shape.value) for key, part in value.items()}
    return value
