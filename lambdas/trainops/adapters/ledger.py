"""The ledger: one DynamoDB table that remembers every run of a job and what was announced of it.

Item of a run: `pk` "JOB#<ARN>", `sk` creation time, `version`, `status`, `record` (the whole `JobRecord`), `expires_at`
(TTL, epoch seconds) and, while something is waited for, `look` and `look_at`, the key of the sparse index `look`.
Every write is conditional on the version that was read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from trainops.adapters.aws import passing_faults
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.job_records import JobRecord
from trainops.domain.reconciliation import Watermark
from trainops.domain.training_jobs import JobKey
from trainops.errors import LedgerConflict, TryLater

LOOK_INDEX = "look"
LOOK = "job"
"""The one partition of the index: runs that something is waited for; a handful per second at most."""
WATERMARK_KEY = {"pk": "RECONCILE", "sk": "watermark"}


@dataclass(frozen=True, slots=True)
class DynamoLedger:
    """Implements `ports.Ledger` with a boto3 `dynamodb` client."""

    dynamodb: Any
    table: str
    retention: timedelta = timedelta(days=400)
    """How long after its last write an item is kept."""

    def job(self, key: JobKey) -> JobRecord | None:
        """GetItem with a consistent read."""
        return _record(self._get(_key(key)))

    def latest_job(self, arn: str) -> JobRecord | None:
        """Query the newest sort key under a job's ARN."""
        with passing_faults("Query"):
            answer = self.dynamodb.query(
                TableName=self.table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues=_serialized({":pk": f"JOB#{arn}"}),
                ScanIndexForward=False,
                Limit=1,
                ConsistentRead=True,
            )
        return _record(_deserialized(answer["Items"][0])) if answer["Items"] else None

    def put_job(self, record: JobRecord) -> JobRecord:
        """PutItem on condition that the stored version is the one that was read."""
        written = replace(record, version=record.version + 1)
        now = record.job.ended or record.job.last_modified or record.job.key.created
        item = {
            **_key(record.job.key),
            "version": written.version,
            "status": record.job.status,
            "team": record.team,
            "record": to_map(written),
            "expires_at": int((now + self.retention).timestamp()),
        }
        if written.look_at is not None:
            item |= {"look": LOOK, "look_at": _instant(written.look_at)}
        condition = "attribute_not_exists(pk)" if record.version == 0 else "version = :read"
        values = {} if record.version == 0 else {"ExpressionAttributeValues": _serialized({":read": record.version})}
        try:
            with passing_faults("PutItem"):
                self.dynamodb.put_item(
                    TableName=self.table, Item=_serialized(item), ConditionExpression=condition, **values
                )
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            raise LedgerConflict(f"{record.job.name}: written by another", timedelta(seconds=1)) from error
        return written

    def statuses(self, keys: Sequence[JobKey]) -> Mapping[JobKey, str]:
        """BatchGetItem of at most 100 keys, only the status."""
        wanted: dict[str, JobKey] = {_sortable(key): key for key in keys}
        found: dict[JobKey, str] = {}
        request = {
            self.table: {
                "Keys": [_serialized(_key(key)) for key in keys],
                "ProjectionExpression": "pk, sk, #status",
                "ExpressionAttributeNames": {"#status": "status"},
                "ConsistentRead": True,
            }
        }
        if not keys:
            return found
        with passing_faults("BatchGetItem"):
            answer = self.dynamodb.batch_get_item(RequestItems=request)
        if answer.get("UnprocessedKeys"):
            raise TryLater("BatchGetItem left keys unprocessed")
        for raw in answer["Responses"].get(self.table, ()):
            item = _deserialized(raw)
            found[wanted[f"{item['pk']}|{item['sk']}"]] = item["status"]
        return found

    def due_jobs(self, now: datetime, limit: int) -> Sequence[JobKey]:
        """Query the sparse index up to now, longest overdue first."""
        with passing_faults("Query"):
            answer = self.dynamodb.query(
                TableName=self.table,
                IndexName=LOOK_INDEX,
                KeyConditionExpression="look = :look AND look_at <= :now",
                ExpressionAttributeValues=_serialized({":look": LOOK, ":now": _instant(now)}),
                Limit=limit,
            )
        return [_job_key(_deserialized(item)) for item in answer["Items"]]

    def watermark(self) -> Watermark | None:
        """GetItem of the reconciler's place."""
        item = self._get(WATERMARK_KEY)
        if item is None:
            return None
        created, since = (datetime.fromisoformat(item[name]) for name in ("created", "since"))
        return Watermark(created, item["complete"], since)

    def put_watermark(self, watermark: Watermark) -> None:
        """PutItem of the reconciler's place; one reconciler runs at a time and the last one is right."""
        item = {
            **WATERMARK_KEY,
            "created": _instant(watermark.created),
            "complete": watermark.complete,
            "since": _instant(watermark.since),
        }
        with passing_faults("PutItem"):
            self.dynamodb.put_item(TableName=self.table, Item=_serialized(item))

    def _get(self, key: Mapping[str, str]) -> dict[str, Any] | None:
        with passing_faults("GetItem"):
            answer = self.dynamodb.get_item(TableName=self.table, Key=_serialized(key), ConsistentRead=True)
        return _deserialized(answer["Item"]) if "Item" in answer else None


def _record(item: Mapping[str, Any] | None) -> JobRecord | None:
    return None if item is None else from_map(JobRecord, item["record"])


def _key(key: JobKey) -> dict[str, str]:
    return {"pk": f"JOB#{key.arn}", "sk": _instant(key.created)}


def _sortable(key: JobKey) -> str:
    return "|".join(_key(key).values())


def _job_key(item: Mapping[str, Any]) -> JobKey:
    return JobKey.of(item["pk"].removeprefix("JOB#"), datetime.fromisoformat(item["sk"]))


def _instant(when: datetime) -> str:
    """UTC in whole seconds with a Z: text that sorts as time does."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _serialized(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: TypeSerializer().serialize(value) for name, value in item.items()}


def _deserialized(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: TypeDeserializer().deserialize(value) for name, value in item.items()}
