"""The plans of many pools at once, for a sweep: each team's settings and all histories are read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_plans import plan_of
from trainops.domain.warm_pool_settings import DEFAULT_TEAM, PoolSettings
from trainops.domain.warm_pools import Plan, PoolRecord
from trainops.errors import NotConfigured
from trainops.history_ports import Histories
from trainops.ports import TeamSettings

UNKNOWN = "unknown"


@dataclass(slots=True)
class PoolPlans:
    """Plans by pool; a team whose settings cannot be read has none, and why is said."""

    settings: TeamSettings
    histories: Histories
    _read: dict[str, PoolSettings] = field(default_factory=dict, init=False)

    def __call__(self, pools: Sequence[PoolRecord], now: datetime) -> tuple[Mapping[JobKey, Plan], str]:
        """The plans of open pools, and the faults of settings in one text."""
        self._read, faults = {}, []
        for team in sorted({DEFAULT_TEAM, *(pool.team for pool in pools)}):
            try:
                self._read[team] = self.settings.for_team(team)
            except NotConfigured as error:
                faults.append(str(error))
        history = self.histories.history(
            {pool.match_fingerprint or "" for pool in pools}, {pool.team for pool in pools}
        )
        plans = {
            pool.key: plan_of(pool, self._read[pool.team], history, now)[0]
            for pool in pools
            if pool.open and pool.team in self._read
        }
        return plans, "; ".join(faults)

    def counted_as(self, team: str) -> str:
        """The name under which a team is counted, or "unknown" while the settings that say so cannot be read."""
        try:
            return self.settings.counted_as(team)
        except NotConfigured:
            return UNKNOWN

    def longest(self) -> timedelta:
        """The longest keep-alive that any of these teams gives."""
        return max((settings.longest_keep_alive for settings in self._read.values()), default=timedelta(hours=1))
