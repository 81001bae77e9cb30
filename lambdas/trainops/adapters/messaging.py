"""SQS queues and the trainops bus, in whole batches: everything is accepted or an error is raised."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

from trainops.adapters.aws import passing_faults
from trainops.domain.job_events import SOURCE, BusEvent
from trainops.errors import TryLater

BATCH = 10
"""PutEvents and SendMessageBatch take at most ten entries."""


@dataclass(frozen=True, slots=True)
class SqsQueue:
    """Implements `ports.Queue` with a boto3 `sqs` client."""

    sqs: Any
    url: str

    def send(self, messages: Sequence[Mapping[str, Any]], after: timedelta = timedelta(0)) -> None:
        """SendMessageBatch, ten at a time. Raises TryLater when the queue did not take one of them."""
        wait = {"DelaySeconds": ceil(after.total_seconds())} if after else {}
        for start in range(0, len(messages), BATCH):
            entries = [
                {"Id": str(index), "MessageBody": json.dumps(message), **wait}
                for index, message in enumerate(messages[start : start + BATCH])
            ]
            with passing_faults("SendMessageBatch"):
                answer = self.sqs.send_message_batch(QueueUrl=self.url, Entries=entries)
            if failed := answer.get("Failed"):
                raise TryLater(f"SendMessageBatch: {len(failed)} of {len(entries)} refused: {failed[0].get('Code')}")


@dataclass(frozen=True, slots=True)
class EventBridgeBus:
    """Implements `ports.Bus` with a boto3 `events` client."""

    events: Any
    name: str

    def publish(self, events: Sequence[BusEvent]) -> None:
        """PutEvents, ten at a time. Raises TryLater when the bus did not take one of them."""
        for start in range(0, len(events), BATCH):
            entries = [
                {
                    "Source": SOURCE,
                    "DetailType": event.detail_type,
                    "Detail": json.dumps(event.detail),
                    "Resources": [event.resource],
                    "Time": event.time,
                    "EventBusName": self.name,
                }
                for event in events[start : start + BATCH]
            ]
            with passing_faults("PutEvents"):
                answer = self.events.put_events(Entries=entries)
            if answer.get("FailedEntryCount"):
                codes = {entry["ErrorCode"] for entry in answer["Entries"] if "ErrorCode" in entry}
                raise TryLater(f"PutEvents: {answer['FailedEntryCount']} of {len(entries)} refused: {', '.join(codes)}")
