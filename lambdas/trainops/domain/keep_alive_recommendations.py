"""What keep-alive period a team should ask for when it submits a job: for each kind of pool, from its own gaps.

Zero is recommended until the evidence says that a pool pays. Published to the team as `recommendations.json`, version 1
of a contract with people's programs (the first one is written by the deployment, see `stacks.capabilities.team_facts`).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.domain.keep_alive_economics import Economics
from trainops.domain.keep_alive_history import History, KeyHistory
from trainops.domain.keep_alive_policies import ENOUGH_GAPS, IdlePool, KeepAliveSettings, decide
from trainops.domain.warm_pool_settings import PoolSettings
from trainops.domain.wording import counted, duration_text, instances_text

VERSION = 1
MOST_KEYS = 200
"""So many kinds of pool a document holds, the most used ones: about 100 kB."""
MINUTE = timedelta(minutes=1)


class UnreadableRecommendations(ValueError):
    """A document that this version does not understand."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A keep-alive period for jobs of one match fingerprint, 0 for no warm pool, and why."""

    seconds: int
    reason: str


def recommendations(team: str, history: History, settings: PoolSettings, now: datetime) -> Mapping[str, Recommendation]:
    """By match fingerprint, the most used first. `history` holds the team's keys, its own gaps and the guard."""
    own = [(name, key) for name, key in history.keys.items() if key.team == team]
    used = sorted(own, key=lambda item: (-item[1].gaps.resolved, item[0]))[:MOST_KEYS]
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
        return Recommendation(int(found["seconds"]), str(found["reason"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableRecommendations(f"the recommendations document lacks or misspells {error}") from error


def _recommended(name: str, key: KeyHistory, history: History, settings: PoolSettings, now: datetime) -> Recommendation:
    """What the learned policy would keep of a pool that became idle now, whatever policy ends the team's pools: the
    others keep one without having seen a reuse.
    """
    cluster, longest = key.cluster, settings.longest_keep_alive
    what = instances_text(cluster.instance_count, cluster.instance_type)
    if key.gaps.resolved < ENOUGH_GAPS:
        return Recommendation(0, f"no warm pool before {ENOUGH_GAPS} gaps on {what} are known; so far {_seen(key)}")
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
        return Recommendation(0, f"no warm pool: what an hour of {what} costs is unknown")
    if not decision.keep:
        return Recommendation(0, f"no warm pool: {decision.why}")
    keep = min(max(round(decision.keep / MINUTE), 1) * MINUTE, longest)
    return Recommendation(keep // timedelta(seconds=1), f"keep it for {duration_text(keep)}: {decision.why}")


def _seen(key: KeyHistory) -> str:
    return counted(key.gaps.resolved, "gap")
