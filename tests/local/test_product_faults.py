"""What an operator lives through: forged events, broken channels and secrets, the kill switch, a lost permission."""

import json
from itertools import count
from typing import Any

import pytest

from local.account import SECRET, SENDER
from local.functions import log_events
from local.waiting import until
from tests.local.product import Product

pytestmark = pytest.mark.local


def finish(product: Product, name: str, **request: Any) -> None:
    """Run a job to its end."""
    product.run_job(name, **request)
    product.advance(minutes=20)


def test_a_forged_event_on_the_bus_changes_nothing(product: Product) -> None:
    finish(product, "real-1")
    product.told("real-1")
    product.quiet()
    before, written = len(product.laptop.slack.messages), product.record("real-1")
    arn = written["pk"]["S"].removeprefix("JOB#")
    job = {"arn": arn, "name": "real-1", "created": written["sk"]["S"]}
    forged: list[dict[str, Any]] = [
        {"version": 1, "announcement": "Finished/Failed", "job": job, "status": "Failed"},
        {"version": 1, "announcement": "Finished/Completed", "job": {**job, "arn": arn.replace("real-1", "never-was")}},
    ]
    events = product.laptop.client("events")
    for detail in forged:
        entry = {"Source": "trainops", "DetailType": "Training Job Finished", "Detail": json.dumps(detail)}
        assert events.put_events(Entries=[{**entry, "EventBusName": product.named("Bus")}])["FailedEntryCount"] == 0
    until(lambda: product.waiting_in(product.queue("JobNotificationsAnnouncedQueue")) == 0, "the forgeries to be read")
    finish(product, "real-2")
    product.told("real-2")
    assert len(product.laptop.slack.messages) == before + 1
    assert product.record("real-1") == written
    assert product.dead("JobNotification") == []


def test_an_event_that_is_none_of_ours_is_parked_with_its_reason(product: Product) -> None:
    entry = {"Source": "trainops", "DetailType": "Training Job Finished", "Detail": '{"hello": "world"}'}
    product.laptop.client("events").put_events(Entries=[{**entry, "EventBusName": product.named("Bus")}])
    found = until(lambda: product.dead("JobNotification"), "the parked message")
    assert "not a trainops event" in found[0]["MessageAttributes"]["reason"]["StringValue"]


def test_a_rate_limited_channel_is_waited_for_as_long_as_it_asks(product: Product) -> None:
    product.laptop.slack.fail(429, times=2, retry_after=2)
    finish(product, "busy-1")
    product.told("busy-1")
    product.quiet()
    assert len(product.slack_about("busy-1")) == len(product.mails_about("busy-1")) == 1


def test_a_channel_that_is_gone_hands_its_message_over_and_nothing_is_told_twice(product: Product) -> None:
    product.laptop.slack.fail(404, "no_service")
    finish(product, "moved-1")
    until(lambda: product.mails_about("moved-1"), "the mail")
    product.quiet()
    assert product.slack_about("moved-1") == []
    assert len(product.mails_about("moved-1")) == 1
    assert product.dead("Slack") == []


def test_an_unverified_sender_hands_its_message_over_to_slack(product: Product) -> None:
    mail = product.laptop.client("sesv2")
    mail.delete_email_identity(EmailIdentity=SENDER)
    try:
        finish(product, "unverified-1")
        until(lambda: product.slack_about("unverified-1"), "the Slack message")
        product.quiet()
        assert len(product.slack_about("unverified-1")) == 1
        assert product.mails_about("unverified-1") == []
    finally:
        mail.create_email_identity(EmailIdentity=SENDER)


def test_a_malformed_secret_is_said_and_its_repair_needs_no_deploy(product: Product) -> None:
    secrets = product.laptop.client("secretsmanager")
    good = secrets.get_secret_value(SecretId=SECRET)["SecretString"]
    product.restart("JobNotificationsSlackFunction")
    secrets.put_secret_value(SecretId=SECRET, SecretString="https://hooks.example.com/not-json")
    try:
        finish(product, "secret-1")
        until(lambda: product.mails_about("secret-1"), "the mail")
        until(lambda: f"needs a repair: the secret {SECRET}" in _log(product), "what to repair")
    finally:
        secrets.put_secret_value(SecretId=SECRET, SecretString=good)
    product.quiet()
    assert "hooks.example.com" not in _log(product)
    assert (product.slack_about("secret-1"), len(product.mails_about("secret-1"))) == ([], 1)
    numbers = count(2)

    def heard_in_slack() -> bool:
        finish(product, name := f"secret-{next(numbers)}")
        until(lambda: product.mails_about(name), "the mail")
        product.quiet()
        return len(product.slack_about(name)) == len(product.mails_about(name)) == 1

    until(heard_in_slack, "a message in Slack, within a minute of the repair", seconds=120)
    assert product.dead("Slack") == []


def _log(product: Product) -> str:
    """What the function for Slack has logged."""
    events = log_events(product.laptop.client("logs"), product.named("JobNotificationsSlackFunctionLogs"))
    return "\n".join(event["message"] for event in events)


def test_the_kill_switch_stops_messages_and_not_the_ledger(product: Product) -> None:
    switched = ("JobNotificationsFunction", "JobNotificationsSlackFunction", "JobNotificationsEmailFunction")
    with product.kill_switch("on"):
        for function in switched:
            product.restart(function)
        finish(product, "killed-1")
        until(lambda: product.records("killed-1"), "the record")
        product.quiet()
        assert product.record("killed-1")["status"]["S"] == "Completed"
    for function in switched:
        product.restart(function)
    finish(product, "alive-1")
    product.told("alive-1")
    assert product.slack_about("killed-1") == product.mails_about("killed-1") == []


@pytest.mark.parametrize("action", ["sagemaker:DescribeTrainingJob", "dynamodb:PutItem", "events:PutEvents"])
def test_an_intake_that_loses_a_permission_on_the_way_announces_once_when_it_is_back(
    product: Product, action: str
) -> None:
    name = "denied-" + action.partition(":")[2].lower()
    iam, role = product.laptop.client("iam"), product.named("JobIntakeFunctionRole")
    statement = {"Effect": "Deny", "Action": action, "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    sqs, url = product.laptop.client("sqs"), product.queue("JobIntakeJobEventsQueue")
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "3"})
    iam.put_role_policy(RoleName=role, PolicyName="outage", PolicyDocument=policy)
    try:
        finish(product, name)
        until(lambda: denied(product, role, action), f"{action} refused")
    finally:
        iam.delete_role_policy(RoleName=role, PolicyName="outage")
    try:
        product.told(name)
        product.quiet()
    finally:
        sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "360"})
    assert len(product.slack_about(name)) == len(product.mails_about(name)) == 1


def denied(product: Product, role: str, action: str) -> bool:
    """Whether a call of the role was refused."""
    record = product.laptop.control.authorisations(role)
    return any(entry.action == action and not entry.allowed for entry in record)
