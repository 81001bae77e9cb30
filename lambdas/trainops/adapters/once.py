"""Makes handling a message happen once, whatever the queue repeats: Powertools Idempotency in the ledger's table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyPersistenceLayerError,
)
from aws_lambda_powertools.utilities.typing import LambdaContext

from trainops.errors import PoisonMessage, TryLater
from trainops.outcomes import HANDED_OVER, Outcome
from trainops.telemetry import Field

REMEMBERED = timedelta(days=14)
"""As long as a message can live in a queue and its dead-letter queue together."""


class Once:
    """Calls `handle` once per `message["key"]` and place; a repetition is told so. While another invocation is at it,
    TryLater.

    A second effect is possible only when a function dies, or cannot reach the table, between the effect and the record
    of it, or when a channel accepts a message without its answer arriving. Where an invocation never came to its end,
    the next one counts that.
    """

    def __init__(self, dynamodb: Any, table: str, effect: str, handle: Callable[[Mapping[str, Any]], Outcome]) -> None:
        self._handle = handle
        self._config = IdempotencyConfig(
            event_key_jmespath="[key, to]",
            raise_on_no_idempotency_key=True,
            expires_after_seconds=int(REMEMBERED.total_seconds()),
        )
        self._records = _Records(dynamodb)
        store = DynamoDBPersistenceLayer(
            table_name=table,
            key_attr="pk",
            static_pk_value=f"ONCE#{effect}",
            sort_key_attr="sk",
            expiry_attr="expires_at",
            boto3_client=self._records,  # type: ignore[arg-type]
        )
        self._guarded = idempotent_function(
            self._act,
            data_keyword_argument="message",
            persistence_store=store,
            config=self._config,
            key_prefix=effect,
        )
        self._outcome: Outcome | None = None

    def register(self, context: LambdaContext) -> None:
        """Tell when the invocation ends, so that a record left by a killed function is not waited for longer."""
        self._config.register_lambda_context(context)

    def __call__(self, message: Mapping[str, Any]) -> Outcome:
        """Handle the message, unless that was done. Raises PoisonMessage when it has no key."""
        if not message.get("key"):
            raise PoisonMessage("the message has no key to tell it from its repetition")
        self._outcome = None
        try:
            result = self._guarded(message=dict(message))
        except IdempotencyAlreadyInProgressError as error:
            raise TryLater("another invocation is at this message") from error
        except IdempotencyPersistenceLayerError as error:
            raise TryLater("the record of what was done cannot be reached") from error
        if self._outcome is None and result == HANDED_OVER and message.get("fallback"):
            raise PoisonMessage("refused here before, and now by the other channel too: nobody got it")
        return self._outcome or Outcome(f"{message['key']}: was {result} before")

    def _act(self, message: dict[str, Any]) -> str:
        abandoned = self._records.abandoned
        outcome = self._handle(message)
        if abandoned:
            reason = f"{outcome.reason}; an invocation before died at it, so it may be there twice"
            outcome = replace(outcome, reason=reason, counts={**outcome.counts, Field.MAYBE_TWICE: 1})
        self._outcome = outcome
        return outcome.result


class _Records:
    """The table's client, which also notices whether the record it wrote last took the place of one that an invocation
    had begun and never ended: Powertools overwrites it without a word.
    """

    def __init__(self, dynamodb: Any) -> None:
        self._dynamodb = dynamodb
        self.abandoned = False

    def put_item(self, **request: Any) -> Any:
        self.abandoned = False
        answer = self._dynamodb.put_item(**request, ReturnValues="ALL_OLD")
        self.abandoned = answer.get("Attributes", {}).get("status", {}).get("S") == "INPROGRESS"
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dynamodb, name)
