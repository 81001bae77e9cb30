"""What is done to a warm pool at SageMaker: read again, end, extend; each result is read back, never assumed.

Budget for a pool that is ended: one DescribeTrainingJob (with its tags, since a hold may have come) before, one
UpdateTrainingJob, one DescribeTrainingJob after. That it was written that the end was asked for, before it is, lets a
crash in between be made good.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from trainops.domain.warm_pool_outcomes import asked_to_end, never_ended, refused, seen
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.errors import UpdateRefused
from trainops.ports import TrainingJobs, WarmPools

Write = Callable[[PoolRecord], PoolRecord]


@dataclass(frozen=True, slots=True)
class PoolRelease:
    """Acts on one pool; every method returns it as it then is."""

    training_jobs: TrainingJobs
    warm_pools: WarmPools

    def read(self, pool: PoolRecord, now: datetime, *, tags: bool = False) -> PoolRecord:
        """DescribeTrainingJob, and ListTags when `tags` may have changed."""
        return seen(pool, self.training_jobs.describe(pool.name, None if tags else pool.tags), now)

    def end(self, pool: PoolRecord, now: datetime, write: Write) -> PoolRecord:
        """Ask for the end of a pool that was just read as Available, and read the result."""
        if given_up := never_ended(pool, now):
            return given_up
        asked = write(replace(pool, state=PoolState.REQUESTED, requested_at=pool.requested_at or now))
        try:
            self.warm_pools.set_keep_alive(pool.name, timedelta(0))
        except UpdateRefused as error:
            after = self.read(replace(asked, requested_at=pool.requested_at), now)
            if after.open and not pool.requests:
                return refused(replace(after, requested_at=None), str(error), now)
            # Once it agreed, an end that is under way may well refuse another request.
        else:
            after = self.read(asked, now)
        # Only what SageMaker answered counts: throttled calls come back as often as the queue lets them.
        return asked_to_end(after, now) if after.open else after

    def extend(self, pool: PoolRecord, until: datetime, longest: timedelta, now: datetime) -> PoolRecord:
        """Keep a pool that was just read as Available until then, as far as one update reaches. The period is chosen so
        that it is long enough whether it counts from now or from the job's end; a shorter one than the present could
        end the pool, and is not asked for.
        """
        period = min(longest, until - pool.ended)
        if period < pool.keep_alive:
            return pool
        try:
            self.warm_pools.set_keep_alive(pool.name, period)
        except UpdateRefused as error:
            after = self.read(pool, now)
            return refused(after, f"it would not be extended: {error}", now) if after.open else after
        return replace(pool, keep_alive=period, extended_at=now)
