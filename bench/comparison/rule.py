"""The bare rule: an EventBridge rule whose target is a topic, deployed as it stands in rule.yaml."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.comparison.counting import Message
from bench.comparison.day import NAME
from local.laptop import Laptop

TEMPLATE = Path(__file__).with_name("rule.yaml")
CHANNEL = "topic"
POLL_SECONDS = 0.02


class Reader:
    """Reads a queue that subscribed to the topic, as soon as something is in it."""

    def __init__(self, laptop: Laptop, queue: str) -> None:
        self.messages: list[Message] = []
        self._sqs, self._queue = laptop.client("sqs"), queue
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read what is left, and end."""
        self._ended.set()
        self._thread.join()

    def _read(self) -> None:
        while not self._take() and not self._ended.is_set():
            time.sleep(POLL_SECONDS)

    def _take(self) -> bool:
        """Whether reading is over: told to end, and nothing was there."""
        found = self._sqs.receive_message(QueueUrl=self._queue, MaxNumberOfMessages=10).get("Messages", [])
        for item in found:
            self.messages.append(Message(CHANNEL, time.time(), tuple(NAME.findall(item["Body"]))))
            self._sqs.delete_message(QueueUrl=self._queue, ReceiptHandle=item["ReceiptHandle"])
        return not found and self._ended.is_set()


@contextmanager
def deployed_rule(laptop: Laptop) -> Iterator[Reader]:
    """Create the stack and subscribe a queue, which stands for whoever reads the messages."""
    cloudformation, name = laptop.client("cloudformation"), "bare-rule"
    cloudformation.create_stack(StackName=name, TemplateBody=TEMPLATE.read_text(encoding="utf-8"))
    cloudformation.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig={"Delay": 1})
    [stack] = cloudformation.describe_stacks(StackName=name)["Stacks"]
    [topic] = [output["OutputValue"] for output in stack["Outputs"]]
    sqs = laptop.client("sqs")
    queue = sqs.create_queue(QueueName="bare-rule-reader")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"Policy": json.dumps(_policy(topic, arn))})
    laptop.client("sns").subscribe(
        TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"}
    )
    reader = Reader(laptop, queue)
    reader.start()
    try:
        yield reader
    finally:
        reader.stop()


def _policy(topic: str, queue: str) -> dict[str, Any]:
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": queue,
        "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
    }
    return {"Version": "2012-10-17", "Statement": [statement]}
