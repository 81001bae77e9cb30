"""What became of the messages: which jobs were told, how often, and how long after their end. Pure."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

CALM = 1
"""A message within so many steps after the one in which its job ended was brought by the event, which may come late."""


@dataclass(frozen=True)
class Step:
    """One move of the simulated clock: the simulated moment that it moved to, and the wall-clock time just before.
    Both in seconds since the epoch.
    """

    until: float
    began: float


@dataclass(frozen=True)
class Message:
    """A message at its receiver: the jobs whose end it tells, and when it came (wall clock). None of it is of an end
    when `jobs` is empty.
    """

    channel: str
    at: float
    jobs: tuple[str, ...]
    summary: bool = False


@dataclass(frozen=True)
class Delays:
    """Seconds from the end to the first message: `prompt` real, of what an event brought; `late` simulated, of what
    came by other ways.
    """

    prompt: Sequence[float]
    late: Sequence[float]


def counted(ends: Collection[str], messages: Sequence[Message], channels: Collection[str]) -> dict[str, Any]:
    """A job is told when every channel had a message that tells its end; told in a summary when some channel had no
    other. Duplicates are the messages beyond the first for one job in one channel, summaries not counted.
    """
    single: Counter[tuple[str, str]] = Counter()
    folded: set[tuple[str, str]] = set()
    for message in messages:
        for job in message.jobs:
            if message.summary:
                folded.add((message.channel, job))
            else:
                single[message.channel, job] += 1
    pairs = {job: [(channel, job) for channel in channels] for job in ends}
    told = [job for job in ends if all(pair in single or pair in folded for pair in pairs[job])]
    return {
        "ends": len(ends),
        "told": len(told),
        "told_in_a_summary": sum(any(pair not in single for pair in pairs[job]) for job in told),
        "untold": sorted(set(ends) - set(told)),
        "duplicates": sum(count - 1 for count in single.values()),
        "jobs_with_duplicates": len({job for (_, job), count in single.items() if count > 1}),
        "messages": dict(sorted(Counter(message.channel for message in messages).items())),
        "messages_of_ends": sum(bool(message.jobs) for message in messages),
    }


def delays(ends: Mapping[str, float], messages: Sequence[Message], steps: Sequence[Step]) -> Delays:
    """From each job's end (simulated) to its first message. One that comes in the step of the end, or in the next, took
    the real time since that step began; the simulated part of a step says nothing about anybody. A later one took the
    simulated time up to the step that it came in.
    """
    first: dict[str, float] = {}
    for message in messages:
        for job in message.jobs:
            first[job] = min(first.get(job, message.at), message.at)
    untils, begans = [step.until for step in steps], [step.began for step in steps]
    prompt, late = [], []
    for job, at in sorted(first.items()):
        if job not in ends:
            continue
        came = bisect_right(begans, at) - 1
        ended = min(bisect_left(untils, ends[job]), len(untils) - 1)
        if came <= ended + CALM:
            prompt.append(at - begans[came])
        else:
            late.append(untils[came] - ends[job])
    return Delays(prompt, late)


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Number, median, 95th percentile and worst, by nearest rank; None of nothing."""
    if not values:
        return None
    ordered = sorted(values)

    def rank(share: float) -> float:
        return round(ordered[max(0, ceil(share * len(ordered)) - 1)], 2)

    return {"count": len(ordered), "median": rank(0.5), "p95": rank(0.95), "worst": round(ordered[-1], 2)}
