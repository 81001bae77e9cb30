"""The ledger's DynamoDB table: consistent reads, and writes on condition of the version that was read.

Every item has `pk` and `sk`; what somebody waits for also has `look` and `look_at`, the key of the sparse index.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, ClassVar, Protocol, TypeVar

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, passing_faults
from trainops.adapters.record_codec import Record, from_map, to_map
from trainops.errors import LedgerConflict, TryLater

LOOK_INDEX = "look"
BATCH = 100
"""BatchGetItem takes at most a hundred keys."""
FIRST, LAST = " ", "~"
"""Before and after every sort key."""
Item = dict[str, Any]


class Versioned(Protocol):
    """A dataclass that knows which of its versions was read; 0 is "none"."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def version(self) -> int:
        """How often it was written."""


VersionedRecord = TypeVar("VersionedRecord", bound=Versioned)


@dataclass(frozen=True, slots=True)
class LedgerTable:
    """Items as plain maps. Raises TryLater when the table is throttled or unavailable."""

    dynamodb: Any
    name: str

    def get(self, key: Mapping[str, str]) -> Item | None:
        """GetItem with a consistent read."""
        with passing_faults("GetItem"):
            answer = self.dynamodb.get_item(TableName=self.name, Key=serialized(key), ConsistentRead=True)
        return deserialized(answer["Item"]) if "Item" in answer else None

    def record(self, kind: type[Record], key: Mapping[str, str]) -> Record | None:
        """The record of one item, by GetItem with a consistent read."""
        item = self.get(key)
        return from_map(kind, item["record"]) if item else None

    def put(self, item: Mapping[str, Any], condition: str | None = None, **values: Any) -> bool:
        """PutItem; False when the condition did not hold, and nothing was written. `values` are its :names."""
        request: Item = {"TableName": self.name, "Item": serialized(item)}
        if condition:
            request["ConditionExpression"] = condition
        if values:
            request["ExpressionAttributeValues"] = serialized({f":{name}": value for name, value in values.items()})
        try:
            with passing_faults("PutItem"):
                self.dynamodb.put_item(**request)
        except ClientError as error:
            if code_of(error) != "ConditionalCheckFailedException":
                raise
            return False
        return True

    def add(self, item: Mapping[str, Any]) -> bool:
        """Write unless there is one; False when there was."""
        return self.put(item, "attribute_not_exists(pk)")

    def put_record(self, key: Mapping[str, str], record: VersionedRecord, what: str, **more: Any) -> VersionedRecord:
        """Write a record as its next version, which is returned, with `more` beside it. Raises LedgerConflict when
        somebody else wrote since it was read, and names `what`.
        """
        written = replace(record, version=record.version + 1)
        item = {**key, "version": written.version, "record": to_map(written), **more}
        self.put_version(item, record.version, what)
        return written

    def put_version(self, item: Mapping[str, Any], read: int, what: str) -> None:
        """Write if nobody else did since version `read` was read; 0 is "not there". Raises LedgerConflict."""
        if not (self.put(item, "version = :read", read=read) if read else self.add(item)):
            raise LedgerConflict(f"{what}: written by another", timedelta(seconds=1))

    def batch(self, keys: Sequence[Mapping[str, str]], only: Sequence[str] = ()) -> list[Item]:
        """BatchGetItem, a hundred at a time, in no order; `only` names the attributes that are wanted. A key that is
        named twice is read once: an item that another moves along the index between two queries, or two pages of one,
        is found in both places, and DynamoDB refuses a batch that repeats a key.
        """
        once = list({(key["pk"], key["sk"]): key for key in keys}.values())
        return [item for start in range(0, len(once), BATCH) for item in self._batch(once[start : start + BATCH], only)]

    def _batch(self, keys: Sequence[Mapping[str, str]], only: Sequence[str]) -> list[Item]:
        wanted: Item = {"Keys": [serialized(key) for key in keys], "ConsistentRead": True}
        if only:
            wanted["ProjectionExpression"] = ", ".join(f"#{name}" for name in only)
            wanted["ExpressionAttributeNames"] = {f"#{name}": name for name in only}
        with passing_faults("BatchGetItem"):
            answer = self.dynamodb.batch_get_item(RequestItems={self.name: wanted})
        if answer.get("UnprocessedKeys"):
            raise TryLater("BatchGetItem left keys unprocessed")
        return [deserialized(item) for item in answer["Responses"].get(self.name, ())]

    def within(self, partition: str, first: str = FIRST, last: str = LAST) -> Iterator[Item]:
        """Query the items of one partition between two sort keys, consistently."""
        return self._pages(
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            ExpressionAttributeValues=serialized({":pk": partition, ":first": first, ":last": last}),
            ConsistentRead=True,
        )

    def newest(self, partition: str, first: str, last: str, limit: int) -> list[Item]:
        """Query at most `limit` items of one partition between two sort keys, the greatest first, consistently."""
        pages = self._pages(
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            ExpressionAttributeValues=serialized({":pk": partition, ":first": first, ":last": last}),
            ScanIndexForward=False,
            Limit=limit,
            ConsistentRead=True,
        )
        return list(islice(pages, limit))

    def looks(self, look: str, first: str, last: str, limit: int | None = None) -> Iterator[Item]:
        """Query one partition of the sparse index between two values of `look_at`; only keys are projected."""
        pages = self._pages(
            IndexName=LOOK_INDEX,
            KeyConditionExpression="look = :look AND look_at BETWEEN :first AND :last",
            ExpressionAttributeValues=serialized({":look": look, ":first": first, ":last": last}),
            **({"Limit": limit} if limit else {}),
        )
        yield from islice(pages, limit)

    def _pages(self, **request: Any) -> Iterator[Item]:
        while True:
            with passing_faults("Query"):
                answer = self.dynamodb.query(TableName=self.name, **request)
            yield from map(deserialized, answer["Items"])
            if not answer.get("LastEvaluatedKey"):
                return
            request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def records(kind: type[Record], items: Iterable[Item]) -> list[Record]:
    """The records of some items, in their order."""
    return [from_map(kind, item["record"]) for item in items]


def instant(when: datetime) -> str:
    """UTC in whole seconds with a Z: text that sorts as time does."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def expiry(when: datetime) -> int:
    """A time as the table's TTL attribute takes it."""
    return int(when.timestamp())


def serialized(item: Mapping[str, Any]) -> Item:
    """A plain map in DynamoDB's notation."""
    return {name: TypeSerializer().serialize(value) for name, value in item.items()}


def deserialized(item: Mapping[str, Any]) -> Item:
    """A plain map from DynamoDB's notation."""
    return {name: TypeDeserializer().deserialize(value) for name, value in item.items()}
