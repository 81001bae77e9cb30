"""A job history made up from a seed, for trying a policy without anybody's data; the same seed gives the same jobs.

Four ways of working: people who iterate (a run, a look, the next run, in sessions on working days), pipelines on a
schedule, sweeps (many runs over a few workers, one after the other), and rare jobs. How long runs and looks take
differs from person to person by orders of magnitude, and is drawn from log-normal distributions. The mixture is chosen
so that having no pools costs about one and a half times the optimum, between what traces of real clusters show; nothing
else is fitted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import log
from random import Random

from trainops_cli.replay.jobs import WARM_START, PastJob, Trace

START = datetime(2026, 1, 5, tzinfo=UTC)
SHAPES = (("ml.g5.xlarge", 1), ("ml.g5.xlarge", 1), ("ml.g5.2xlarge", 1), ("ml.g6.xlarge", 1), ("ml.m5.xlarge", 1),
          ("ml.g4dn.xlarge", 2))  # fmt: skip
PEOPLE = {"iterates": 24, "scheduled": 10, "sweeps": 12, "rare": 14}
"""How many users work in which way."""


@dataclass(frozen=True, slots=True)
class _User:
    name: str
    random: Random
    days: int

    def spread(self, median: float, sigma: float) -> float:
        """Seconds around a median."""
        return self.random.lognormvariate(log(median), sigma)


def synthetic_trace(seed: int, days: int) -> Trace:
    """So many days of 60 users in six teams."""
    jobs: list[PastJob] = []
    ways = [way for way, count in PEOPLE.items() for _ in range(count)]
    for number, way in enumerate(ways):
        user = _User(f"user-{number:02}", Random(f"{seed}/{number}"), days)
        shape, team = user.random.choice(SHAPES), f"team-{number % 6}"
        for begin, took in WAYS[way](user):
            created = START + timedelta(seconds=round(begin))
            ended = created + WARM_START + timedelta(seconds=round(took))
            jobs.append(PastJob(team, f"{user.name}/{shape[0]}", created, ended, *shape))
    return Trace(sorted(jobs, key=lambda job: job.created), f"synthetic, seed {seed}, {days} days")


def _iterates(user: _User) -> Iterator[tuple[float, float]]:
    """Sessions on working days: a run, then a look that takes the person's own time, or more often a longer break."""
    run, look = user.spread(600, 1.0), user.spread(240, 0.9)
    for day in _working_days(user, 0.75):
        now, end = day + user.random.uniform(8, 11) * 3600, day + user.random.uniform(16, 20) * 3600
        while now < end:
            took = user.spread(run, 0.7)
            yield now, took
            pause = user.spread(look, 0.8) if user.random.random() < 0.4 else user.spread(7200, 0.7)
            now += took + pause


def _scheduled(user: _User) -> Iterator[tuple[float, float]]:
    """One job every so many hours, around the clock, a little late each time."""
    every, run = user.random.choice((1, 2, 4, 6, 24)) * 3600, user.spread(1500, 0.5)
    for beat in range(user.days * 86400 // every):
        yield beat * every + user.spread(40, 0.8), min(user.spread(run, 0.2), every * 0.95)


def _sweeps(user: _User) -> Iterator[tuple[float, float]]:
    """Every few days a search: some workers, each taking one trial after another, seconds to a minute apart."""
    run = user.spread(900, 0.8)
    for day in _working_days(user, 0.3):
        begin = day + user.random.uniform(9, 18) * 3600
        for _ in range(user.random.randint(2, 8)):
            now = begin + user.random.uniform(0, 60)
            for _ in range(user.random.randint(3, 15)):
                took = user.spread(run, 0.4)
                yield now, took
                now += took + user.spread(20, 0.7)


def _rare(user: _User) -> Iterator[tuple[float, float]]:
    """A job now and then, nothing to be learned from."""
    now = user.random.expovariate(1 / 86400)
    while now < user.days * 86400:
        yield now, user.spread(7200, 0.8)
        now += user.random.expovariate(1 / (1.5 * 86400))


def _working_days(user: _User, share: float) -> Iterator[float]:
    for day in range(user.days):
        if day % 7 < 5 and user.random.random() < share:
            yield day * 86400.0


WAYS = {"iterates": _iterates, "scheduled": _scheduled, "sweeps": _sweeps, "rare": _rare}
