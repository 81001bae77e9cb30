"""What the account's jobs have taught about idle gaps, and how it grows from job ends and creations alone.

Only the scheduled sweep learns (one writer, each item written on condition of its version); decisions read. A job takes
the youngest pool of its fingerprint that is waiting, whether or not SageMaker really kept one: this shadow needs no
pool, no reuse and no lucky decision to learn from, so it cannot fool itself. An end that nobody follows within the
longest keep-alive is a gap that was outlasted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from trainops.domain.keep_alive_economics import StartSaving
from trainops.domain.keep_alive_gaps import Gaps, kind_of
from trainops.domain.keep_alive_guard import Guard, Trial
from trainops.domain.keep_alive_lessons import Cluster, JobCreated, JobEnded, Lesson, SpotEnded
from trainops.domain.keep_alive_starts import Starts

MOST_WAITING = 64
"""So many ends of a key are remembered at most, to keep its item small; of more, the oldest count as outlasted."""
MOST_KINDS = 200
"""So many kinds of pool a team's item names, the most used ones: those that something is recommended for."""
MOST_SPOT = 20
"""So many managed spot jobs of a kind are remembered."""


@dataclass(frozen=True, slots=True)
class WaitingEnd:
    """An end whose gap is not resolved; `kind` as in `keep_alive_gaps.KINDS`."""

    at: datetime
    kind: int
    trial: Trial | None


@dataclass(frozen=True, slots=True)
class KeyHistory:
    """One fingerprint's item. `until`: everything up to then has been learned; `cluster`: as of its last job's end;
    `spot_saved`: US dollars that managed spot saved on each of the last jobs of this kind that used it.
    """

    team: str
    gaps: Gaps = field(default_factory=Gaps)
    waiting: tuple[WaitingEnd, ...] = ()
    last_created: datetime | None = None
    until: datetime | None = None
    cluster: Cluster = field(default_factory=Cluster)
    spot_saved: tuple[float, ...] = ()
    version: int = 0

    def overdue(self, now: datetime, longest: timedelta) -> bool:
        """Whether an end waits that no job can follow in time any more."""
        return bool(self.waiting) and now - self.waiting[0].at > longest


@dataclass(frozen=True, slots=True)
class TeamHistory:
    """One team's item: the gaps of all its fingerprints, how its jobs started, and its most used fingerprints with
    their numbers of resolved gaps.
    """

    gaps: Gaps = field(default_factory=Gaps)
    starts: Starts = field(default_factory=Starts)
    kinds: Mapping[str, int] = field(default_factory=dict)
    version: int = 0


@dataclass(frozen=True, slots=True)
class History:
    """What was read for a decision or a sweep. An item that is not there was never written."""

    keys: Mapping[str, KeyHistory] = field(default_factory=dict)
    teams: Mapping[str, TeamHistory] = field(default_factory=dict)
    guard: Guard = field(default_factory=Guard)
    guard_version: int = 0

    def saving(self, team: str) -> StartSaving:
        """What a warm start saves a team's people, from its own starts as far as they are known."""
        return _team(self.teams, team).starts.saving()


def learn(history: History, events: Iterable[Lesson], until: datetime, longest: timedelta) -> History:
    """The history once all events up to `until` are in it. Events that it has already are passed over, so that a batch
    may come twice; of equal times ends come first. Whoever reads the history adds the keys with overdue ends, because
    a pool that nobody ever wanted again teaches too. `longest` is the longest keep-alive that could be given.
    """
    teaching = _Teaching(history, until, longest)
    for event in sorted(events, key=lambda event: (event.at, isinstance(event, JobCreated))):
        teaching.take(event)
    return teaching.result()


class _Key:
    """A key's history while it is being taught."""

    def __init__(self, stored: KeyHistory) -> None:
        self.stored, self.gaps, self.last_created = stored, stored.gaps, stored.last_created
        self.waiting, self.cluster, self.spot_saved = list(stored.waiting), stored.cluster, stored.spot_saved

    def frozen(self, until: datetime) -> KeyHistory:
        return replace(
            self.stored,
            gaps=self.gaps,
            waiting=tuple(self.waiting),
            last_created=self.last_created,
            until=until,
            cluster=self.cluster,
            spot_saved=self.spot_saved,
        )


class _Teaching:
    """One call of `learn`: working copies of what changes."""

    def __init__(self, history: History, until: datetime, longest: timedelta) -> None:
        self._history, self._until, self._longest = history, until, longest
        self._keys: dict[str, _Key] = {}
        self._teams: dict[str, Gaps] = {}
        self._starts: dict[str, Starts] = {}
        self._guard = history.guard

    def take(self, event: Lesson) -> None:
        key = self._keys.get(event.fingerprint) or _Key(
            self._history.keys.get(event.fingerprint) or KeyHistory(event.team)
        )
        learned = key.stored.until
        if event.at > self._until or (learned is not None and event.at <= learned):
            return
        self._keys[event.fingerprint] = key
        self._outlasted(key, event.at)
        if isinstance(event, SpotEnded):
            key.spot_saved = (*key.spot_saved, event.saved_usd)[-MOST_SPOT:]
            return
        if isinstance(event, JobEnded):
            kind = kind_of(event.at - (key.last_created or event.at - 2 * self._longest))
            key.waiting.append(WaitingEnd(event.at, kind, event.trial))
            key.cluster = event.cluster
            if event.start:
                name = key.stored.team
                known = self._starts.get(name) or _team(self._history.teams, name).starts
                self._starts[name] = known.with_start(event.start)
            return
        if key.waiting:
            self._resolved(key, key.waiting.pop(), event.at, taken=True)
        key.last_created = event.at

    def result(self) -> History:
        for name, stored in self._history.keys.items():
            if name not in self._keys and stored.overdue(self._until, self._longest):
                self._keys[name] = _Key(stored)
        for key in self._keys.values():
            self._outlasted(key, self._until)
        keys = {name: key.frozen(self._until) for name, key in self._keys.items()}
        return replace(
            self._history,
            keys={**self._history.keys, **keys},
            teams={**self._history.teams, **self._taught_teams(keys)},
            guard=self._guard,
        )

    def _taught_teams(self, keys: Mapping[str, KeyHistory]) -> dict[str, TeamHistory]:
        known = {name: _team(self._history.teams, name) for name in {key.team for key in keys.values()}}
        return {
            name: replace(
                team,
                gaps=self._teams.get(name, team.gaps),
                starts=self._starts.get(name, team.starts),
                kinds=_most_used(team.kinds, {kind: key for kind, key in keys.items() if key.team == name}),
            )
            for name, team in known.items()
        }

    def _outlasted(self, key: _Key, now: datetime) -> None:
        """Lets go of the ends that waited longer than any keep-alive, or that are too many to remember."""
        while key.waiting and (now - key.waiting[0].at > self._longest or len(key.waiting) > MOST_WAITING):
            self._resolved(key, key.waiting.pop(0), now, taken=False)

    def _resolved(self, key: _Key, end: WaitingEnd, at: datetime, *, taken: bool) -> None:
        lasted, name = min(at - end.at, self._longest).total_seconds(), key.stored.team
        key.gaps = key.gaps.with_gap(end.kind, lasted, taken)
        team = self._teams.get(name) or _team(self._history.teams, name).gaps
        self._teams[name] = team.with_gap(end.kind, lasted, taken)
        if end.trial is not None:
            self._guard = self._guard.with_outcome(end.trial, lasted if taken else None)


def _team(teams: Mapping[str, TeamHistory], name: str) -> TeamHistory:
    return teams.get(name) or TeamHistory()


def _most_used(kinds: Mapping[str, int], taught: Mapping[str, KeyHistory]) -> Mapping[str, int]:
    """A team's kinds of pool after some were taught something, the most used first."""
    counts = {**kinds, **{kind: key.gaps.resolved for kind, key in taught.items()}}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_KINDS])
