"""Permissions equal calls: what each function's role allows is what the local AWS saw it do, both ways."""

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from local.account import SENDER
from local.waiting import until
from tests.local.pools import exercise_pools
from tests.local.product import QUEUES, Product
from tests.local.quotas import exercise_quotas
from tests.local.savings import exercise_counting

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
}
"""So is the destination of a failed tick."""
IN_AN_OUTAGE = ("SpotSavingsFunctionRole", "sqs:ChangeMessageVisibility")
"""It waits for nobody but the ledger's table, which is never throttled here."""


@pytest.fixture(scope="module")
def exercised(product: Product) -> Product:
    """Everything that the functions can do has been done at least once."""
    for drive in (
        _lost_and_bare,
        _refused_by_slack,
        _refused_by_ses,
        _parked,
        _unreadable_switch,
        _raced,
        _team_removed,
    ):
        drive(product)
    exercise_pools(product, partial(_changed_visibility, product, "WarmPoolsControlFunctionRole"))
    exercise_counting(product)
    exercise_quotas(product, partial(_changed_visibility, product, "QuotasRefusalsFunctionRole"))
    product.quiet()
    for queue in ("JobEvents", "JobNotification", "Slack", "Email", "WarmPoolControl", "SpotSavings", "QuotaRefusal"):
        product.dead(queue)
    return product


def _lost_and_bare(product: Product) -> None:
    with product.events_lost(), product.laptop.control.users_unthrottled():
        product.run_job("walked-1")
        product.run_job("walked-2")
        product.advance(minutes=20)
    end = product.happened("walked-2")[-1]
    product.deliver({**end, "Detail": {k: v for k, v in end["Detail"].items() if k != "CreationTime"}})
    product.reconcile()
    product.told("walked-1")
    product.told("walked-2")


def _refused_by_slack(product: Product) -> None:
    product.laptop.slack.fail(503)
    product.run_job("refused-1")
    product.advance(minutes=20)
    product.told("refused-1")
    product.laptop.slack.fail(404, "no_service")
    product.run_job("refused-2")
    product.advance(minutes=20)
    until(lambda: product.mails_about("refused-2"), "the mail")
    product.quiet()


def _refused_by_ses(product: Product) -> None:
    mail = product.laptop.client("sesv2")
    mail.delete_email_identity(EmailIdentity=SENDER)
    try:
        product.run_job("refused-3")
        product.advance(minutes=20)
        until(lambda: product.slack_about("refused-3"), "the Slack message")
        product.quiet()
    finally:
        mail.create_email_identity(EmailIdentity=SENDER)


def _parked(product: Product) -> None:
    for queue in QUEUES:
        for body in ("junk", '{"key": "a key, but no card"}'):
            product.laptop.client("sqs").send_message(QueueUrl=product.queue(queue), MessageBody=body)
    product.quiet()


def _unreadable_switch(product: Product) -> None:
    """Both deliveries and the notification must wait while the parameter is gone."""
    ssm, name = product.laptop.client("ssm"), "/trainops/kill-switch"
    functions = ("JobNotificationsFunction", "JobNotificationsSlackFunction", "JobNotificationsEmailFunction")
    product.run_job("unreadable-1")
    product.advance(minutes=20)
    product.told("unreadable-1")
    for function in functions:
        product.restart(function)
    ssm.delete_parameter(Name=name)
    try:
        product.run_job("unreadable-2")
        product.advance(minutes=20)
        for queue in ("JobNotificationsSlackCardsQueue", "JobNotificationsEmailCardsQueue"):
            product.laptop.client("sqs").send_message(QueueUrl=product.queue(queue), MessageBody=json.dumps(_card()))
        for function in functions:
            until(partial(_changed_visibility, product, f"{function}Role"), f"{function} to wait")
    finally:
        ssm.put_parameter(Name=name, Value="off", Type="String")
    product.told("unreadable-2", seconds=120)


def _card() -> dict[str, Any]:
    return {
        "key": "permissions",
        "job_name": "permissions",
        "tone": "neutral",
        "title": "permissions",
        "summary": "",
        "cause": None,
        "facts": [],
        "lines": [],
        "links": [],
        "context": [],
    }


def _raced(product: Product) -> None:
    """The same news in two invocations at once, until one of them is told to come back."""
    with product.events_lost():
        with product.laptop.control.users_unthrottled():  # their creation is not what is looked at
            for number in range(20):
                product.run_job(f"raced-{number}")
        product.advance(minutes=20)
    ends = [event for event in product.happened("raced-") if event["Detail"]["TrainingJobStatus"] == "Completed"]
    for event in ends:
        for _ in range(4):
            product.deliver(event)
    product.quiet()
    assert _changed_visibility(product, "JobIntakeFunctionRole"), "no two invocations met"


def _team_removed(product: Product) -> None:
    """What CloudFormation asks for when a team leaves the settings; the deployment itself has asked for the rest."""
    key = "speech/trainops/{}".format
    documents = {key("team.json"): "{}", key("sagemaker-config.yaml"): ""}
    event = {
        "RequestType": "Update",
        "StackId": "stack",
        "LogicalResourceId": "Documents",
        "ResourceProperties": {"Kept": {}, "Begun": {}},
        "OldResourceProperties": {"Kept": documents, "Begun": {}},
    }
    answer = product.laptop.client("lambda").invoke(
        FunctionName=product.named("TeamPublicationFunction"), Payload=json.dumps(event)
    )
    assert "FunctionError" not in answer, answer["Payload"].read()


def _changed_visibility(product: Product, role: str) -> bool:
    return ("sqs:ChangeMessageVisibility", True) in {
        (entry.action, entry.allowed) for entry in product.laptop.control.authorisations(product.named(role))
    }


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
