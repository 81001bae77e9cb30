"""What the start of a job says about idle pools: one of them was taken, or would have been if it were still there."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trainops.domain.job_records import JobRecord
from trainops.domain.keep_alive_lessons import JobCreated
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pools import PoolRecord
from trainops.history_ports import Histories
from trainops.outcomes import Outcome
from trainops.ports import PoolLedger
from trainops.workflows.warm_pool_turn import PoolTurn

HORIZON = timedelta(hours=6)
"""The longest keep-alive period (API model): an older pool could not have been there."""


@dataclass(frozen=True, slots=True)
class PoolReuse:
    """Handles the start of a job that could take a pool; at most one DescribeTrainingJob."""

    pools: PoolLedger
    histories: Histories
    turn: PoolTurn

    def __call__(self, record: JobRecord, now: datetime) -> Outcome:
        """Give the youngest matching pool without a successor its successor, and see whether it was really taken."""
        job = record.job
        if not job.match_fingerprint or job.spot or job.tuning_job or not job.instance_type:
            return Outcome("a job that takes no warm pool", job=job.name)
        lesson = JobCreated(job.match_fingerprint, record.team, job.key.created)
        self.histories.add_lesson(lesson, job.key.arn)
        pool = self._youngest(job.match_fingerprint, job.key)
        if pool is None:
            return Outcome("no pool like it was there or has lately been", job=job.name)
        followed = replace(pool, next_start=job.key.created, next_job=job.name)
        if not pool.open:
            self.pools.put_pool(followed)
            return Outcome(f"it came after the pool of {pool.name} was {pool.state}", job=job.name)
        after = self.turn.release.read(followed, now)
        outcome = self.turn(after, now)
        what = "is still there" if after.open else f"is {after.state}, by {after.reused_by or 'no job'}"
        return replace(outcome, reason=f"the pool of {pool.name} {what}: {outcome.reason}", job=job.name)

    def _youngest(self, fingerprint: str, job: JobKey) -> PoolRecord | None:
        keys = [key for key in self.pools.pools_like(fingerprint, job.created - HORIZON) if key != job]
        alike = [
            pool for pool in self.pools.pools(keys).values() if pool.next_start is None and pool.ended <= job.created
        ]
        return max(alike, key=lambda pool: pool.ended, default=None)
