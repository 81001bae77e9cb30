"""The deployed product with a Slack bot, routes and a topic, in an account of its own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local.account import SECRET, furnish
from local.laptop import Laptop
from local.reading import slack_text
from local.slack_api import BotMessage
from local.waiting import until
from tests.local.product import Product
from tests.local.test_product_permissions import BY_LAMBDA_ITSELF, covers, statements

pytestmark = pytest.mark.local
CONFIG = Path(__file__).with_name("channels.yaml")
OWNER = "alpha-oncall@example.com"
FAILING = {"outcome": "Failed", "failure_reason": "AlgorithmError: ImportError, exit code: 1"}
ROLES = ("JobNotificationsFunctionRole", "JobNotificationsSlackFunctionRole", "JobNotificationsTopicsFunctionRole")


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    with Laptop() as laptop:
        furnish(laptop)
        rotate(laptop, laptop.slack.workspace.token)
        laptop.slack.workspace.people[OWNER] = "U0000000001"
        laptop.bootstrap()
        yield Product.deployed(laptop, CONFIG)


def rotate(laptop: Laptop, token: str) -> None:
    """What an operator does: put another token into the secret."""
    text = json.dumps({"token": token, "api_url": laptop.slack.api_url})
    laptop.client("secretsmanager").put_secret_value(SecretId=SECRET, SecretString=text)


def tags(team: str, owner: str) -> list[dict[str, str]]:
    return [{"Key": "team", "Value": team}, {"Key": "owner", "Value": owner}]


def about(product: Product, name: str, channel: str) -> list[BotMessage]:
    """What a channel shows of a job, threads apart."""
    shown = product.laptop.slack.workspace.shown_in(channel)
    return [message for message in shown if f"{name} " in message.body["text"]]


def finish(product: Product, name: str, team: str, owner: str = "vision-oncall", **plan: Any) -> None:
    """Run a job to its end, once its start was told."""
    product.run_job(name, plan=plan, Tags=tags(team, owner))
    until(lambda: product.records(name), "the record of its start")
    product.quiet()
    product.advance(minutes=20)
    product.quiet()


@pytest.mark.case("NO-23", "NO-07")
def test_a_failure_goes_into_its_jobs_thread_in_the_teams_channel_and_to_its_owner(product: Product) -> None:
    heard = subscribe(product)
    finish(product, "alpha-1", "vision", OWNER, **FAILING)
    [root] = about(product, "alpha-1", "#vision-training")
    assert "started" in root.versions[0]["text"]
    assert "failed" in slack_text(root.body)
    [reply] = product.laptop.slack.workspace.replies_to(root)
    assert reply.body["reply_broadcast"] is True
    [direct] = about(product, "alpha-1", "DU0000000001")
    assert "failed" in slack_text(direct.body)
    assert about(product, "alpha-1", "#ml-training") == []
    assert len(product.mails_about("alpha-1")) == 1, "its start; the route of failures names no mail"
    until(lambda: any("alpha-1 failed" in text for text in heard()), "the card on the topic")


@pytest.mark.case("NO-23")
def test_a_team_that_nobody_configured_is_told_through_the_default_channels(product: Product) -> None:
    finish(product, "stray-1", "nobody-knows", **FAILING)
    [root] = about(product, "stray-1", "#ml-training")
    assert "failed" in slack_text(root.body)
    assert len(product.mails_about("stray-1")) == 2
    assert about(product, "stray-1", "#vision-training") == []


@pytest.mark.case("NO-07")
def test_an_owner_whom_slack_does_not_know_is_named_in_the_teams_channel(product: Product) -> None:
    finish(product, "lost-1", "vision", "beta-oncall@example.com", **FAILING)
    [root] = about(product, "lost-1", "#vision-training")
    said = [slack_text(root.body), *(slack_text(one.body) for one in product.laptop.slack.workspace.replies_to(root))]
    assert any("Meant for beta-oncall@example.com" in text for text in said)


@pytest.mark.case("NO-21")
def test_a_rotated_token_is_used_without_a_deployment(product: Product) -> None:
    workspace = product.laptop.slack.workspace
    workspace.token = "-".join(("xoxb", "rotated"))
    rotate(product.laptop, workspace.token)
    finish(product, "rotated-1", "vision")
    [root] = about(product, "rotated-1", "#vision-training")
    assert "completed" in slack_text(root.body)


def test_a_channel_that_is_gone_is_replaced_by_the_bots_own(product: Product) -> None:
    channels = product.laptop.slack.workspace.channels
    gone = channels.pop("#vision-training")
    try:
        finish(product, "moved-1", "vision")
        [root] = about(product, "moved-1", "#ml-training")
        assert "Meant for #vision-training" in slack_text(root.body)
    finally:
        channels["#vision-training"] = gone


@pytest.mark.parametrize("logical", ROLES)
def test_what_a_bot_and_topics_may_do_is_what_they_did(product: Product, logical: str) -> None:
    role = product.named(logical)
    calls = {(c.action, c.resource) for c in product.laptop.control.authorisations(role) if c.allowed}
    allowed = set(statements(product, role))
    # What the suite of permissions drives with a webhook: parking, waiting, forgetting what failed, families of jobs.
    elsewhere = BY_LAMBDA_ITSELF | {"sqs:SendMessage", "sqs:ChangeMessageVisibility", "dynamodb:DeleteItem"}
    elsewhere |= {"dynamodb:Query", "dynamodb:BatchGetItem", "dynamodb:PutItem"}
    unused = [
        (action, resource)
        for action, resource in allowed
        if action not in elsewhere and not any(a == action and covers(resource, r) for a, r in calls)
    ]
    assert unused == []
    assert [call for call in calls if not any(call[0] == a and covers(r, call[1]) for a, r in allowed)] == []


def subscribe(product: Product) -> Any:
    """A queue of somebody's on the topic; calling it reads the messages."""
    sqs, sns = product.laptop.client("sqs"), product.laptop.client("sns")
    url = sqs.create_queue(QueueName="cards")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    topic = product.named("JobNotificationsTopicsTopic")
    let_in = {"Effect": "Allow", "Principal": {"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage"}
    policy = {"Version": "2012-10-17", "Statement": [{**let_in, "Resource": arn}]}
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(policy)})
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"})

    def heard() -> list[str]:
        found: list[str] = []
        while batch := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            for message in batch:
                sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
                found.append(message["Body"])
        return found

    return heard
