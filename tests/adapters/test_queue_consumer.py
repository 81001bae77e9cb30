"""A batch from SQS: each message is done, retried or parked alone."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import boto3
import pytest
from botocore.exceptions import ConnectTimeoutError
from moto import mock_aws

from trainops.adapters.messaging import SqsQueue
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.environment import QueueConsumer
from trainops.errors import NotConfigured, PoisonMessage, TryLater
from trainops.outcomes import Outcome
from trainops.telemetry import Metric


@dataclass
class Queues:
    sqs: Any
    env: QueueConsumer

    def receive(self, *bodies: str) -> dict[str, Any]:
        """Put messages on the queue and take them off as Lambda's event source does."""
        for body in bodies:
            self.sqs.send_message(QueueUrl=self.env.queue_url, MessageBody=body)
        taken = self.sqs.receive_message(QueueUrl=self.env.queue_url, MaxNumberOfMessages=10)["Messages"]
        return {
            "Records": [
                {
                    "messageId": message["MessageId"],
                    "receiptHandle": message["ReceiptHandle"],
                    "body": message["Body"],
                    "attributes": {"ApproximateReceiveCount": "3"},
                    "messageAttributes": {},
                    "eventSource": "aws:sqs",
                    "eventSourceARN": "arn:aws:sqs:us-east-1:111122223333:q",
                }
                for message in taken
            ]
        }

    def dead(self) -> list[dict[str, Any]]:
        answer = self.sqs.receive_message(
            QueueUrl=self.env.dead_letter_queue_url, MessageAttributeNames=["All"], MaxNumberOfMessages=10
        )
        return list(answer.get("Messages", []))


@pytest.fixture
def queues() -> Iterator[Queues]:
    with mock_aws():
        sqs = boto3.client("sqs")
        urls = [sqs.create_queue(QueueName=name)["QueueUrl"] for name in ("q", "dead")]
        yield Queues(sqs, QueueConsumer(queue_url=urls[0], dead_letter_queue_url=urls[1], ledger_table="t"))


def failing(faults: Mapping[str, Exception], done: list[str]) -> Any:
    def handle(message: Mapping[str, Any]) -> Outcome:
        if message["n"] in faults:
            raise faults[message["n"]]
        done.append(message["n"])
        return Outcome("fine", {Metric.ANNOUNCED: 2})

    return handle


def body(name: str) -> str:
    return json.dumps({"n": name})


def test_one_failure_in_a_batch_is_retried_alone(queues: Queues) -> None:
    done: list[str] = []
    batch = queues.receive(body("a"), body("b"), body("c"))
    consume = SqsConsumer(queues.env, failing({"b": RuntimeError("ours")}, done), queues.sqs)
    answer = consume(batch, None)  # type: ignore[arg-type]
    assert done == ["a", "c"]
    assert answer == {"batchItemFailures": [{"itemIdentifier": batch["Records"][1]["messageId"]}]}


@pytest.mark.parametrize("junk", ["not json", "[]", '"text"', ""])
def test_a_message_that_is_no_json_object_is_parked_alone_with_its_reason(queues: Queues, junk: str) -> None:
    done: list[str] = []
    batch = queues.receive(body("a"))
    batch["Records"].append({**batch["Records"][0], "messageId": "junk", "body": junk or " "})
    answer = SqsConsumer(queues.env, failing({}, done), queues.sqs)(batch, None)  # type: ignore[arg-type]
    assert answer == {"batchItemFailures": []}
    assert done == ["a"]
    [dead] = queues.dead()
    assert dead["Body"] == (junk or " ")
    assert "not " in dead["MessageAttributes"]["reason"]["StringValue"]


def test_poison_is_parked_and_not_retried(queues: Queues) -> None:
    batch = queues.receive(body("a"))
    answer = SqsConsumer(queues.env, failing({"a": PoisonMessage("no job")}, []), queues.sqs)(batch, None)  # type: ignore[arg-type]
    assert answer == {"batchItemFailures": []}
    assert [dead["MessageAttributes"]["reason"]["StringValue"] for dead in queues.dead()] == ["no job"]


@pytest.mark.parametrize(
    ("asked", "least", "most"), [(None, 60, 72), (timedelta(seconds=30), 30, 36), (timedelta(hours=3), 900, 1080)]
)
def test_later_means_a_visibility_that_grows_or_is_as_asked(
    queues: Queues, monkeypatch: pytest.MonkeyPatch, asked: timedelta | None, least: int, most: int
) -> None:
    waits: list[int] = []
    change = queues.sqs.change_message_visibility

    def noted(**request: Any) -> None:
        waits.append(request["VisibilityTimeout"])
        change(**request)

    monkeypatch.setattr(queues.sqs, "change_message_visibility", noted)
    batch = queues.receive(body("a"))
    answer = SqsConsumer(queues.env, failing({"a": TryLater("busy", asked)}, []), queues.sqs)(batch, None)  # type: ignore[arg-type]
    assert len(answer["batchItemFailures"]) == 1
    assert least <= waits[0] <= most
    assert queues.dead() == []


def test_what_happened_is_counted(queues: Queues, capsys: pytest.CaptureFixture[str]) -> None:
    batch = queues.receive(body("a"), body("b"), body("c"))
    faults = {"b": NotConfigured("no secret"), "c": PoisonMessage("x")}
    SqsConsumer(queues.env, failing(faults, []), queues.sqs)(batch, None)  # type: ignore[arg-type]
    [metrics] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
    assert metrics["Announced"] == [2.0]
    assert metrics["NotConfigured"] == [1.0]
    assert metrics["service"] == "test"


@pytest.mark.parametrize("fault", [TryLater("not yet"), PoisonMessage("no job")])
def test_what_can_neither_be_postponed_nor_parked_is_a_fault_with_its_trace(
    queues: Queues,
    fault: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    batch = queues.receive(body("a"), body("b"))
    for call in ("change_message_visibility", "send_message"):
        monkeypatch.setattr(queues.sqs, call, Mock(side_effect=ConnectTimeoutError(endpoint_url="sqs")))
    done: list[str] = []
    answer = SqsConsumer(queues.env, failing({"a": fault}, done), queues.sqs)(batch, None)  # type: ignore[arg-type]
    assert len(answer["batchItemFailures"]) == 1
    assert done == ["b"]
    [logged] = [record for record in caplog.records if "a fault of ours" in record.message]
    assert logged.exc_info
    assert logged.exc_info[0] is ConnectTimeoutError
    [metrics] = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
    assert metrics["Faults"] == [1.0]


def test_a_queue_takes_more_than_ten_messages(queues: Queues) -> None:
    SqsQueue(queues.sqs, queues.env.queue_url).send([{"n": str(number)} for number in range(23)])
    count = queues.sqs.get_queue_attributes(QueueUrl=queues.env.queue_url, AttributeNames=["All"])
    assert count["Attributes"]["ApproximateNumberOfMessages"] == "23"
