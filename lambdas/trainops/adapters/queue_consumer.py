"""Works through an SQS batch message by message: what fails is retried or parked alone, the rest is done.

The one place that acts on `trainops.errors`: PoisonMessage is put into the dead-letter queue with its reason,
TryLater sets the message's visibility, anything else is logged with its trace and left to the queue's own time-out.
"""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.adapters.signals import Signals
from trainops.domain.backoff import delay
from trainops.environment import QueueConsumer
from trainops.errors import NotConfigured, PoisonMessage, TryLater
from trainops.outcomes import Outcome
from trainops.telemetry import Metric

Handle = Callable[[Mapping[str, Any]], Outcome]
REASON_LENGTH = 1000


class SqsConsumer:
    """A Lambda handler for one queue; `handle` gets each message's JSON object."""

    def __init__(
        self, env: QueueConsumer, handle: Handle, sqs: Any, on_start: Callable[[LambdaContext], None] | None = None
    ) -> None:
        self._env = env
        self._handle = handle
        self._sqs = sqs
        self._on_start = on_start
        self._signals = Signals()
        self._batch = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)

    def __call__(self, event: dict[str, Any], context: LambdaContext) -> Any:
        """Handle a batch; the answer names the messages to be retried (SQS partial batch response)."""
        if self._on_start:
            self._on_start(context)
        try:
            return process_partial_response(event, self._one, self._batch, context)
        finally:
            self._signals.flush()

    def _one(self, record: SQSRecord) -> None:
        try:
            self._handled(record)
        except TryLater:
            raise
        except Exception:
            self._signals.logger.exception("a fault of ours; the queue retries", message_id=record.message_id)
            self._signals.count(Metric.FAULTS)
            raise

    def _handled(self, record: SQSRecord) -> None:
        try:
            outcome = self._handle(_json_object(record.body))
        except PoisonMessage as error:
            self._park(record, str(error))
        except TryLater as error:
            self._postpone(record, error)
            raise
        else:
            self._signals.outcome(outcome, message_id=record.message_id)

    def _park(self, record: SQSRecord, reason: str) -> None:
        self._signals.logger.error("parked in the dead-letter queue", reason=reason, message_id=record.message_id)
        self._sqs.send_message(
            QueueUrl=self._env.dead_letter_queue_url,
            MessageBody=record.body,
            MessageAttributes={"reason": {"DataType": "String", "StringValue": reason[:REASON_LENGTH] or "unknown"}},
        )

    def _postpone(self, record: SQSRecord, error: TryLater) -> None:
        received = int(record.attributes.approximate_receive_count)
        wait = delay(received, error.after, random.random())  # noqa: S311 jitter is no secret
        self._sqs.change_message_visibility(
            QueueUrl=self._env.queue_url,
            ReceiptHandle=record.receipt_handle,
            VisibilityTimeout=int(wait.total_seconds()),
        )
        self._signals.logger.warning(
            "tried again later", reason=str(error), wait_seconds=int(wait.total_seconds()), message_id=record.message_id
        )
        self._signals.count(Metric.NOT_CONFIGURED if isinstance(error, NotConfigured) else Metric.POSTPONED)


def _json_object(body: str) -> Mapping[str, Any]:
    try:
        message = json.loads(body)
    except ValueError as error:
        raise PoisonMessage(f"the message is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise PoisonMessage(f"the message is not a JSON object, but {type(message).__name__}")
    return message
