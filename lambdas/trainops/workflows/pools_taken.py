"""Whether a job took a warm pool, from the ledger's pools."""

from datetime import timedelta

from trainops.domain.training_jobs import TrainingJob
from trainops.ports import PoolLedger

HORIZON = timedelta(hours=6)
"""The longest keep-alive period (API model): a pool that ended earlier was not there for this job."""


def took_a_pool(ledger: PoolLedger, job: TrainingJob) -> bool | None:
    """Whether a pool of the ledger names this job as the one that took it. None when the API never described the
    job, or a pool that it may have taken has not been looked at since.
    """
    if not job.described or not job.match_fingerprint:
        return None
    keys = ledger.pools_like(job.match_fingerprint, job.key.created - HORIZON)
    pools = ledger.pools([key for key in keys if key != job.key]).values()
    if any(pool.reused_by == job.name for pool in pools):
        return True
    return None if any(pool.next_job == job.name and pool.open for pool in pools) else False
