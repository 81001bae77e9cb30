"""The events about warm pools on the trainops bus, version 1: `Warm Pool Ending`, `… Ended`, `… Held` and `… Sweep`.

Documented in docs/events/ with a JSON schema. Events are triggers: whoever acts on one reads the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from trainops.domain.job_events import VERSION, BusEvent, utc_text
from trainops.domain.state_changes import parse_time
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_figures import avoided, retained
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.warm_pools import News, PoolRecord

PREFIX = "Warm Pool "
SWEEP = f"{PREFIX}Sweep"


@dataclass(frozen=True, slots=True)
class PoolTrigger:
    """What a consumer takes from an event about one pool."""

    key: JobKey
    news: str
    at: datetime | None


def pool_events(pool: PoolRecord, now: datetime) -> list[BusEvent]:
    """One event for everything the item holds pending."""
    return [
        BusEvent(f"{PREFIX}{item.kind}", _detail(pool, key, item), pool.key.arn, now)
        for key, item in pool.pending.items()
    ]


def digest_event(digest: Digest) -> BusEvent:
    """The event that one sweep found or finished many pools."""
    totals = {
        "pools": digest.count,
        "idle_instance_hours": _number(digest.idle_hours),
        "idle_usd": _money(digest.idle_usd),
        "ended": digest.ended,
        "avoided_usd": _money(digest.avoided_usd),
        "refused": digest.refused,
    }
    at = utc_text(digest.at)
    detail = {"version": VERSION, "announcement": "Sweep", "at": at, "reason": digest.reason, **totals}
    return BusEvent(SWEEP, detail, digest.arn, digest.at)


def pool_trigger(event: Mapping[str, Any]) -> PoolTrigger:
    """Where an event about a pool points. Raises KeyError, TypeError or ValueError when it is not one of ours."""
    detail = event["detail"]
    key = JobKey.of(str(detail["job"]["arn"]), datetime.fromisoformat(detail["job"]["created"]))
    return PoolTrigger(key, str(detail["announcement"]), parse_time(event.get("time")))


def _detail(pool: PoolRecord, key: str, item: News) -> dict[str, Any]:
    plan, saved, kept = pool.plan, avoided(pool), retained(pool)
    return {
        "version": VERSION,
        "announcement": key,
        "at": utc_text(item.at),
        "reason": item.reason,
        "job": {"arn": pool.key.arn, "name": pool.name, "created": utc_text(pool.key.created)},
        "team": pool.team,
        "owner": {"name": pool.owner.short, "source": pool.owner.source},
        "instances": {"type": pool.instance_type, "count": pool.instance_count},
        "state": pool.state.value,
        "refusal": pool.refusal,
        "idle_since": utc_text(pool.ended),
        "asked_seconds": int(pool.asked.total_seconds()),
        "ends_at": utc_text(pool.look_at) if pool.open else utc_text(pool.released),
        "policy": plan.policy if plan else None,
        "waiting_usd_per_hour": str(plan.waiting_usd_per_hour) if plan else None,
        "match_fingerprint": pool.match_fingerprint,
        "money": {
            "currency": "USD",
            "retained": _money(kept.usd),
            "avoided": _money(saved.usd) if saved else None,
        },
    }


def _money(usd: Decimal | None) -> str | None:
    return None if usd is None else str(usd)


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)
