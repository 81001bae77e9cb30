"""How long a pool is kept after its job: three named policies behind one question, and the decision with its reason.

Used when a job ends and again when its pool's time is due. A decision only ever shortens what the person asked for.
`fixed` keeps every pool equally long; `break-even` until idling has cost as much as a cold start; `histogram` as long
as costs least in expectation after the gaps seen so far, guarded (see `keep_alive_guard`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Protocol

from trainops.domain.keep_alive_economics import Economics, Stakes, stakes_of, stakes_text
from trainops.domain.keep_alive_gaps import KINDS, Plan, chances, cheapest_plan, kind_of
from trainops.domain.keep_alive_guard import ASKED, BREAK_EVEN, LEARNED, NONE, Limits, Trial
from trainops.domain.keep_alive_history import History, KeyHistory
from trainops.domain.wording import counted, duration_text, instances_text, money_text, percent_text

ENOUGH_GAPS = 8
"""Below so many resolved gaps a key goes by its team, and a team by break-even."""


@dataclass(frozen=True, slots=True)
class IdlePool:
    """A pool that is kept, or would be. `asked` is the person's own keep-alive, None while unknown; `last_created` the
    newest creation of a matching job that is known, at the least that of the job that left the pool, or None for
    a pool that a job would leave if it were submitted.
    """

    fingerprint: str
    team: str
    idle_since: datetime
    asked: timedelta | None
    last_created: datetime | None


@dataclass(frozen=True, slots=True)
class KeepAliveSettings:
    """What a platform team chooses. `longest` is the longest keep-alive SageMaker takes (guide: 1 hour)."""

    policy: str = LEARNED
    fixed_limit: timedelta = timedelta(minutes=30)
    longest: timedelta = timedelta(hours=1)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class KeepAliveDecision:
    """`keep` counts from `idle_since`; a pool idle for longer is to be released now. `policy` is what was followed in
    the end, `why` the reason without what is done. `trial` goes with the job's end to `learn`; None when nothing could
    be weighed.
    """

    keep: timedelta
    policy: str
    reason: str
    why: str
    trial: Trial | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a policy is asked. `limit`: what the person asked for, within `longest`; `idle`: how long the pool has been
    idle already; both in seconds.
    """

    pool: IdlePool
    economics: Economics
    stakes: Stakes
    history: History
    settings: KeepAliveSettings
    limit: float
    idle: float


@dataclass(frozen=True, slots=True)
class Answer:
    """Seconds of idling to allow, which policy that comes from in the end, and why."""

    keep: float
    policy: str
    why: str


class Policy(Protocol):
    """One way to answer."""

    def answer(self, question: Question) -> Answer:
        """How long to keep the pool; the caller cuts it at the limit."""
        ...


class Fixed:
    """Every pool equally long."""

    def answer(self, question: Question) -> Answer:
        limit = question.settings.fixed_limit
        return Answer(limit.total_seconds(), "fixed", f"the fixed limit is {duration_text(limit)}")


class BreakEven:
    """Until idling has cost as much as a cold start: never more than twice what a clairvoyant would pay."""

    def answer(self, question: Question) -> Answer:
        return Answer(question.stakes.break_even, BREAK_EVEN, "kept until idling has cost as much as a cold start")


class Histogram:
    """As long as costs least in expectation after the key's own gaps, corrected by its team's; guarded."""

    def answer(self, question: Question) -> Answer:
        plan, why = self._plan(question)
        if plan is None:
            return BreakEven().answer(question)
        followed, objection = question.history.guard.verdict(question.settings.limits)
        if followed == LEARNED:
            return Answer(plan.keep, LEARNED, why)
        keep = {NONE: 0.0, BREAK_EVEN: question.stakes.break_even, ASKED: question.limit}[followed]
        return Answer(keep, followed, f"{objection}, so {followed!r} is followed")

    def _plan(self, question: Question) -> tuple[Plan | None, str]:
        pool, history = question.pool, question.history
        key, team = history.keys.get(pool.fingerprint), history.teams.get(pool.team)
        if team is None or team.gaps.resolved < ENOUGH_GAPS:
            return None, ""
        own = key.gaps if key and key.gaps.resolved >= ENOUGH_GAPS else None
        kind = _kind(pool, key)
        chance = chances(team.gaps, own, kind)
        plan = cheapest_plan(chance, question.stakes.break_even, question.limit, question.idle)
        seen = (
            f"{counted(own.resolved, 'gap')} of this kind of pool"
            if own
            else (f"{counted(team.gaps.resolved, 'gap')} of team {pool.team}")
        )
        return plan, _because(seen, kind, plan, question.stakes)


POLICIES: Mapping[str, Policy] = {"fixed": Fixed(), BREAK_EVEN: BreakEven(), LEARNED: Histogram()}


def decide(
    pool: IdlePool, economics: Economics, history: History, settings: KeepAliveSettings, now: datetime
) -> KeepAliveDecision:
    """How long to keep the pool, counted from when it became idle. `now` tells how long it has been idle unused; the
    same question may be asked again later. Raises KeyError for a policy that does not exist.
    """
    policy = POLICIES[settings.policy]
    asked = settings.longest if pool.asked is None else min(pool.asked, settings.longest)
    idle = max(now - pool.idle_since, timedelta(0))
    stakes = stakes_of(economics)
    if stakes is None:
        return _unpriced(economics, settings, asked, idle)
    question = Question(pool, economics, stakes, history, settings, asked.total_seconds(), idle.total_seconds())
    answer = policy.answer(question)
    kept, soonest = min(answer.keep, question.limit), min(question.idle, question.limit)
    keep = timedelta(seconds=kept)
    break_even = max(min(stakes.break_even, question.limit), soonest)
    why = f"{answer.why}; {stakes_text(economics, stakes)}"
    return KeepAliveDecision(
        keep,
        answer.policy,
        f"{_said(keep, asked, idle)}: {why}",
        why,
        Trial(answer.policy, max(kept, soonest), soonest, break_even, question.limit, stakes),
    )


def _unpriced(
    economics: Economics, settings: KeepAliveSettings, asked: timedelta, idle: timedelta
) -> KeepAliveDecision:
    keep, what = min(settings.fixed_limit, asked), instances_text(economics.instance_count, economics.instance_type)
    why = f"what an hour of {what} costs is unknown, so the fixed limit of {duration_text(settings.fixed_limit)} holds"
    return KeepAliveDecision(keep, "fixed", f"{_said(keep, asked, idle)}: {why}", why)


def _said(keep: timedelta, asked: timedelta, idle: timedelta) -> str:
    if keep >= asked:
        return f"keep {duration_text(asked)} after the end, as asked for"
    what = "release now" if keep <= idle else f"keep {duration_text(keep)} after the end"
    return f"{what}, of {duration_text(asked)} asked for"


def _kind(pool: IdlePool, key: KeyHistory | None) -> int | None:
    if pool.last_created is None:
        return None
    newest = max(pool.last_created, key.last_created or pool.last_created) if key else pool.last_created
    return kind_of(pool.idle_since - min(newest, pool.idle_since))


def _because(seen: str, kind: int | None, plan: Plan, stakes: Stakes) -> str:
    """The sentence that weighs a plan against releasing now."""
    chance = percent_text(Decimal(round(plan.reuse * 100)))
    cost, cold = (money_text(Decimal(usd)) for usd in (plan.cost * stakes.usd_per_second, stakes.cold_usd))
    burst = "" if kind is None else f", the last matching job created {KINDS[kind]}"
    return (
        f"after {seen}{burst}, the next one comes in time with a chance of "
        f"{chance}; expected to cost {cost}, against {cold} for releasing now"
    )
