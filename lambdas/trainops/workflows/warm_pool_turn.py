"""One turn of a warm pool: plan anew, take the step that follows, write the result, tell it, send the next look."""

from dataclasses import dataclass, replace
from datetime import datetime

from trainops.domain.keep_alive_guard import Trial
from trainops.domain.warm_pool_events import pool_events
from trainops.domain.warm_pool_figures import figures
from trainops.domain.warm_pool_looks import look_at_pool
from trainops.domain.warm_pool_outcomes import telling_end, unconfirmed
from trainops.domain.warm_pool_plans import hold_news, plan_of, with_plan
from trainops.domain.warm_pool_settings import Mode, PoolSettings
from trainops.domain.warm_pool_steps import AGAIN, Step, StepKind, next_step
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.history_ports import Histories
from trainops.outcomes import Counts, Outcome
from trainops.ports import Bus, KillSwitch, PoolLedger, Queue, TeamSettings
from trainops.telemetry import Field, Metric
from trainops.workflows.warm_pool_release import PoolRelease

READING_TAGS = frozenset({StepKind.READ, StepKind.END, StepKind.EXTEND})
CHANGING = frozenset({StepKind.WARN, StepKind.END, StepKind.EXTEND})


@dataclass(frozen=True, slots=True)
class PoolTurn:
    """Takes an open pool one step further. `looks` is the queue of `warm_pool_control` itself."""

    pools: PoolLedger
    histories: Histories
    settings: TeamSettings
    release: PoolRelease
    kill_switch: KillSwitch
    bus: Bus
    looks: Queue

    def __call__(self, pool: PoolRecord, now: datetime) -> Outcome:
        """Raises NotConfigured while the team's settings cannot be read: nothing is ended by guesswork."""
        return self.go(self.planned(pool, now)[0] if pool.open else pool, now)

    def planned(self, pool: PoolRecord, now: datetime) -> tuple[PoolRecord, Trial | None]:
        """The pool with the plan that present settings, history and tags give."""
        settings = self.settings.for_team(pool.team)
        history = self.histories.history({pool.match_fingerprint or ""}, {pool.team})
        plan, trial = plan_of(pool, settings, history, now)
        return with_plan(pool, plan, now), trial

    def go(self, pool: PoolRecord, now: datetime) -> Outcome:
        """Take the step that follows from the pool's plan."""
        if not pool.open:
            return self._told(pool, now)
        settings = self.settings.for_team(pool.team)
        step = self._step(pool, settings, now)
        if step.kind in CHANGING and self.kill_switch.is_on():
            kept = self._told(replace(pool, state=PoolState.KEPT, look_at=now + AGAIN), now)
            reason = f"the kill switch is on, so nothing is done now: {kept.reason}"
            return replace(kept, reason=reason, counts={Field.SUPPRESSED: 1})
        return self._told(self._taken(step, pool, settings, now), now)

    def resume(self, pool: PoolRecord, now: datetime) -> Outcome:
        """A pool that was dealt with before: what a crash left untold is told, and its look is sent ahead again."""
        return self._told(pool, now, written=True)

    def by_hand(self, pool: PoolRecord, now: datetime) -> Outcome:
        """A pool that a person has just changed: planned anew, written, told, and looked at again when that is due.
        What the person was answered is not told once more.
        """
        if pool.state is not PoolState.KEPT:
            return self._told(pool, now)
        settings = self.settings.for_team(pool.team)
        pool, _ = self.planned(pool, now)
        if news := hold_news(pool, settings, now):
            pool = replace(pool, news={**pool.news, news[0]: replace(news[1], published=True)})
        return self._told(replace(pool, look_at=pool.look_at or self._step(pool, settings, now).at), now)

    def reopened(self, pool: PoolRecord, now: datetime) -> Outcome:
        """A pool that the ledger thinks is over, and a sweep found Available."""
        found = self.release.read(replace(pool, state=PoolState.KEPT, released=None), now)
        return self(found, now) if found.open else Outcome(f"it is {pool.state} after all", job=pool.name)

    def _step(self, pool: PoolRecord, settings: PoolSettings, now: datetime) -> Step:
        assert pool.plan is not None  # noqa: S101 - planned() has just set it
        return next_step(pool, pool.plan, settings.grace, now)

    def _taken(self, step: Step, pool: PoolRecord, settings: PoolSettings, now: datetime) -> PoolRecord:
        if settings.mode is Mode.ENFORCE and (news := hold_news(pool, settings, now)):
            pool = pool.saying(*news)
        if step.kind is StepKind.WAIT:
            return pool.waiting(step.at)
        if step.kind is StepKind.WARN and pool.confirmed:
            return telling_end(pool, step.at, now)
        current = self.release.read(pool, now, tags=step.kind in READING_TAGS)
        return self._read(step, current, settings, now)

    def _read(self, step: Step, current: PoolRecord, settings: PoolSettings, now: datetime) -> PoolRecord:
        """The step, once SageMaker was asked what became of the pool."""
        if not current.open:
            return current
        if not current.confirmed:
            return unconfirmed(current, now)
        if step.kind is StepKind.WARN:
            return telling_end(current, step.at, now)
        if step.kind is StepKind.SETTLE:
            return self._outlived(current, settings, now)
        return self._changed(step, current, settings, now)

    def _changed(self, step: Step, current: PoolRecord, settings: PoolSettings, now: datetime) -> PoolRecord:
        """The plan is made again with the tags that the pool has now; only what still holds is done."""
        current, _ = self.planned(current, now)
        again = self._step(current, settings, now)
        if step.kind is StepKind.READ or again.kind is not step.kind or current.plan is None:
            waiting = again.at if again.kind in {StepKind.WAIT, StepKind.READ} else now
            return self._taken(Step(StepKind.WAIT, waiting), replace(current, look_at=None), settings, now)
        if step.kind is StepKind.EXTEND and current.plan.holding:
            longer = self.release.extend(current, current.plan.holding, settings.longest_keep_alive, now)
            return replace(longer, look_at=self._step(longer, settings, now).at) if longer.open else longer
        return self.release.end(current, now, self.pools.put_pool)

    def _outlived(self, pool: PoolRecord, settings: PoolSettings, now: datetime) -> PoolRecord:
        """Still Available although its time is over, or its end was asked for; somebody may have given it more time."""
        pool, _ = self.planned(pool, now)
        over = pool.plan is not None and pool.plan.due <= now
        if settings.mode is Mode.ENFORCE and over and not pool.refusal and not self.kill_switch.is_on():
            return self.release.end(pool, now, self.pools.put_pool)
        kept = replace(pool, state=PoolState.KEPT, look_at=None)
        again = self._step(kept, settings, now)
        return kept.waiting(now if again.kind in CHANGING else again.at)

    def _told(self, pool: PoolRecord, now: datetime, *, written: bool = False) -> Outcome:
        current = pool if written else self.pools.put_pool(pool)
        told = len(current.pending)
        if told:
            self.bus.publish(pool_events(current, now))
            current = self.pools.put_pool(current.all_said())
        if look := look_at_pool(current):
            message, delay = look.sent(now)
            self.looks.send([message], delay)
        over = figures(current) if not written and not current.open else {}
        counts: Counts = {
            Metric.ANNOUNCED: told,
            Metric.POOLS_REFUSED: int(current.refused_since(now)),
            Metric.UNKNOWN: int(Field.UNKNOWN in over),
        }
        by_team = {self.settings.counted_as(current.team): over} if over else {}
        return Outcome(_reason(current), {k: n for k, n in counts.items() if n}, current.name, figures=by_team)


def _reason(pool: PoolRecord) -> str:
    plan = pool.plan
    why = f" ({plan.mode}): {plan.reason}" if plan else ""
    if not pool.open:
        by = f" by {pool.reused_by}" if pool.reused_by else ""
        return f"{pool.state}{by}{why}"
    due = f", due {plan.due:%Y-%m-%d %H:%M:%S} UTC" if plan else ""
    look = f", next look {pool.look_at:%Y-%m-%d %H:%M:%S} UTC" if pool.look_at else ""
    refusal = f", refused: {pool.refusal}" if pool.refusal else ""
    return f"{pool.state}{due}{look}{refusal}{why}"
