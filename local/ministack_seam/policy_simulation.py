"""iam:SimulatePrincipalPolicy on the evaluator that judges real calls: context entries, several resources, boundaries.

MiniStack's own looks at neither the context nor more than one resource, so that every condition fails.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any
from xml.sax.saxutils import escape

from ministack.core import iam_evaluator, responses
from ministack.services import iam

DECISIONS = {"Allow": "allowed", "Deny": "explicitDeny", "ImplicitDeny": "implicitDeny"}
LIMITS = {"role": (iam._roles, "_gather_role_policies"), "user": (iam._users, "_gather_user_policies")}
MULTIPLE = ("stringList", "numericList", "booleanList", "dateList", "ipList", "binaryList")
"""The types of context entries that have several values (ContextEntry.ContextKeyType)."""
Parameters = Mapping[str, Any]


def patch() -> None:
    """Answer SimulatePrincipalPolicy from here."""
    iam._IAM_HANDLERS["SimulatePrincipalPolicy"] = simulate


def simulate(parameters: Parameters) -> Any:
    """One result for each action on each resource; the given context is all there is, as in AWS."""
    arn = iam._p(parameters, "PolicySourceArn")
    kind, _, name = arn.rpartition(":")[2].partition("/")
    if kind not in LIMITS:
        return iam._error(400, "ValidationError", "PolicySourceArn names no user or role.", ns="iam")
    store, gather = LIMITS[kind]
    account, name = responses.get_account_id(), name.rpartition("/")[2]
    if store.get_scoped(account, None, name) is None:
        return iam._error(404, "NoSuchEntity", f"{arn} cannot be found.", ns="iam")
    policies = getattr(iam_evaluator, gather)(name, account)
    limits = iam_evaluator._permissions_boundary(store, name, account)
    context = _context(parameters)

    def result(action: str, resource: str) -> str:
        asked = _asked(arn, account, action, resource, context)
        return _result(action, resource, iam_evaluator.evaluate(asked, policies, *limits))

    resources = list(_members(parameters, "ResourceArns.member.{}")) or ["*"]
    actions = list(_members(parameters, "ActionNames.member.{}"))
    results = [result(action, resource) for resource in resources for action in actions]
    body = f"<EvaluationResults>{''.join(results)}</EvaluationResults><IsTruncated>false</IsTruncated>"
    answer = f"<SimulatePrincipalPolicyResult>{body}</SimulatePrincipalPolicyResult>"
    return iam._xml(200, "SimulatePrincipalPolicyResponse", answer, ns="iam")


def _asked(arn: str, account: str, action: str, resource: str, context: dict[str, Any]) -> iam_evaluator.EvalContext:
    return iam_evaluator.EvalContext(
        principal_arn=arn,
        principal_type="AssumedRole",
        principal_account=account,
        action=action,
        resource_arn=resource,
        region=responses.get_region(),
        secure_transport=context.get("aws:securetransport") == "true",
        service_context={"aws:tagkeys": None, **context},
    )


def _context(parameters: Parameters) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, key in enumerate(_members(parameters, "ContextEntries.member.{}.ContextKeyName"), start=1):
        entry = f"ContextEntries.member.{number}"
        values = list(_members(parameters, entry + ".ContextKeyValues.member.{}"))
        several = iam._p(parameters, f"{entry}.ContextKeyType") in MULTIPLE
        # An empty value does not arrive: the form decoder drops it.
        found[key.lower()] = values if several else "".join(values[:1])
    return found


def _members(parameters: Parameters, pattern: str) -> Iterator[str]:
    for number in count(1):
        value = iam._p(parameters, pattern.format(number), None)
        if value is None:
            return
        yield value


def _result(action: str, resource: str, result: iam_evaluator.EvalResult) -> str:
    sid = escape(result.matched_sid)
    matched = f"<member><SourcePolicyId>{sid}</SourcePolicyId></member>" if sid else ""
    return (
        f"<member><EvalActionName>{escape(action)}</EvalActionName>"
        f"<EvalResourceName>{escape(resource)}</EvalResourceName>"
        f"<EvalDecision>{DECISIONS[result.decision]}</EvalDecision>"
        f"<MatchedStatements>{matched}</MatchedStatements><MissingContextValues></MissingContextValues></member>"
    )
