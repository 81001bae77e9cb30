"""What `trainops why` finds: the functions' own decision, taken again from what the ledger has now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trainops.domain.job_records import JobRecord
from trainops.domain.pool_misses import Missed, PoolMiss
from trainops.domain.pools_not_reused import EARLY
from trainops.domain.pools_taken import started_warm
from trainops.domain.warm_pools import PoolRecord
from trainops.ports import Ledger, PoolLedger
from trainops.workflows.pool_misses import PoolAnswers
from trainops_cli.deployed import Mistake
from trainops_cli.why.ledger import ACCEPTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One job, its own pool if it left one, and the pools around it. `took` names the job whose pool it took."""

    record: JobRecord
    own: PoolRecord | None
    around: Sequence[PoolRecord]
    misses: Sequence[PoolMiss]
    warm: bool
    took: str | None
    as_of: datetime

    def about(self, missed: Missed) -> PoolMiss | None:
        """The answer to one of the two questions, if it arises."""
        return next((miss for miss in self.misses if miss.missed is missed), None)


def answer(arn: str, ledger: Ledger, pools: PoolLedger, misses: PoolAnswers, now: datetime) -> Answer:
    """About the newest run under a name. What was told at the time stands where the ledger no longer has the pools.
    Raises Mistake when the ledger does not know the job.
    """
    record = ledger.latest_job(arn)
    if record is None:
        raise Mistake(
            f"the ledger knows no job {arn}; accepted: {ACCEPTED}, of the deployment's account and Region, created "
            "after its installation"
        )
    job = record.job
    around, own = misses.around(record), pools.pool(job.key)
    known = [*(pool for pool in around if pool.key != job.key), *([own] if own else [])]
    taken = next((pool for pool in around if pool.reused_by and pool.reused_by.lower() == job.name.lower()), None)
    warm = record.started_warm or started_warm(job, around)
    found = misses.answers(record, known, now, final=job.terminal or now - job.key.created >= EARLY)
    found = [miss for miss in found if not (warm and miss.missed is Missed.REUSE)]
    answered = {miss.missed for miss in found} | ({Missed.REUSE} if warm else set())
    kept = own is not None and own.confirmed
    told = [
        miss for miss in record.pool_misses if miss.missed not in answered and not (kept and miss.missed is Missed.POOL)
    ]
    return Answer(
        record=record,
        own=own,
        around=[pool for pool in around if pool.key != job.key],
        misses=[*found, *told],
        warm=warm,
        took=taken.name if taken else None,
        as_of=now,
    )
