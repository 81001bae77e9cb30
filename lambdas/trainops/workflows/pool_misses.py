"""Adds to a job's item why it took no warm pool and why it left none, before its start or end is announced.

Budget: one query of the ledger's open pools, one of those that went, and one read of at most a hundred of them; all
open pools are read only for a job whose own was not kept, since they share its quota. SageMaker is asked only at an
end, about pools of the job's kind that the ledger believes to be idle since before it came: its start may not have been
seen while it ran. Once told, an answer stays, unless it turns out that the job did take a pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trainops.domain.announcements import AnnouncementType
from trainops.domain.job_records import Decision, JobRecord
from trainops.domain.pool_misses import Missed, MissKind, PoolMiss
from trainops.domain.pools_not_kept import misses_pool, why_not_kept
from trainops.domain.pools_not_reused import EARLY, WINDOW, why_not_reused
from trainops.domain.pools_taken import may_have_taken, started_warm, took
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pools import PoolRecord
from trainops.ports import PoolLedger, TrainingJobs, WarmPoolQuotas

MOST = 100
"""Pools that are read: one BatchGetItem. Of more, those with the same fingerprint and the team's youngest."""
MOST_ASKED = 3
"""Of the pools that the job may have taken, so many are asked for, the youngest first."""
HORIZON = timedelta(hours=6)
"""The longest keep-alive period (API model): what a pool of then became is in the ledger by that time."""
LONGEST_LIFE = timedelta(days=28)
"""How long a cluster can live through reuse (developer guide): no open pool waits for anything later."""


@dataclass(frozen=True, slots=True)
class PoolAnswers:
    """Answers from the ledger alone; `quotas` may know nothing."""

    pools: PoolLedger
    quotas: WarmPoolQuotas

    def around(self, record: JobRecord) -> Sequence[PoolRecord]:
        """The pools that a job could have taken: those of its fingerprint, and its team's."""
        job, created = record.job, record.job.key.created
        until = created + EARLY + HORIZON
        keys = self.pools.pools_around(record.team, job.match_fingerprint, created - WINDOW, until, MOST)
        return list(self.pools.pools(keys).values()) if keys else []

    def answers(
        self, record: JobRecord, pools: Sequence[PoolRecord], as_of: datetime, *, final: bool
    ) -> list[PoolMiss]:
        """Both questions, as far as they arise."""
        found = why_not_reused(record.job, record.team, pools, as_of, final=final), self._not_kept(record.job, pools)
        return [miss for miss in found if miss]

    def _not_kept(self, job: TrainingJob, pools: Sequence[PoolRecord]) -> PoolMiss | None:
        if not misses_pool(job, pools):
            return None
        open_keys = self.pools.open_pools(job.key.created + LONGEST_LIFE)
        holding = {pool.key: pool for pool in pools} | dict(self.pools.pools(open_keys))
        return why_not_kept(job, list(holding.values()), self.quotas.instances(job.instance_type))


@dataclass(frozen=True, slots=True)
class PoolMisses:
    """What a job's item says of pools."""

    ledger: PoolAnswers
    training_jobs: TrainingJobs

    def __call__(self, decision: Decision, now: datetime) -> Decision:
        """The decision with what its announcements should say of pools."""
        written = decision.record
        told_in = _announced(written) if written else None
        if written is None or told_in is None:
            return decision
        pools, final = self.ledger.around(written), told_in is AnnouncementType.FINISHED
        answers = self.ledger.answers(written, pools, now, final=final)
        known = list(written.pool_misses)
        warm = (
            written.started_warm or started_warm(written.job, pools) or (final and self._took_one(written.job, pools))
        )
        if warm:
            known, answers = ([miss for miss in found if miss.missed is Missed.POOL] for found in (known, answers))
        new = [
            replace(miss, told_in=None if miss.kind is MissKind.TUNING else told_in)
            for miss in answers
            if miss.missed not in {item.missed for item in known}
        ]
        reason = "; ".join((decision.reason, *(miss.sentence for miss in new)))
        return Decision(replace(written, pool_misses=(*known, *new), started_warm=warm), reason)

    def _took_one(self, job: TrainingJob, pools: Sequence[PoolRecord]) -> bool:
        asked = may_have_taken(job, pools)[:MOST_ASKED]
        return any(took(job, pool, self.training_jobs.describe(pool.name, pool.tags)) for pool in asked)


def _announced(record: JobRecord) -> AnnouncementType | None:
    """The start or end that is about to be told."""
    kinds = {item.type for item in record.pending.values()}
    return next((kind for kind in (AnnouncementType.FINISHED, AnnouncementType.STARTED) if kind in kinds), None)
