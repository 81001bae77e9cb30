"""The safety net under `warm_pool_control`: lists what is Available, and asks for a look at what should not be.

One sweep at a time, by a lease. It changes nothing at SageMaker and describes nothing; a listing that did not come to
its end asks for nothing, and does not say that all is well. It is also the only one that learns.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.domain.state_changes import needed_time
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_events import digest_event
from trainops.domain.warm_pool_looks import PoolLook
from trainops.domain.warm_pool_sweeps import (
    DIGEST_FROM,
    EVENTS_GO_FIRST,
    PastLimit,
    PoolSummary,
    digest_of,
    is_due,
    past_limit,
)
from trainops.domain.warm_pools import PoolRecord
from trainops.errors import TryLater
from trainops.outcomes import Counts, Figures, Outcome
from trainops.ports import Bus, PoolLedger, Queue, WarmPools
from trainops.telemetry import Field, Metric
from trainops.workflows.warm_pool_lessons import Lessons
from trainops.workflows.warm_pool_plans import UNKNOWN, PoolPlans

REACH = timedelta(hours=7)
"""How long ago a job may have changed whose pool is listed: the longest keep-alive period (API model), and an hour. A
pool that is held for longer is in the ledger, and looked at from there.
"""
LEASE = timedelta(minutes=10)
"""Longer than a sweep can run, so that two never do; a sweep that was killed holds up the next one so long."""


@dataclass(frozen=True, slots=True)
class WarmPoolSweep:
    """Handles one tick of the schedule. `control` is `warm_pool_control`'s queue; `log_group` has the full list."""

    pools: PoolLedger
    warm_pools: WarmPools
    plans: PoolPlans
    lessons: Lessons
    control: Queue
    bus: Bus
    log_group: str | None

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """List, ask for looks, tell, learn. Raises ValueError when the event has no time."""
        now = needed_time(event, "time")
        if not self.pools.take_lease(now, now + LEASE):
            return Outcome("another sweep is at work; this one did nothing")
        try:
            listed = self._listed(now, has_time)
        except TryLater as error:
            self.pools.give_lease_back(now, complete=False)
            reason = f"the listing of warm pools was cut short: {error}; nothing was ended, what is idle is not known"
            return Outcome(reason, {Metric.WALK_CUT_SHORT: 1})
        outcome = self._swept(listed, now)
        self.pools.give_lease_back(now, complete=True)
        return outcome

    def _listed(self, now: datetime, has_time: Callable[[], bool]) -> dict[JobKey, PoolSummary]:
        """Every Available pool; a pool that moved between two pages is listed once."""
        found: dict[JobKey, PoolSummary] = {}
        for page in self.warm_pools.available(now - REACH):
            found |= {pool.key: pool for pool in page}
            if not has_time():
                raise TryLater(f"time ran out after {len(found)} pools")
        return found

    def _swept(self, listed: Mapping[JobKey, PoolSummary], now: datetime) -> Outcome:
        known = self.pools.pools(list(listed))
        plans, faults = self.plans(list(known.values()), now)
        due = [item for item in listed.values() if is_due(known.get(item.key), item, plans.get(item.key), now)]
        gone = [key for key in self.pools.open_pools(now - EVENTS_GO_FIRST) if key not in listed]
        past = [past_limit(known[item.key], now) for item in due if item.key in known and known[item.key].open]
        many = len(past) >= DIGEST_FROM
        self._ask([(item.key, item.name) for item in due], now, in_digest=many)
        self._ask([(key, key.lower_case_name) for key in gone], now, in_digest=False)
        told = self._tell(past if many else [], now, known)
        learned = self.lessons(now, self.plans.longest())
        names = ", ".join(item.name for item in due)
        reason = (
            f"{len(listed)} pools are available, {len(due)} to be looked at{f' ({names})' if names else ''}, "
            f"{len(gone)} have gone; {told}{learned}{f'; left alone: {faults}' if faults else ''}"
        )
        unread: Counts = {Metric.NOT_CONFIGURED: 1} if faults else {}
        counts: Counts = {Metric.WALK_CUT_SHORT: 0, **unread}
        available: Mapping[str, Figures] = {
            team: {Field.POOLS_AVAILABLE: n} for team, n in self._teams(listed, known).items()
        }
        return Outcome(reason, counts, figures=available)

    def _teams(self, listed: Mapping[JobKey, PoolSummary], known: Mapping[JobKey, PoolRecord]) -> Counter[str]:
        """How many of the listed pools belong to each team; one that the ledger does not know yet belongs to none."""
        return Counter(self.plans.counted_as(known[key].team) if key in known else UNKNOWN for key in listed)

    def _ask(self, wanted: Sequence[tuple[JobKey, str]], now: datetime, *, in_digest: bool) -> None:
        looks = [
            PoolLook(key=key, name=name, at=now, look_at=now, by_sweep=True, in_digest=in_digest)
            for key, name in wanted
        ]
        self.control.send([look.sent(now)[0] for look in looks])

    def _tell(self, past: Sequence[PastLimit], now: datetime, known: Mapping[JobKey, PoolRecord]) -> str:
        """One digest for many pools, with what became of those of the last one; else every pool has its own news."""
        since = min(self.pools.last_sweep() or now, now)  # a tick that comes late may find a later one's mark
        over = self.pools.pools(self.pools.pools_over(since, now)).values()
        refused = [pool for pool in known.values() if pool.open and pool.refused_since(since)]
        done = [pool for pool in (*over, *refused) if pool.in_digest]
        if not past and not done:
            return ""
        some = done[0].key if done else next(iter(known))
        digest = digest_of(past, done, since, now, log_group=self.log_group, arn=some.arn)
        self.pools.put_digest(digest)
        self.bus.publish([digest_event(digest)])
        return f"{digest.reason}; "
