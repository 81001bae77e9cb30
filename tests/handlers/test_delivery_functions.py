"""The deliveries as they are deployed, from their variables to Slack and SNS; AWS is moto's."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from moto import mock_aws

from handlers import slack_delivery, topic_delivery
from local.receivers import SlackReceiver
from tests.adapters.cards import card
from trainops.notification_environment import Delivery, SlackDelivery, TopicDelivery

CONTEXT: Any = SimpleNamespace(
    get_remaining_time_in_millis=lambda: 30_000,
    function_name="f",
    memory_limit_in_mb=512,
    invoked_function_arn="arn:f",
    aws_request_id="1",
)
SWITCH = "/trainops/kill-switch"


@dataclass
class Account:
    """What a delivery function reaches."""

    slack: SlackReceiver
    common: dict[str, str]

    def rotate(self, token: str, webhook: str = "T000/B000/trainops") -> None:
        """Put another token, or webhook, into the secret."""
        text = _secret(self.slack, token, webhook)
        boto3.client("secretsmanager").put_secret_value(SecretId="trainops/slack", SecretString=text)

    def revoke(self) -> None:
        """Take from the secret's token and webhook what they could do."""
        self.slack.workspace.token = "-".join(("xoxb", "rotated"))
        self.slack.remove()

    def queue(self, name: str) -> list[dict[str, Any]]:
        """What lies in a queue."""
        answer = boto3.client("sqs").receive_message(QueueUrl=self.common[name], MaxNumberOfMessages=10)
        return [json.loads(message["Body"]) for message in answer.get("Messages", [])]


def _secret(slack: SlackReceiver, token: str, webhook: str = "T000/B000/trainops") -> str:
    return json.dumps({"token": token, "api_url": slack.api_url, "webhook_url": slack.url(webhook)})


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    slack = SlackReceiver()
    with mock_aws():
        boto3.client("dynamodb").create_table(
            TableName="t",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        )
        boto3.client("ssm").put_parameter(Name=SWITCH, Value="off", Type="String")
        names = ("queue_url", "dead_letter_queue_url", "fallback_queue_url")
        urls = {name: boto3.client("sqs").create_queue(QueueName=name)["QueueUrl"] for name in names}
        slack.start()
        secret = _secret(slack, slack.workspace.token)
        boto3.client("secretsmanager").create_secret(Name="trainops/slack", SecretString=secret)
        for module in (slack_delivery, topic_delivery):
            module.wire.cache_clear()
        try:
            yield Account(slack, {**urls, "ledger_table": "t", "kill_switch_parameter": SWITCH})
        finally:
            slack.stop()
            for module in (slack_delivery, topic_delivery):
                module.wire.cache_clear()


def received(*bodies: dict[str, Any]) -> dict[str, Any]:
    """Messages as Lambda takes them off the queue, for the first time; their handles are their places."""
    return {
        "Records": [
            {
                "messageId": str(number),
                "receiptHandle": "handle",
                "body": json.dumps(body),
                "attributes": {"ApproximateReceiveCount": "1"},
                "messageAttributes": {},
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:us-east-1:111122223333:q",
            }
            for number, body in enumerate(bodies)
        ]
    }


def bot(account: Account, channel: str | None) -> SlackDelivery:
    no_pause: Any = timedelta(0)
    return SlackDelivery(**account.common, secret_name="trainops/slack", channel=channel, post_spacing=no_pause)


def deployed(monkeypatch: pytest.MonkeyPatch, env: Delivery) -> None:
    for name, text in env.to_env().items():
        monkeypatch.setenv(name, text)


@pytest.mark.case("NO-21")
def test_a_bot_posts_once_and_uses_a_rotated_token_without_a_new_process(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed(monkeypatch, bot(account, "#ml-training"))
    first = card(key="a", word="Started", thread="run").to_message()
    for _ in range(2):
        assert slack_delivery.handler(received({**first, "to": "#vision-training"}), CONTEXT) == {
            "batchItemFailures": []
        }
    account.slack.workspace.token = "-".join(("xoxb", "rotated"))
    account.rotate(account.slack.workspace.token)
    second = card(key="b", word="Failed", thread="run").to_message()
    assert slack_delivery.handler(received({**second, "to": "#vision-training"}), CONTEXT) == {"batchItemFailures": []}
    [root] = account.slack.workspace.shown_in("#vision-training")
    assert len(root.versions) == 1
    assert len(account.slack.workspace.replies_to(root)) == 1


def test_what_slack_refuses_everywhere_goes_to_the_other_channels_queue(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed(monkeypatch, bot(account, "#gone"))
    message = {**card(key="a").to_message(), "to": "#gone-too"}
    assert slack_delivery.handler(received(message), CONTEXT) == {"batchItemFailures": []}
    [moved] = account.queue("fallback_queue_url")
    assert "to" not in moved, "another channel has other places"
    assert moved["context"][-1].startswith("Sent here because Slack refused it: channel_not_found")


@pytest.mark.case("NO-21")
@pytest.mark.parametrize("channel", ["#ml-training", None], ids=["bot", "webhook"])
def test_a_revoked_access_sends_the_card_elsewhere_at_once_and_a_person_hears_of_it(
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    channel: str | None,
) -> None:
    account.revoke()
    deployed(monkeypatch, bot(account, channel))
    assert slack_delivery.handler(received(card(key="a").to_message()), CONTEXT) == {"batchItemFailures": []}
    [moved] = account.queue("fallback_queue_url")
    assert moved["context"][-1].startswith("Sent here because Slack needs a repair: ")
    assert '"NotConfigured":[1.0]' in capsys.readouterr().out, "what the alarm rings on"
    assert "trainops/slack" in caplog.text, "and what has to be repaired"


@pytest.mark.case("NO-21")
@pytest.mark.parametrize("channel", ["#ml-training", None], ids=["bot", "webhook"])
def test_a_revoked_access_without_another_channel_waits_for_its_repair(
    account: Account, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], channel: str | None
) -> None:
    account.revoke()
    deployed(monkeypatch, replace(bot(account, channel), fallback_queue_url=None))
    url, message = account.common["queue_url"], received(card(key="a").to_message())
    [record] = message["Records"]
    boto3.client("sqs").send_message(QueueUrl=url, MessageBody=record["body"])
    record["receiptHandle"] = boto3.client("sqs").receive_message(QueueUrl=url)["Messages"][0]["ReceiptHandle"]
    assert slack_delivery.handler(message, CONTEXT) == {"batchItemFailures": [{"itemIdentifier": "0"}]}
    assert '"NotConfigured":[1.0]' in capsys.readouterr().out
    assert account.queue("dead_letter_queue_url") == []
    account.rotate(account.slack.workspace.token, "T000/B000/new")
    assert slack_delivery.handler(message, CONTEXT) == {"batchItemFailures": []}
    assert len(account.slack.workspace.shown_in(channel) if channel else account.slack.to("T000/B000/new")) == 1


def test_a_topic_gets_the_card_that_names_it(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    sns, sqs = boto3.client("sns"), boto3.client("sqs")
    topics = [sns.create_topic(Name=name)["TopicArn"] for name in ("cards", "amazon-q")]
    queues = [sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("heard", "heard-q")]
    for topic, url in zip(topics, queues, strict=True):
        arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"})
    deployed(monkeypatch, TopicDelivery(**account.common, sns_topic_arn=topics[0], amazon_q_topic_arn=topics[1]))
    said = card(word="Failed").to_message()
    both = received({**said, "to": "sns"}, {**said, "to": "amazon_q"})
    assert topic_delivery.handler(both, CONTEXT) == {"batchItemFailures": []}
    plain, formal = (sqs.receive_message(QueueUrl=url)["Messages"][0]["Body"] for url in queues)
    assert plain.startswith("resnet-1 failed")
    assert json.loads(formal)["source"] == "custom"


def test_a_topics_function_without_any_topic_says_what_it_needs(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed(monkeypatch, TopicDelivery(**account.common, sns_topic_arn=None, amazon_q_topic_arn=None))
    with pytest.raises(ValueError, match="neither SNS_TOPIC_ARN nor AMAZON_Q_TOPIC_ARN"):
        topic_delivery.wire()
