"""Which finished jobs are in the metrics: one small item per job in the ledger's table.

Item: `pk` "COUNTED#<ARN>", `sk` creation time, `at` (when the job ended), `start` and `expires_at`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainops.adapters.ledger import OVER, RUN, job_item, job_key
from trainops.adapters.ledger_table import LedgerTable, expiry, instant, records
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.job_records import JobRecord
from trainops.domain.start_latency import Start
from trainops.domain.training_jobs import JobKey

PREFIX = "COUNTED#"


@dataclass(frozen=True, slots=True)
class DynamoJobCounts:
    """Implements `ports.JobCounts`."""

    table: LedgerTable
    retention: timedelta = timedelta(days=400)
    """As long as the job itself is kept, so that a replay counts nothing again."""

    def count_once(self, key: JobKey, at: datetime, start: Start | None) -> bool:
        """PutItem on condition that there is none."""
        item = {**job_item(PREFIX, key), "at": instant(at), "expires_at": expiry(at + self.retention)}
        if start:
            item["start"] = to_map(start)
        return self.table.add(item)

    def counted(self, keys: Sequence[JobKey]) -> Mapping[JobKey, Start | None]:
        """BatchGetItem."""
        found = self.table.batch([job_item(PREFIX, key) for key in keys])
        return {job_key(item): from_map(Start, item["start"]) if "start" in item else None for item in found}

    def finished(self, since: datetime, until: datetime) -> Sequence[JobKey]:
        """Query the sparse index."""
        return [job_key(item) for item in self.table.looks(OVER, instant(since), instant(until))]

    def records(self, keys: Sequence[JobKey]) -> Sequence[JobRecord]:
        """BatchGetItem."""
        return records(JobRecord, self.table.batch([job_item(RUN, key) for key in keys]))
