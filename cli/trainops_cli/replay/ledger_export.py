"""A job history as the ledger's export: JSON lines of its items, as DynamoDB's export to S3 writes them.

Each line is `{"Item": {…}}` in DynamoDB's typed JSON, or an item as plain JSON. Only runs of jobs count (`pk` "JOB#…");
those that cannot have left a pool, or of which too little is known, are left out by reason.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeDeserializer
from dacite import DaciteError

from trainops.adapters.record_codec import from_map
from trainops.domain.job_records import JobRecord
from trainops_cli.replay.jobs import Faults, PastJob

ITEM = "one item of the ledger as a JSON object, plain or as DynamoDB's export writes it"


def read_ledger(lines: Iterable[str], source: str) -> tuple[list[PastJob], Counter[str]]:
    """The jobs, and how many were left out for which reason. Raises TraceError naming the lines that are no items."""
    faults, skipped = Faults(source), Counter[str]()
    jobs: list[PastJob] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = _record(line)
        except (ValueError, TypeError, KeyError, AttributeError, DaciteError) as error:
            faults.add(number, "record", f"{type(error).__name__}: {error}"[:120], ITEM)
            continue
        if record is None:
            continue
        job = _past_job(record)
        if isinstance(job, str):
            skipped[job] += 1
        else:
            jobs.append(job)
    faults.check()
    return jobs, skipped


def _record(line: str) -> JobRecord | None:
    """The run on a line; None for an item of another kind."""
    item: Mapping[str, Any] = json.loads(line, parse_float=Decimal)
    if "Item" in item:
        item = {name: TypeDeserializer().deserialize(value) for name, value in item["Item"].items()}
    if not str(item.get("pk", "JOB#")).startswith("JOB#"):
        return None
    return from_map(JobRecord, item.get("record", item))


def _past_job(record: JobRecord) -> PastJob | str:
    """The job, or why it is left out."""
    job = record.job
    if job.spot:
        return "managed spot, which takes no warm pool"
    if job.match_fingerprint is None:
        return "fields that a pool must match are unknown"
    if job.ended is None:
        return "not ended, or its end is unknown"
    return PastJob(
        team=record.team,
        fingerprint=job.match_fingerprint,
        created=job.key.created,
        ended=job.ended,
        instance_type=job.instance_type,
        instance_count=job.instance_count,
        keep_alive=job.keep_alive or timedelta(0),
        price=record.price,
    )
