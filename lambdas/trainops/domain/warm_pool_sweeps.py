"""What a sweep does with the pools it has listed: which ones it asks `warm_pool_control` to look at, and its digest.

Pure. A sweep ends nothing itself: control re-reads, decides and acts, as for an event. Decisions are made anew from the
present settings; the due time in the ledger is only a reminder.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_figures import Amount, avoided, idled
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import Plan, PoolRecord, PoolState
from trainops.domain.wording import counted, instances_text, money_text

EVENTS_GO_FIRST = timedelta(minutes=2)
"""A pool younger than this, or due more recently, is left to its event and its own reminder."""
DIGEST_FROM = 5
"""So many pools past their limit in one sweep are told in one digest, not each for itself."""
TOP = 5


@dataclass(frozen=True, slots=True)
class PoolSummary:
    """An Available pool as ListTrainingJobs shows it (TrainingJobSummary). Its idle time counts from `ended`, the
    TrainingEndTime, and never from the job's creation.
    """

    key: JobKey
    name: str
    ended: datetime


@dataclass(frozen=True, slots=True)
class PastLimit:
    """A pool whose time is over: as the ledger has it, or only as it was listed."""

    name: str
    team: str
    instances: str
    idle: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What one sweep tells people, with totals; `top` are the most expensive. `ended`, `refused` and `avoided_usd` are
    about the pools of earlier digests that are over since. A total is None when it is unknown for every pool.
    """

    at: datetime
    count: int
    idle_hours: Decimal | None
    idle_usd: Decimal | None
    without_price: int
    top: tuple[str, ...]
    ended: int = 0
    refused: int = 0
    avoided_usd: Decimal | None = None
    log_group: str | None = None
    arn: str = ""
    """Of one of the pools' jobs, for account and Region."""

    @property
    def reason(self) -> str:
        """The digest in one sentence."""
        found = f"{counted(self.count, 'warm pool')} idle past the limit, {money_text(self.idle_usd)} so far"
        done = f"{self.ended} ended since the last digest, avoiding {money_text(self.avoided_usd)}"
        return f"{found}; {done}; {self.refused} refused by SageMaker"


def is_due(pool: PoolRecord | None, listed: PoolSummary, plan: Plan | None, now: datetime) -> bool:
    """Whether a listed pool should be looked at. A pool that the ledger thinks is over, or does not know, is there
    nevertheless; without a plan (its team's settings are missing) a known pool is left alone.
    """
    if now - listed.ended < EVENTS_GO_FIRST:
        return False
    if pool is None:
        return True
    if pool.state is PoolState.OUTSIDE:
        return False
    if not pool.open:
        return True
    if plan is None or plan.mode is Mode.OBSERVE or pool.refusal or plan.due > now:
        return False
    return _forgotten(pool, now)


def _forgotten(pool: PoolRecord, now: datetime) -> bool:
    """Whether its reminder is overdue, or lies too far ahead for what the plan says now; one whose owner was told, or
    whose end was asked for, waits for a time of its own.
    """
    if pool.look_at is None or pool.look_at <= now - EVENTS_GO_FIRST:
        return True
    return pool.look_at > now and pool.state is PoolState.KEPT


def past_limit(pool: PoolRecord, now: datetime) -> PastLimit:
    """A due pool with what it has cost so far."""
    instances = instances_text(pool.instance_count, pool.instance_type)
    return PastLimit(pool.name, pool.team, instances, idled(replace(pool, released=now, state=PoolState.EXPIRED)))


def digest_of(
    due: Sequence[PastLimit],
    done: Sequence[PoolRecord],
    since: datetime,
    now: datetime,
    *,
    log_group: str | None,
    arn: str,
) -> Digest:
    """The digest of the pools that are due now, and of those that are over or were refused since the last sweep."""
    ranked = sorted(due, key=lambda item: item.idle.usd or Decimal(0), reverse=True)
    savings = [saved for pool in done if (saved := avoided(pool))]
    return Digest(
        at=now,
        count=len(due),
        idle_hours=_total([item.idle.hours for item in due]),
        idle_usd=_total([item.idle.usd for item in due]),
        without_price=sum(item.idle.usd is None for item in due),
        top=tuple(f"{p.name}, {p.instances}, team {p.team}: {money_text(p.idle.usd)}" for p in ranked[:TOP]),
        ended=sum(pool.state is PoolState.ENDED for pool in done),
        refused=sum(pool.refused_since(since) for pool in done),
        avoided_usd=_total([saved.usd for saved in savings]),
        log_group=log_group,
        arn=arn,
    )


def _total(values: Sequence[Decimal | None]) -> Decimal | None:
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known or not values else None
