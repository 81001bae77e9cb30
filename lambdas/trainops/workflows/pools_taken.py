"""Whether a job took a warm pool, from the ledger's pools."""

from datetime import timedelta

from trainops.domain.job_records import JobRecord
from trainops.ports import PoolLedger

HORIZON = timedelta(hours=6)
"""The longest keep-alive period (API model): a pool that ended earlier was not there for this job."""


def took_a_pool(ledger: PoolLedger, record: JobRecord) -> bool | None:
    """Whether the job was seen in a pool while it ran, or a pool of the ledger names it as the one that took it. None
    when the API never described the job, or a pool that it may have taken has not been looked at since.
    """
    job = record.job
    if record.started_warm:
        return True
    if not job.described or not job.match_fingerprint:
        return None
    keys = ledger.pools_like(job.match_fingerprint, job.key.created - HORIZON)
    pools = ledger.pools([key for key in keys if key != job.key]).values()
    if any(pool.reused_by == job.name for pool in pools):
        return True
    return None if any(pool.next_job == job.name and pool.open for pool in pools) else False
