"""The ledger's items of families of jobs: one of the family, one for each job of it, one for each step of a pipeline.

All have `pk` "FAMILY#<ARN in lower case>"; `sk` is "FAMILY", "JOB#<ARN>#<creation time>" or "STEP#<name>". Jobs and
steps are items of their own, so that the thousand jobs of a tuning job neither meet in one item nor outgrow it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from trainops.adapters.ledger import RUN, job_item
from trainops.adapters.ledger_table import Item, LedgerTable, expiry, instant, records
from trainops.adapters.record_codec import to_map
from trainops.domain.job_families import Family, Members, Step
from trainops.domain.job_records import JobRecord
from trainops.domain.training_jobs import JobKey

PREFIX = "FAMILY#"
HEAD = "FAMILY"
JOBS, STEPS = "JOB#", "STEP#"
KEPT = timedelta(days=60)
"""Longer than anything that launches jobs runs; the jobs themselves are kept longer."""


@dataclass(frozen=True, slots=True)
class DynamoFamilies:
    """Implements `quiet_ports.Families`."""

    table: LedgerTable

    def join(self, family: str, job: JobKey, outer: str | None) -> None:
        """PutItem; a repetition writes the same."""
        item = {**_key(family, f"{JOBS}{job.arn}#{instant(job.created)}"), "expires_at": expiry(job.created + KEPT)}
        self.table.put({**item, "outer": outer} if outer else item)

    def family(self, arn: str) -> Family | None:
        """GetItem with a consistent read."""
        return self.table.record(Family, _key(arn, HEAD))

    def put_family(self, family: Family) -> None:
        """PutItem on condition that the stored version is the one that was read."""
        times = [when for when in (family.last_end, family.end.ended if family.end else None) if when]
        self.table.put_record(_key(family.arn, HEAD), family, family.arn, expires_at=expiry(max(times) + KEPT))

    def put_step(self, family: str, step: Step) -> None:
        """PutItem on condition that nothing later is stored; of the same second, an end is the later."""
        rank = f"{instant(step.seen)}|{int(step.over)}"
        item = {
            **_key(family, f"{STEPS}{step.name}"),
            "ranked": rank,
            "record": to_map(step),
            "expires_at": expiry(step.seen + KEPT),
        }
        self.table.put(item, "attribute_not_exists(pk) OR ranked < :ranked", ranked=rank)

    def members(self, arn: str) -> Members:
        """Query the family's items, then BatchGetItem of its jobs."""
        items = list(self.table.within(f"{PREFIX}{arn}", JOBS, f"{STEPS}\N{TILDE}"))
        jobs = [item for item in items if item["sk"].startswith(JOBS)]
        found = self.table.batch([job_item(RUN, _job_key(item)) for item in jobs])
        return Members(
            jobs=sorted(records(JobRecord, found), key=lambda one: one.job.key.created),
            steps=records(Step, (item for item in items if item["sk"].startswith(STEPS))),
            outer=next((item["outer"] for item in jobs if "outer" in item), None),
        )


def _key(arn: str, part: str) -> dict[str, str]:
    return {"pk": f"{PREFIX}{arn}", "sk": part}


def _job_key(item: Item) -> JobKey:
    arn, _, created = item["sk"].removeprefix(JOBS).rpartition("#")
    return JobKey(arn, datetime.fromisoformat(created).astimezone(UTC))
