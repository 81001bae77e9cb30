"""How long one warm pool is kept: the policy's advice, the team's hard limit and a person's hold, put together.

Made anew from settings, history and tags each time a pool is looked at; what is stored of it only says when to look. A
plan never keeps a pool longer than was asked for, unless a hold does.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from trainops.domain.keep_alive_economics import Economics
from trainops.domain.keep_alive_guard import Trial
from trainops.domain.keep_alive_history import History
from trainops.domain.keep_alive_policies import IdlePool, KeepAliveDecision, KeepAliveSettings, decide
from trainops.domain.warm_pool_holds import EXAMPLE, HOLD_TAG, Hold, hold_of
from trainops.domain.warm_pool_settings import Mode, PoolSettings
from trainops.domain.warm_pools import News, NewsKind, Plan, PoolRecord
from trainops.domain.wording import shortened

HOLD_TEXT = 60
LATE = timedelta(minutes=2)
"""By so much a look may be late and still count as one at its time."""


def plan_of(pool: PoolRecord, settings: PoolSettings, history: History, now: datetime) -> tuple[Plan, Trial | None]:
    """The plan, and the trial that the history learns from once the pool's gap is known."""
    decision = _advice(pool, settings, history, now)
    limit = settings.limit(pool.ended, pool.instance_type, pool.tags)
    limited = limit.due < pool.ended + decision.keep
    plan = Plan(
        due=limit.due if limited else pool.ended + decision.keep,
        mode=settings.mode,
        policy="idle limit" if limited else decision.policy,
        reason=f"{limit.reason}; without it: {decision.reason}"
        if limited
        else f"{decision.reason}; {limit.reason} is not reached before",
        waiting_usd_per_hour=settings.waiting_usd_per_hour,
    )
    hold = hold_of(pool.tags, pool.ended, settings.longest_hold)
    return _wanted(_held(plan, hold, pool, now) if hold else plan, pool, now), decision.trial


def with_plan(pool: PoolRecord, plan: Plan, now: datetime) -> PoolRecord:
    """The pool with its new plan. An observing team's is marked with the moment at which it would have been ended: when
    a plan said so and the time has come, or, if that look came late, when the last plan had said.
    """
    planned = replace(pool, plan=plan)
    if plan.mode is not Mode.OBSERVE or pool.would_end is not None:
        return planned
    before = pool.plan.due if pool.plan and pool.plan.due < now - LATE else None
    due = min([plan.due] if before is None else [plan.due, before])
    return replace(planned, would_end=max(due, pool.ended)) if due <= now else planned


def hold_news(pool: PoolRecord, settings: PoolSettings, now: datetime) -> tuple[str, News] | None:
    """What the owner has to know about the hold on a pool: that it is kept, or that its time cannot be read."""
    hold = hold_of(pool.tags, pool.ended, settings.longest_hold)
    if hold is None or (hold.until is not None and hold.until <= now):
        return None
    text = shortened(hold.text, HOLD_TEXT)
    if hold.until is None:
        reason = f'its tag {HOLD_TAG} is "{text}", which is no time such as {EXAMPLE}: kept this once, as long as asked'
    else:
        cut = ", the longest that its team allows" if hold.shortened else ""
        reason = f"kept until {hold.until:%Y-%m-%d %H:%M} UTC{cut}, because its tag {HOLD_TAG} says so"
    return f"{NewsKind.HELD}/{text}", News(NewsKind.HELD, now, reason)


def _advice(pool: PoolRecord, settings: PoolSettings, history: History, now: datetime) -> KeepAliveDecision:
    economics = Economics(
        price=pool.price,
        instance_type=pool.instance_type,
        instance_count=pool.instance_count,
        waiting_value=settings.waiting_usd_per_hour,
        saving=history.saving(pool.team),
    )
    chosen = KeepAliveSettings(
        policy=settings.policy, fixed_limit=settings.idle_limit, longest=settings.longest_keep_alive
    )
    idle = IdlePool(pool.match_fingerprint or "", pool.team, pool.ended, pool.asked, pool.key.created)
    return decide(idle, economics, history, chosen, now)


def _held(plan: Plan, hold: Hold, pool: PoolRecord, now: datetime) -> Plan:
    if hold.until is None:
        due = max(plan.due, pool.ended + pool.asked)
        return _with_hold(plan, due, f"{HOLD_TAG} cannot be read, so it is kept as long as was asked for", None)
    if hold.until <= now:
        return _with_hold(plan, plan.due, f"{HOLD_TAG} is over", None)
    until = max(plan.due, hold.until)
    return _with_hold(plan, until, f"held until {hold.until:%Y-%m-%d %H:%M} UTC by {HOLD_TAG}", until)


def _wanted(plan: Plan, pool: PoolRecord, now: datetime) -> Plan:
    """A person who pressed a button is obeyed until the time that they asked for, in an observing team too."""
    until = pool.wanted_until
    if until is None or until <= now or (plan.holding and plan.holding >= until):
        return plan
    why = f"kept until {until:%Y-%m-%d %H:%M} UTC, as {pool.wanted_by} asked"
    return _with_hold(plan, max(plan.due, until), why, until)


def _with_hold(plan: Plan, due: datetime, why: str, holding: datetime | None) -> Plan:
    if due <= plan.due:
        return replace(plan, reason=f"{why}; {plan.reason}", holding=holding)
    return replace(plan, due=due, policy="hold", reason=f"{why}; without it: {plan.reason}", holding=holding)
