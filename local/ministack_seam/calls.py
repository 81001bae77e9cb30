"""What our own services need from MiniStack: a place in its router, its IAM, and its event bus."""

import contextvars
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ministack import app
from ministack.core import iam_evaluator, responses, router
from ministack.services import eventbridge, iam

from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope

Response = tuple[int, dict[str, str], bytes]
Handler = Callable[[str, str, dict[str, str], bytes, dict[str, Any]], Awaitable[Response]]


def add_service(name: str, target_prefix: str, handler: Handler) -> None:
    """Answer requests with that `X-Amz-Target` prefix or signing name by `handler`."""
    app.SERVICE_HANDLERS[name] = handler
    router.SERVICE_PATTERNS[name] = {"target_prefixes": [target_prefix], "credential_scope": name}


class RequestCaller:
    """The caller of one request that MiniStack routed to a handler of ours."""

    def __init__(self, headers: Mapping[str, str], query: Mapping[str, Any]) -> None:
        self._key = router.extract_access_key_id(headers, query)
        self.scope = Scope(responses.get_account_id(), router.extract_region(headers, query))

    @property
    def identity(self) -> Mapping[str, Any]:
        """`userArn`, `userId`, `accountId`, `accessKey` and `session` of whoever signed; empty when unknown."""
        return iam_evaluator.resolve_caller_identity(self._key) or {}

    @property
    def session_keys(self) -> frozenset[str]:
        """The keys of the session's tags, inherited ones included; none for a user or the root."""
        session = self.identity.get("session") or {}
        return frozenset(tag["Key"] for tag in session.get("SessionTags") or ())

    @property
    def is_root(self) -> bool:
        """Whether the account's root signed, as `Laptop.client` does."""
        return str(self.identity.get("userArn", "")).endswith(":root")

    def authorise(self, action: str, resource: str, context: Mapping[str, Any]) -> None:
        """Raise AccessDeniedException (or the authentication error) unless the caller's policies allow it."""
        namespace = action.partition(":")[0]
        denied = iam_evaluator.enforce(
            self._key, action, namespace, self.scope.region, resource, service_context=dict(context)
        )
        if denied is None:
            return
        if isinstance(denied, iam_evaluator.AuthError):
            raise ServiceError(denied.code, denied.message)
        how = (
            "with an explicit deny in an identity-based policy"
            if denied.decision == "Deny"
            else f"because no identity-based policy allows the {action} action"
        )
        raise ServiceError(
            "AccessDeniedException",
            f"User: {denied.principal_arn} is not authorized to perform: {action} on resource: {resource} {how}",
        )

    def trusted_by(self, role_arn: str, service: str, source_arn: str) -> bool:
        """Whether the role exists in this account and lets the service assume it on behalf of that resource."""
        role = iam._roles.get(role_arn.rpartition("/")[2])
        if role is None or role_arn != role["Arn"]:
            return False
        document = role["AssumeRolePolicyDocument"]
        context = iam_evaluator.EvalContext(
            principal_arn=service,
            principal_type="Service",
            principal_account=self.scope.account,
            action="sts:AssumeRole",
            resource_arn=role_arn,
            region=self.scope.region,
            service_context={"aws:sourcearn": source_arn, "aws:sourceaccount": self.scope.account},
        )
        return _trusts(json.loads(document) if isinstance(document, str) else document, service, context)


def _trusts(document: Mapping[str, Any], service: str, context: iam_evaluator.EvalContext) -> bool:
    """Allow and no Deny for sts:AssumeRole by the service, with the conditions on whose behalf it comes."""
    effects = set()
    for statement in _as_list(document.get("Statement", [])):
        actions = _as_list(statement.get("Action", []))
        principals = _as_list(statement.get("Principal", {}).get("Service", []))
        named = service in principals and iam_evaluator._action_matches("sts:AssumeRole", actions, [])
        if named and iam_evaluator._conditions_met(statement.get("Condition", {}), context):
            effects.add(statement["Effect"])
    return effects == {"Allow"}


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def publish(scope: Scope, entry: Mapping[str, Any]) -> None:
    """Publish one event, source `aws.…` allowed, on the default bus of the scope at the entry's own Time."""

    def run() -> None:
        responses.set_request_account_id(scope.account)
        responses.set_request_region(scope.region)
        detail = entry["Detail"] if isinstance(entry["Detail"], str) else json.dumps(entry["Detail"])
        _, _, body = eventbridge._put_events({"Entries": [{**entry, "Detail": detail}]}, allow_aws_source=True)
        if json.loads(body)["FailedEntryCount"]:
            raise ValueError(f"EventBridge refused the event: {body.decode()}")

    contextvars.copy_context().run(run)
