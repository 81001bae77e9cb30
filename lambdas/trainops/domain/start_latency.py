"""How long jobs took from their creation to their training, cold and warm, by input mode.

AWS publishes such figures for jobs of its own; these are the account's.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import quantiles

UNKNOWN_MODE = "unknown"


@dataclass(frozen=True, slots=True)
class Start:
    """One job's start; `warm` when it took a warm pool."""

    took: timedelta
    warm: bool
    input_mode: str | None = None


@dataclass(frozen=True, slots=True)
class Latency:
    """The starts of one kind: half of them took at most `p50`, nine in ten at most `p90`."""

    input_mode: str
    warm: bool
    starts: int
    p50: timedelta
    p90: timedelta


def latencies(starts: Iterable[Start]) -> list[Latency]:
    """One row for each input mode and kind of start that occurs, cold before warm."""
    kinds: dict[tuple[str, bool], list[timedelta]] = defaultdict(list)
    for start in starts:
        kinds[start.input_mode or UNKNOWN_MODE, start.warm].append(start.took)
    return [
        Latency(mode, warm, len(times), _percentile(times, 50), _percentile(times, 90))
        for (mode, warm), times in sorted(kinds.items())
    ]


def _percentile(times: Sequence[timedelta], percent: int) -> timedelta:
    """Between two times in proportion (the inclusive method: the largest is the 100th percentile)."""
    if len(times) == 1:
        return times[0]
    cuts = quantiles([time.total_seconds() for time in times], n=100, method="inclusive")
    return timedelta(seconds=cuts[percent - 1])
