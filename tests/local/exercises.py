"""Everything that the deployed functions can do is done at least once: refused, throttled, raced, lost, removed."""

import json
from functools import partial
from typing import Any

from local.account import SENDER
from local.waiting import until
from tests.local.families import exercise_families
from tests.local.pools import exercise_pools
from tests.local.product import QUEUES, Product
from tests.local.quotas import exercise_quotas
from tests.local.savings import exercise_counting


def exercise(product: Product) -> None:
    """Drive every path, and leave no message behind."""
    for drive in (
        _lost_and_bare,
        _refused_by_slack,
        _refused_by_ses,
        _parked,
        _unreadable_switch,
        _raced,
        _team_removed,
        exercise_families,
    ):
        drive(product)
    exercise_pools(product, partial(changed_visibility, product, "WarmPoolsControlFunctionRole"))
    exercise_counting(product)
    exercise_quotas(product, partial(changed_visibility, product, "QuotasRefusalsFunctionRole"))
    product.quiet()
    for queue in ("JobEvents", "JobNotification", "Slack", "Email", "WarmPoolControl", "SpotSavings", "QuotaRefusal"):
        product.dead(queue)


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
            until(partial(changed_visibility, product, f"{function}Role"), f"{function} to wait")
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
    assert changed_visibility(product, "JobIntakeFunctionRole"), "no two invocations met"


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


def changed_visibility(product: Product, role: str) -> bool:
    """Whether a role has ever told a message to wait."""
    return ("sqs:ChangeMessageVisibility", True) in {
        (entry.action, entry.allowed) for entry in product.laptop.control.authorisations(product.named(role))
    }
