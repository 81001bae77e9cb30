"""What keep-alive period a team should ask for when it submits a job: for each kind of pool, from its own gaps.

Zero is recommended until the evidence says that a pool pays. Published to the team as `recommendations.json`, version 1
of a contract with people's programs (the first one is written by the deployment, see `stacks.capabilities.team_facts`).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Any

from trainops.domain.keep_alive_economics import Economics
from trainops.domain.keep_alive_gaps import chances, cheapest_plan
from trainops.domain.keep_alive_guard import Trial
from trainops.domain.keep_alive_history import History, KeyHistory, TeamHistory
from trainops.domain.keep_alive_policies import ENOUGH_GAPS, IdlePool, KeepAliveSettings, decide
from trainops.domain.warm_pool_settings import PoolSettings
from trainops.domain.wording import counted, duration_text, instances_text, money_text

VERSION = 1
ENOUGH_SPOT = 3
"""So many managed spot jobs of a kind say what the next one saves."""
CENT = Decimal("0.01")
MINUTE = timedelta(minutes=1)


class UnreadableRecommendations(ValueError):
    """A document that this version does not understand."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A keep-alive period for jobs of one match fingerprint, 0 for no warm pool, and why. What a warm pool and what
    managed spot save on one such job, which exclude each other: US dollars as text, None while unknown.
    """

    seconds: int
    reason: str
    pool_saves_usd: str | None = None
    spot_saves_usd: str | None = None

    @property
    def cheaper(self) -> str:
        """Which of the two to choose, in one sentence."""
        pool, spot = (None if usd is None else Decimal(usd) for usd in (self.pool_saves_usd, self.spot_saves_usd))
        if pool is None or spot is None:
            missing = " and ".join(what for what, usd in (("a warm pool", pool), ("managed spot", spot)) if usd is None)
            return f"which is cheaper is unknown: what {missing} would save on jobs like it is not known yet"
        saved = f"managed spot has saved {money_text(spot)} on a job like it, a warm pool {money_text(pool)}"
        return f"{saved} ({self.reason}): {'managed spot' if spot >= pool else 'a warm pool'} is cheaper"


def recommendations(team: str, history: History, settings: PoolSettings, now: datetime) -> Mapping[str, Recommendation]:
    """By match fingerprint, the most used first. `history` holds the team's keys, its own gaps and the guard."""
    own = [(name, key) for name, key in history.keys.items() if key.team == team]
    used = sorted(own, key=lambda item: (-item[1].gaps.resolved, item[0]))
    return {name: _recommended(name, key, history, settings, now) for name, key in used}


def document(team: str, by_fingerprint: Mapping[str, Recommendation], now: datetime) -> Mapping[str, Any]:
    """What is published. Kinds of pool that are not in it get the default."""
    return {
        "version": VERSION,
        "team": team,
        "generated_at": now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "default_seconds": 0,
        "by_fingerprint": {name: asdict(item) for name, item in by_fingerprint.items()},
    }


def digest(by_fingerprint: Mapping[str, Recommendation]) -> str:
    """Equal for equal recommendations, whenever they were made."""
    content = {name: asdict(item) for name, item in by_fingerprint.items()}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def recommended_for(published: Any, fingerprint: str) -> Recommendation:
    """What a published document says of jobs of one fingerprint. Raises UnreadableRecommendations."""
    if not isinstance(published, Mapping) or published.get("version") != VERSION:
        raise UnreadableRecommendations(f"not a recommendations document of version {VERSION}: update trainops")
    try:
        found = published["by_fingerprint"].get(fingerprint)
        if found is None:
            return Recommendation(int(published["default_seconds"]), "nothing is known of jobs like it")
        saves = (found.get(name) for name in ("pool_saves_usd", "spot_saves_usd"))
        return Recommendation(int(found["seconds"]), str(found["reason"]), *saves)
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableRecommendations(f"the recommendations document lacks or misspells {error}") from error


def _recommended(name: str, key: KeyHistory, history: History, settings: PoolSettings, now: datetime) -> Recommendation:
    """What the learned policy would keep of a pool that became idle now, whatever policy ends the team's pools: the
    others keep one without having seen a reuse.
    """
    cluster, longest = key.cluster, settings.longest_keep_alive
    what, spot = instances_text(cluster.instance_count, cluster.instance_type), _spot_saves(key)
    if key.gaps.resolved < ENOUGH_GAPS:
        reason = f"no warm pool before {ENOUGH_GAPS} gaps on {what} are known; so far {_seen(key)}"
        return Recommendation(0, reason, None, spot)
    economics = Economics(
        price=cluster.price,
        instance_type=cluster.instance_type,
        instance_count=cluster.instance_count,
        waiting_value=settings.waiting_usd_per_hour,
        saving=history.saving(key.team),
    )
    idle = IdlePool(name, key.team, idle_since=now, asked=longest, last_created=None)
    decision = decide(idle, economics, history, KeepAliveSettings(longest=longest), now)
    if decision.trial is None:
        return Recommendation(0, f"no warm pool: what an hour of {what} costs is unknown", None, spot)
    pool = _pool_saves(key, history, decision.trial)
    if not decision.keep:
        return Recommendation(0, f"no warm pool: {decision.why}", pool, spot)
    keep = min(max(round(decision.keep / MINUTE), 1) * MINUTE, longest)
    reason = f"keep it for {duration_text(keep)}: {decision.why}"
    return Recommendation(keep // timedelta(seconds=1), reason, pool, spot)


def _pool_saves(key: KeyHistory, history: History, trial: Trial) -> str:
    """What the cheapest pool is expected to save against none: waiting and a billed start, less idling."""
    stakes = trial.stakes
    chance = chances(history.teams.get(key.team, TeamHistory()).gaps, key.gaps, None)
    plan = cheapest_plan(chance, stakes.break_even, trial.asked)
    return _usd(stakes.cold_usd - plan.cost * stakes.usd_per_second)


def _spot_saves(key: KeyHistory) -> str | None:
    return _usd(median(key.spot_saved)) if len(key.spot_saved) >= ENOUGH_SPOT else None


def _usd(amount: float) -> str:
    return str(Decimal(amount).quantize(CENT))


def _seen(key: KeyHistory) -> str:
    return counted(key.gaps.resolved, "gap")
