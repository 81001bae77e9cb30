"""The ledger: one DynamoDB table that remembers every run of a job and what was announced of it.

Item of a run: `pk` "JOB#<ARN>", `sk` creation time, `version`, `status`, `record` (the whole `JobRecord`), `expires_at`
(TTL, epoch seconds) and, while something is waited for or once the end was announced, `look` and `look_at`, the key of
the sparse index `look`.
Every write is conditional on the version that was read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.adapters.ledger_table import FIRST, LAST, LedgerTable, expiry, instant, records
from trainops.domain.job_records import JobRecord
from trainops.domain.reconciliation import Watermark
from trainops.domain.self_checks import is_self_check
from trainops.domain.training_jobs import JobKey

RUN = "JOB#"
LOOK = "job"
"""One partition of the index: runs that something is waited for; a handful per second at most."""
OVER = "job-over"
"""Another: runs whose end was announced, by when they ended."""
WATERMARK_KEY = {"pk": "RECONCILE", "sk": "watermark"}


@dataclass(frozen=True, slots=True)
class DynamoLedger:
    """Implements `ports.Ledger`."""

    table: LedgerTable
    retention: timedelta = timedelta(days=400)
    """How long after its last write an item is kept."""

    def job(self, key: JobKey) -> JobRecord | None:
        """GetItem with a consistent read."""
        return self.table.record(JobRecord, job_item(RUN, key))

    def latest_job(self, arn: str) -> JobRecord | None:
        """Query the newest sort key under a job's ARN."""
        found = records(JobRecord, self.table.newest(f"{RUN}{arn}", FIRST, LAST, 1))
        return found[0] if found else None

    def put_job(self, record: JobRecord) -> JobRecord:
        """PutItem on condition that the stored version is the one that was read."""
        now = record.job.ended or record.job.last_modified or record.job.key.created
        look = {}
        if record.look_at is not None:
            look = {"look": LOOK, "look_at": instant(record.look_at)}
        elif record.end_announced and not is_self_check(record.job):
            look = {"look": OVER, "look_at": instant(now)}
        return self.table.put_record(
            job_item(RUN, record.job.key),
            record,
            record.job.name,
            status=record.job.status,
            team=record.team,
            expires_at=expiry(now + self.retention),
            **look,
        )

    def statuses(self, keys: Sequence[JobKey]) -> Mapping[JobKey, str]:
        """BatchGetItem, only the status."""
        found = self.table.batch([job_item(RUN, key) for key in keys], only=("pk", "sk", "status"))
        return {job_key(item): item["status"] for item in found}

    def due_jobs(self, now: datetime, limit: int) -> Sequence[JobKey]:
        """Query the sparse index up to now, longest overdue first."""
        return [job_key(item) for item in self.table.looks(LOOK, "0", instant(now), limit)]

    def watermark(self) -> Watermark | None:
        """GetItem of the reconciler's place."""
        item = self.table.get(WATERMARK_KEY)
        if item is None:
            return None
        created, since = (datetime.fromisoformat(item[name]) for name in ("created", "since"))
        return Watermark(created, item["complete"], since)

    def put_watermark(self, watermark: Watermark) -> None:
        """PutItem of the reconciler's place; one reconciler runs at a time and the last one is right."""
        item = {
            **WATERMARK_KEY,
            "created": instant(watermark.created),
            "complete": watermark.complete,
            "since": instant(watermark.since),
        }
        self.table.put(item)


def job_item(prefix: str, key: JobKey) -> dict[str, str]:
    """The key of an item that is about one run of a job."""
    return {"pk": f"{prefix}{key.arn}", "sk": instant(key.created)}


def job_key(item: Mapping[str, Any]) -> JobKey:
    """The run that such an item is about."""
    return JobKey.of(item["pk"].partition("#")[2], datetime.fromisoformat(item["sk"]))
