"""Patches of MiniStack; each names the AWS behaviour that it restores. Called once, before the first request."""

import contextvars
import json
from importlib.metadata import version
from typing import Any

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb, eventbridge, s3, secretsmanager, ses, ses_v2, sts
from ministack.services.cloudformation import provisioners

from local.authorisations import Authorisations
from local.iam_resources import SINGLE_ACTION, Call, Evaluated, evaluated
from local.ministack_seam import alarms, log_queries, metrics, policy_simulation, saved_queries
from local.sagemaker.clock import Clock

PINNED = "1.5.33"
_entry_time: contextvars.ContextVar[float | None] = contextvars.ContextVar("entry_time", default=None)
_transitive: contextvars.ContextVar[frozenset[str]] = contextvars.ContextVar("transitive", default=frozenset())


def compose(clock: Clock, record: Authorisations) -> Any:
    """Patch MiniStack and return its ASGI app; exits with one line for another version than the pinned one."""
    if (found := version("ministack")) != PINNED:
        raise SystemExit(f"ministack {PINNED} is needed, found {found}: run `make setup`")

    _use_clock(clock)
    _honour_entry_time()
    _evaluate_real_resources()
    _enforce_all_and_record(record)
    _keep_table_ttl()
    _name_secrets_by_arn()
    _inherit_transitive_tags()
    _fall_back_to_managed_key()
    policy_simulation.patch()
    metrics.patch(clock)
    alarms.patch()
    log_queries.patch()
    saved_queries.patch()
    return app.app


def _use_clock(clock: Clock) -> None:
    """Dates of events and the firing of rate and cron rules follow the simulator's clock; looked at every second."""
    eventbridge._now_ts = lambda: _entry_time.get() or clock.now().timestamp()
    eventbridge._SCHEDULER_TICK_INTERVAL = 1


def _honour_entry_time() -> None:
    """AWS puts an entry's own Time into the envelope; MiniStack always puts the present."""
    original = eventbridge._put_events

    def put_events(data: dict[str, Any], allow_aws_source: bool = False) -> Any:
        entries = data.get("Entries", [])
        if len(entries) > 10 or not any("Time" in entry for entry in entries):
            return original(data, allow_aws_source)
        results: list[Any] = []
        answer: Any = None
        for entry in entries:
            token = _entry_time.set(float(entry["Time"]) if "Time" in entry else None)
            try:
                answer = original({"Entries": [entry]}, allow_aws_source)
            finally:
                _entry_time.reset(token)
            results += json.loads(answer[2])["Entries"]
        failed = sum("ErrorCode" in result for result in results)
        body = json.dumps({"FailedEntryCount": failed, "Entries": results}).encode()
        return answer[0], answer[1], body

    eventbridge._put_events = put_events


def _evaluate_real_resources() -> None:
    """AWS evaluates the batch calls as single actions, and narrower resources than MiniStack (see iam_resources)."""
    action_of, resource_of = iam_actions.extract_iam_action, iam_actions.extract_resource_arn

    def extract_iam_action(*request: Any) -> str | None:
        action = action_of(*request)
        return None if action is None else SINGLE_ACTION.get(action, str(action))

    def identities() -> frozenset[str]:
        return frozenset(ses_v2._identities.keys()) | frozenset(ses._identities.keys())

    def extract_resource_arn(*request: Any) -> str:
        service, method, path, headers, body, query, region, account = request
        action = extract_iam_action(service, method, path, headers, body, query) or ""
        generic = resource_of(*request)
        return evaluated(Call(service, action, path, body, query, region, account, generic, identities))

    iam_actions.extract_iam_action = extract_iam_action
    iam_actions.extract_resource_arn = extract_resource_arn


def _enforce_all_and_record(record: Authorisations) -> None:
    """AWS evaluates every resource that a call names; every decision is written to the record."""
    original = iam_evaluator.enforce

    def enforce(key: str, action: str, service: str, region: str, resource_arn: str = "*", **more: Any) -> Any:
        resources, context = [str(resource_arn)], dict(more.get("service_context") or {})
        if isinstance(resource_arn, Evaluated):
            resources += resource_arn.others
            context.update(resource_arn.context)
        for resource in resources:
            denied = original(key, action, service, region, resource, context)
            caller = iam_evaluator.resolve_caller_identity(key) or {}
            decision = "Allow" if denied is None else getattr(denied, "decision", None) or denied.code
            record.note(caller.get("userArn", ""), action, resource, decision)
            if denied is not None:
                return denied
        return None

    iam_evaluator.enforce = enforce


def _fall_back_to_managed_key() -> None:
    """A write with aws:kms and no key takes the account's aws/s3 key, as the SageMaker SDK's uploads do."""
    original, sse = s3._resolve_sse_write_headers, "x-amz-server-side-encryption"

    def resolve(headers: dict[str, str], bucket: str) -> Any:
        if headers.get(sse) == "aws:kms" and not headers.get(f"{sse}-aws-kms-key-id"):
            headers = {**headers, f"{sse}-aws-kms-key-id": "alias/aws/s3"}
        return original(headers, bucket)

    s3._resolve_sse_write_headers = resolve


def _keep_table_ttl() -> None:
    """CloudFormation's TimeToLiveSpecification switches TTL on; MiniStack drops it."""

    def with_ttl(original: Any, properties_at: int) -> Any:
        def provision(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            specification = args[properties_at].get("TimeToLiveSpecification")
            if specification:
                enabled = str(specification.get("Enabled", "false")).lower() == "true"
                wanted = {**specification, "Enabled": enabled}
                dynamodb._update_ttl({"TableName": result[0], "TimeToLiveSpecification": wanted})
            return result

        return provision

    for kind in ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"):
        handlers = provisioners._RESOURCE_HANDLERS[kind]
        handlers["create"] = with_ttl(handlers["create"], properties_at=1)
        handlers["update"] = with_ttl(handlers["update"], properties_at=2)


def _name_secrets_by_arn() -> None:
    """`Ref` of a secret is its ARN; MiniStack answers its name, which breaks `grant_read` and `secret_name`."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def name_of(physical_id: str) -> str:
        found = secretsmanager._resolve(physical_id)[1]
        return str(found["Name"]) if found else physical_id

    def by_arn(result: Any) -> Any:
        return result[1]["Arn"], result[1]

    handlers["create"] = lambda *args, **kwargs: by_arn(create(*args, **kwargs))
    handlers["update"] = lambda physical_id, *args, **kwargs: by_arn(update(name_of(physical_id), *args, **kwargs))
    handlers["delete"] = lambda physical_id, *args, **kwargs: delete(name_of(physical_id), *args, **kwargs)


def _inherit_transitive_tags() -> None:
    """Tags that a session declared transitive live on in the sessions that are assumed from it; MiniStack drops them.

    AWS refuses to set an inherited key anew; here the inherited value stays.
    """
    tags_of, register = sts._session_tags, sts.register_session

    def session_tags(params: dict[str, Any], check: bool = True) -> Any:
        numbered = {name: value[0] for name, value in params.items() if name.startswith("TransitiveTagKeys.member.")}
        _transitive.set(frozenset(str(key).lower() for key in numbered.values()))
        return tags_of(params, check)

    def register_session(access_key: str, session: dict[str, Any]) -> None:
        source = sts._sessions.get(session.get("SourceAccessKeyId"), {})
        inherited = {tag["Key"].lower(): tag for tag in source.get("TransitiveTags", [])}
        own = [tag for tag in session.get("SessionTags") or [] if tag["Key"].lower() not in inherited]
        passed_on = [tag for tag in own if tag["Key"].lower() in _transitive.get()]
        session["SessionTags"] = [*inherited.values(), *own]
        session["TransitiveTags"] = [*inherited.values(), *passed_on]
        register(access_key, session)

    sts._session_tags, sts.register_session = session_tags, register_session
