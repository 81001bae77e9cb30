"""Permissions equal calls: what each function's role allows is what the local AWS saw it do, both ways."""

import re
from collections.abc import Iterator

import pytest

from tests.local.exercises import exercise
from tests.local.product import Product

pytestmark = pytest.mark.local
BY_LAMBDA_ITSELF = {"logs:CreateLogStream", "logs:PutLogEvents"} | {
    f"sqs:{action}" for action in ("DeleteMessage", "GetQueueAttributes", "ReceiveMessage")
}
"""Calls that the Lambda service makes under the function's role; the local AWS does not make them as requests."""
BY_SERVICE_QUOTAS = {"iam:CreateServiceLinkedRole"}
"""So does Service Quotas at the account's first request."""
ON_FAILURE = {
    ("JobReconcileFunctionRole", "sqs:SendMessage"): "JobReconcileDeadLetters",
    ("QuotasTrackerFunctionRole", "sqs:SendMessage"): "QuotaTrackerDeadLetters",
    ("WarmPoolsSweepFunctionRole", "sqs:SendMessage"): "WarmPoolSweepDeadLetters",
    ("MetricsRecountFunctionRole", "sqs:SendMessage"): "MetricsRecountDeadLetters",
    ("PriceRefreshFunctionRole", "sqs:SendMessage"): "PriceRefreshDeadLetters",
    ("CheckpointWatchFunctionRole", "sqs:SendMessage"): "CheckpointWatchDeadLetters",
    ("WeeklyReportFunctionRole", "sqs:SendMessage"): "WeeklyReportDeadLetters",
}
"""So is the destination of a failed tick."""
IN_AN_OUTAGE = ("SpotSavingsFunctionRole", "sqs:ChangeMessageVisibility")
"""It waits for nobody but the ledger's table, which is never throttled here."""


@pytest.fixture(scope="module")
def exercised(product: Product) -> Product:
    """The product once everything that the functions can do has been done."""
    exercise(product)
    return product


def statements(product: Product, role: str) -> Iterator[tuple[str, str]]:
    """Each action and resource that a role's own policies allow. There must be no other kind of statement."""
    iam = product.laptop.client("iam")
    assert iam.list_attached_role_policies(RoleName=role)["AttachedPolicies"] == []
    for name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
        for statement in iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]["Statement"]:
            assert statement["Effect"] == "Allow"
            actions, resources = statement["Action"], statement["Resource"]
            for action in [actions] if isinstance(actions, str) else actions:
                for resource in [resources] if isinstance(resources, str) else resources:
                    yield action, resource


def covers(pattern: str, resource: str) -> bool:
    """IAM's wildcards."""
    expression = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(expression, resource) is not None


ROLES = [
    "JobIntakeFunctionRole",
    "JobReconcileFunctionRole",
    "JobNotificationsFunctionRole",
    "JobNotificationsSlackFunctionRole",
    "JobNotificationsEmailFunctionRole",
    "JobNotificationsMailCheckFunctionRole",
    "TeamPublicationFunctionRole",
    "QuotasRequestsFunctionRole",
    "QuotasTrackerFunctionRole",
    "QuotasRefusalsFunctionRole",
    "WarmPoolsControlFunctionRole",
    "WarmPoolsSweepFunctionRole",
    "SpotSavingsFunctionRole",
    "MetricsRecountFunctionRole",
    "PriceRefreshFunctionRole",
    "CheckpointWatchFunctionRole",
    "WeeklyReportFunctionRole",
]


@pytest.mark.parametrize("logical", ROLES)
def test_every_permission_is_used(exercised: Product, logical: str) -> None:
    role = exercised.named(logical)
    calls = {(c.action, c.resource) for c in exercised.laptop.control.authorisations(role) if c.allowed}
    unused = [
        (action, resource)
        for action, resource in statements(exercised, role)
        if action not in BY_LAMBDA_ITSELF | BY_SERVICE_QUOTAS
        and (logical, action) != IN_AN_OUTAGE
        and ON_FAILURE.get((logical, action), "no queue") not in resource
        and not any(a == action and covers(resource, r) for a, r in calls)
    ]
    assert unused == []


@pytest.mark.parametrize("logical", ROLES)
def test_every_call_is_permitted_by_a_statement_that_names_it(exercised: Product, logical: str) -> None:
    role = exercised.named(logical)
    allowed = set(statements(exercised, role))
    calls = {(c.action, c.resource) for c in exercised.laptop.control.authorisations(role) if c.allowed}
    assert calls, "the role was never used"
    unnamed = [call for call in calls if not any(call[0] == a and covers(r, call[1]) for a, r in allowed)]
    assert unnamed == []


def test_every_function_has_a_role_of_its_own_in_this_list(product: Product) -> None:
    functions = [key for key in product.physical if "FunctionRole" in key and "Policy" not in key]
    assert {key[:-8] for key in functions} == set(ROLES)
