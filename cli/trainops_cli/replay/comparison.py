"""Every policy over the same jobs, once at the account's own prices and over a range of break-even times.

The range answers how good a policy is whatever waiting and instances cost: each value stands for all pools at once, and
the ratio is the policy's cost over the exact optimum.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from multiprocessing import get_context

from trainops.domain.job_records import Price
from trainops.domain.keep_alive_economics import WAITING_VALUE, Economics, Stakes, StartSaving, stakes_of
from trainops.domain.keep_alive_policies import KeepAliveSettings
from trainops.domain.spot_savings import seconds
from trainops_cli.replay.jobs import PastJob
from trainops_cli.replay.optimum import least_cost
from trainops_cli.replay.quota import Quota, quotas
from trainops_cli.replay.simulation import Outcome, Simulation, Timing

BREAK_EVENS = (60, 140, 300, 600, 1200, 3600, 14400)
"""Seconds; from a cluster of the largest instances to a small machine, at $60 for an hour of waiting."""
NO_POOLS = "none"
Spans = dict[str, list[tuple[float, float | None]]]
"""By fingerprint: creations, and the ends that leave a pool."""
SAME_AT_ANY_PRICE = (NO_POOLS, "fixed")
POLICIES = (NO_POOLS, "fixed", "break-even", "histogram")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """What a replay takes for given."""

    settings: KeepAliveSettings = field(default_factory=KeepAliveSettings)
    timing: Timing = field(default_factory=Timing)
    waiting_value: Decimal = WAITING_VALUE
    saving: StartSaving = field(default_factory=StartSaving)

    def economics_of(self, job: PastJob) -> Economics:
        """A job's economics at its own price."""
        return Economics(
            price=job.price,
            instance_type=job.instance_type,
            instance_count=job.instance_count,
            waiting_value=self.waiting_value,
            saving=self.saving,
        )

    def economics_at(self, break_even: int) -> Economics:
        """Economics of one break-even time for all: the price is chosen so that it comes out."""
        saving = StartSaving(timedelta(seconds=140))
        price = Price(WAITING_VALUE * seconds(saving.waited) / break_even, "chosen for the break-even time")
        return Economics(price=price, instance_type=None, instance_count=1, saving=saving)


@dataclass(frozen=True, slots=True)
class Result:
    """One policy: what it did at the account's own prices, and its ratios over `BREAK_EVENS` in their order. `ratio` is
    None when no job has a price; `optimum_usd` is what a clairvoyant would have paid.
    """

    policy: str
    outcome: Outcome
    optimum_usd: float
    ratios: tuple[float, ...]
    waiting_saved: timedelta
    quotas: tuple[Quota, ...]

    @property
    def ratio(self) -> float | None:
        return self.outcome.cost / self.optimum_usd if self.optimum_usd else None

    @property
    def mean_ratio(self) -> float:
        return sum(self.ratios) / len(self.ratios)


@dataclass(frozen=True, slots=True)
class Run:
    """One simulation of a comparison; `break_even` None means at the account's own prices."""

    policy: str
    break_even: int | None


def compare(
    jobs: Sequence[PastJob], assumptions: Assumptions, workers: int, progress: Callable[[Run], None] = lambda _: None
) -> list[Result]:
    """All policies; `progress` hears of every run that is done. More than one worker uses processes."""
    outcomes = {}
    for run, outcome in _outcomes(jobs, assumptions, workers):
        outcomes[run] = outcome
        progress(run)
    spans = _spans(jobs)
    longest = min(assumptions.settings.longest, max(job.keep_alive for job in jobs)).total_seconds()
    least = {value: sum(least_cost(of, value, longest) for of in spans.values()) for value in BREAK_EVENS}
    best = _optimum_usd(jobs, spans, assumptions, longest)
    return [_result(policy, outcomes, least, best, assumptions) for policy in POLICIES]


def runs() -> list[Run]:
    """What a comparison runs: a policy that does the same at any price runs once."""
    own = [Run(policy, None) for policy in POLICIES]
    return own + [Run(policy, value) for policy in POLICIES for value in BREAK_EVENS if _priced(policy)]


def _priced(policy: str) -> bool:
    return policy not in SAME_AT_ANY_PRICE


def _outcomes(jobs: Sequence[PastJob], assumptions: Assumptions, workers: int) -> Iterator[tuple[Run, Outcome]]:
    if workers == 1:
        yield from ((run, simulate(jobs, assumptions, run)) for run in runs())
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _remember, (jobs, assumptions)) as pool:
        yield from zip(runs(), pool.map(_simulate_remembered, runs()), strict=True)


def simulate(jobs: Sequence[PastJob], assumptions: Assumptions, run: Run) -> Outcome:
    """One run."""
    fixed = assumptions.economics_at(run.break_even) if run.break_even else None
    settings = replace(assumptions.settings, policy=run.policy) if run.policy != NO_POOLS else None
    chosen = jobs if settings else [replace(job, keep_alive=timedelta(0)) for job in jobs]
    return Simulation(lambda job: fixed or assumptions.economics_of(job), settings, assumptions.timing).run(chosen)


_remembered: list[tuple[Sequence[PastJob], Assumptions]] = []


def _remember(jobs: Sequence[PastJob], assumptions: Assumptions) -> None:
    """In a worker process: what all its runs share."""
    _remembered.append((jobs, assumptions))


def _simulate_remembered(run: Run) -> Outcome:
    return simulate(*_remembered[0], run)


def _result(
    policy: str, outcomes: dict[Run, Outcome], least: dict[int, float], best: float, assumptions: Assumptions
) -> Result:
    own = outcomes[Run(policy, None)]
    at = {value: outcomes[Run(policy, value)] if _priced(policy) else own for value in BREAK_EVENS}
    ratios = tuple((at[value].idle_seconds + at[value].cold_starts * value) / least[value] for value in BREAK_EVENS)
    saved = (own.jobs - own.cold_starts) * assumptions.saving.waited
    return Result(policy, own, best, ratios, saved, quotas(own.spells))


def _spans(jobs: Sequence[PastJob]) -> Spans:
    spans: Spans = defaultdict(list)
    for job in jobs:
        left = job.ended.timestamp() if job.keep_alive else None
        spans[job.fingerprint].append((job.created.timestamp(), left))
    return spans


def _optimum_usd(jobs: Sequence[PastJob], spans: Spans, assumptions: Assumptions, longest: float) -> float:
    """The optimum of all keys that have a price, in US dollars; a key's newest price counts."""
    stakes: dict[str, Stakes | None] = {job.fingerprint: stakes_of(assumptions.economics_of(job)) for job in jobs}
    return sum(least_cost(spans[key], of.break_even, longest) * of.usd_per_second for key, of in stakes.items() if of)
