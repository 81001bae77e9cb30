"""A pool that a sweep found and no event told of: its job's end was missed, or is from before the installation."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trainops.domain.job_records import JobRecord
from trainops.domain.owners import owner_of
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pool_looks import PoolLook
from trainops.domain.warm_pool_outcomes import seen
from trainops.domain.warm_pools import PoolRecord, PoolState, opened
from trainops.ports import Ledger, Prices, TrainingJobs


@dataclass(frozen=True, slots=True)
class PoolDiscovery:
    """Makes the pool's item, without writing it; the job's own item is left to `job_intake`."""

    ledger: Ledger
    training_jobs: TrainingJobs
    prices: Prices
    scope: Mapping[str, str]

    def __call__(self, look: PoolLook) -> PoolRecord | None:
        """From the ledger's item of the job when it has ended there, else from DescribeTrainingJob; None when the job
        is gone.
        """
        record = self.ledger.job(look.key)
        if record and record.job.terminal and record.job.described:
            return self._scoped(record, record.job)
        job = self.training_jobs.describe(look.name, None)
        if job is None or job.key != look.key or not job.terminal:
            return None
        team = job.tags.get("team", "default")
        made = JobRecord(
            job=job, team=team, owner=owner_of(job.tags), price=self.prices.training_price(job.instance_type)
        )
        return seen(self._scoped(made, job), job, look.at)

    def _scoped(self, record: JobRecord, job: TrainingJob) -> PoolRecord:
        outside = any(job.tags.get(key) != value for key, value in self.scope.items())
        pool = opened(record)
        return replace(pool, state=PoolState.OUTSIDE) if outside else pool
