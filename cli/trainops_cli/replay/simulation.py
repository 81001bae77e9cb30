"""One policy over a job history: the decision code that ships, on the events it would have had, as late as it would
have had them.

Jobs keep their times, whatever is decided (a cold start does not delay what comes after it). A creation takes the
youngest pool of its fingerprint, or starts cold. A decision falls `lag` after the job's end, its release goes through
one queue of so many updates a second, and what is learned is as old as the last sweep.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count

from trainops.domain.keep_alive_economics import Economics, stakes_of
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded
from trainops.domain.keep_alive_policies import IdlePool, KeepAliveSettings, decide
from trainops_cli.replay.jobs import PastJob
from trainops_cli.replay.quota import Spell


@dataclass(frozen=True, slots=True)
class Timing:
    """How late things happen. `lag`: from an end to its decision; `settling`: a sweep leaves out what is younger."""

    lag: timedelta = timedelta(seconds=5)
    updates_per_second: float = 1.0
    sweep: timedelta = timedelta(minutes=15)
    settling: timedelta = timedelta(minutes=1)


@dataclass(slots=True, eq=False)
class Pool:
    """A pool of the simulation, from its job's end until it is taken, released or out of time."""

    job: PastJob
    over: bool = False


@dataclass(slots=True)
class Outcome:
    """What a policy did. Idle seconds are those of pools; dollars count instances and leave out what has no price."""

    jobs: int = 0
    cold_starts: int = 0
    idle_seconds: float = 0.0
    idle_usd: float = 0.0
    cold_usd: float = 0.0
    unpriced: int = 0
    updates: int = 0
    spells: dict[str, list[Spell]] = field(default_factory=lambda: defaultdict(list))
    """By instance type: when pools were available, and which were taken."""

    @property
    def cost(self) -> float:
        """US dollars of idling and of cold starts together."""
        return self.idle_usd + self.cold_usd


EconomicsOf = Callable[[PastJob], Economics]
Action = Callable[[Pool, datetime], None]


class Simulation:
    """One run. With `settings` None nothing decides, and every pool is kept as long as its job asked."""

    def __init__(self, economics_of: EconomicsOf, settings: KeepAliveSettings | None, timing: Timing) -> None:
        self._economics_of, self._timing = economics_of, timing
        self._decides, self._settings = settings is not None, settings or KeepAliveSettings()
        self._pools: dict[str, list[Pool]] = defaultdict(list)
        self._due: list[tuple[datetime, int, Action, Pool]] = []
        self._order = count()
        self._newest: dict[str, datetime] = {}
        self._untold: list[JobCreated | JobEnded] = []
        self._history = History()
        self._next_update = datetime.min.replace(tzinfo=UTC)
        self._outcome = Outcome()

    def run(self, jobs: Sequence[PastJob]) -> Outcome:
        """All jobs, in order of time."""
        swept = jobs[0].created if jobs else None
        for at, created, job in _happenings(jobs):
            self._until(at)
            if self._decides and swept and at - swept >= self._timing.sweep:
                swept = at
                self._sweep(at)
            if created:
                self._create(job)
            else:
                self._end(job)
        self._until(datetime.max.replace(tzinfo=UTC))
        return self._outcome

    def _until(self, now: datetime) -> None:
        """Everything that was due before now."""
        while self._due and self._due[0][0] < now:
            at, _, action, pool = heappop(self._due)
            action(pool, at)

    def _at(self, when: datetime, action: Action, pool: Pool) -> None:
        heappush(self._due, (when, next(self._order), action, pool))

    def _create(self, job: PastJob) -> None:
        self._outcome.jobs += 1
        self._newest[job.fingerprint] = job.created
        self._untold.append(JobCreated(job.fingerprint, job.team, job.created))
        stakes, waiting = stakes_of(self._economics_of(job)), self._pools[job.fingerprint]
        self._outcome.unpriced += stakes is None
        if waiting:
            self._close(waiting[-1], job.created, taken=True)
        else:
            self._outcome.cold_starts += 1
            self._outcome.cold_usd += stakes.cold_usd if stakes else 0.0

    def _end(self, job: PastJob) -> None:
        pool = Pool(job)
        if job.keep_alive:
            self._pools[job.fingerprint].append(pool)
            self._at(job.ended + job.keep_alive, self._close, pool)
        else:
            pool.over = True
        if self._decides:
            self._at(job.ended + self._timing.lag, self._decide, pool)

    def _decide(self, pool: Pool, now: datetime) -> None:
        job = pool.job
        if pool.over:
            self._untold.append(JobEnded(job.fingerprint, job.team, job.ended))
            return
        idle = IdlePool(job.fingerprint, job.team, job.ended, job.keep_alive, self._newest[job.fingerprint])
        decision = decide(idle, self._economics_of(job), self._history, self._settings, now)
        self._untold.append(JobEnded(job.fingerprint, job.team, job.ended, decision.trial))
        if decision.keep < job.keep_alive:
            self._at(max(job.ended + decision.keep, now), self._release, pool)

    def _release(self, pool: Pool, now: datetime) -> None:
        """UpdateTrainingJob with 0, as soon as the account's rate allows."""
        if pool.over:
            return
        if now < self._next_update:
            self._at(self._next_update, self._release, pool)
            return
        self._next_update = now + timedelta(seconds=1 / self._timing.updates_per_second)
        self._outcome.updates += 1
        self._close(pool, now)

    def _close(self, pool: Pool, now: datetime, *, taken: bool = False) -> None:
        """The pool is taken, released or out of time."""
        if pool.over:
            return
        pool.over = True
        job = pool.job
        self._pools[job.fingerprint].remove(pool)
        idle = (now - job.ended).total_seconds()
        stakes = stakes_of(self._economics_of(job))
        self._outcome.idle_seconds += idle
        self._outcome.idle_usd += idle * stakes.usd_per_second if stakes else 0.0
        spell = Spell(job.ended.timestamp(), now.timestamp(), job.instance_count or 1, taken)
        self._outcome.spells[job.instance_type or "unknown"].append(spell)

    def _sweep(self, now: datetime) -> None:
        until = now - max(self._timing.settling, self._timing.lag)
        told = [event for event in self._untold if event.at <= until]
        self._untold = [event for event in self._untold if event.at > until]
        self._history = learn(self._history, told, until, self._settings.longest)


def _happenings(jobs: Sequence[PastJob]) -> Iterator[tuple[datetime, bool, PastJob]]:
    """Ends and creations in order of time, of equal times ends first."""
    ends = ((job.ended, False, place) for place, job in enumerate(jobs))
    creations = ((job.created, True, place) for place, job in enumerate(jobs))
    for at, created, place in sorted([*ends, *creations]):
        yield at, created, jobs[place]
