"""How long after a job's end its message arrives on the local AWS, with cold and with warm functions."""

import re
from collections.abc import Callable
from typing import Any

from bench.deployment import Deployment, deployed
from bench.hops import Invocation, Way, way
from local.functions import log_events
from local.waiting import until

SHARED = ("job_intake", "job_notification")
CHANNELS = {"slack": "slack_delivery", "email": "email_delivery"}
REPORT = re.compile(r"REPORT RequestId: \S+\tDuration: ([\d.]+) ms")
Ways = dict[str, Way]


def measure_latency(runs: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """End `runs` jobs with cold and as many with warm functions; every job's message goes to both channels."""
    tell("deploying to the local AWS")
    with deployed() as deployment:
        cold = [_sample(deployment, f"cold-{number}", tell, cold=True) for number in range(runs)]
        _sample(deployment, "warming-up", tell, cold=False)
        warm = [_sample(deployment, f"warm-{number}", tell, cold=False) for number in range(runs)]
    states = {"cold": cold, "warm": warm}
    channels = {
        channel: {state: _summary([ways[channel] for ways in samples]) for state, samples in states.items()}
        for channel in CHANNELS
    }
    for found in channels.values():
        found["cold_to_warm"] = round(found["cold"]["median_ms"] / found["warm"]["median_ms"], 2)
    return {"runs": runs, "channels": channels}


def _sample(deployment: Deployment, name: str, tell: Callable[[str], None], *, cold: bool) -> Ways:
    tell(f"job {name}")
    deployment.start_job(name)
    if cold:
        deployment.restart()
    arrivals = {"slack": deployment.slack, "email": deployment.mail}
    before = {channel: len(arrived) for channel, arrived in arrivals.items()}
    ended = deployment.end_job()
    until(lambda: all(len(arrivals[channel]) > before[channel] for channel in arrivals), f"{name}'s messages")
    deployment.quiet()
    runs = {function: _invocation(deployment, function, ended) for function in (*SHARED, *CHANNELS.values())}
    return {
        channel: way(ended, [*(runs[name] for name in SHARED), runs[last]], arrivals[channel].times[before[channel]])
        for channel, last in CHANNELS.items()
    }


def _invocation(deployment: Deployment, function: str, after: float) -> Invocation:
    """The one run of a function since that moment, from its REPORT line in CloudWatch Logs."""
    logs, group = deployment.laptop.client("logs"), deployment.log_group(function)

    def reports() -> list[Invocation]:
        events = log_events(logs, group, startTime=int(after * 1000))
        ends = [(event["timestamp"] / 1000, REPORT.match(event["message"])) for event in events]
        return [Invocation(function, end - float(line[1]) / 1000, end) for end, line in ends if line]

    found = until(reports, f"the REPORT line of {function}")
    if len(found) > 1:
        raise RuntimeError(f"{function} ran {len(found)} times for one job's end; once was expected")
    return found[0]


def _summary(ways: list[Way]) -> dict[str, Any]:
    """The run with the median total (of two, the faster) and the worst, each with its hops, which add up to it."""
    ordered = sorted(ways, key=lambda found: found.total)
    middle, worst = ordered[(len(ordered) - 1) // 2], ordered[-1]
    return {
        "median_ms": round(middle.total),
        "worst_ms": round(worst.total),
        "median_run": _described(middle),
        "worst_run": _described(worst),
        "totals_ms": [round(found.total) for found in ways],
    }


def _described(found: Way) -> dict[str, Any]:
    return {
        "total_ms": round(found.total, 1),
        "waiting_ms": round(found.waiting, 1),
        "hops_ms": {name: round(value, 1) for name, value in found.hops.items()},
        "durations_ms": {name: round(value, 1) for name, value in found.durations.items()},
    }
