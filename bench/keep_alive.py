"""The keep-alive policies over job histories, against the exact optimum: made-up ones always, a real one when given."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

from trainops.domain.keep_alive_guard import Limits
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_lessons import JobCreated, JobEnded
from trainops.domain.keep_alive_policies import IdlePool, KeepAliveSettings, decide
from trainops_cli.replay.comparison import BREAK_EVENS, Assumptions, Result, Run, compare, simulate
from trainops_cli.replay.jobs import Trace
from trainops_cli.replay.pricing import priced
from trainops_cli.replay.simulation import Timing
from trainops_cli.replay.synthetic import synthetic_trace
from trainops_cli.replay.trace_files import read_trace

SEEDS, DAYS = (1, 2, 3, 4, 5), 56
PRICES = {"ml.g5.12xlarge": Decimal("7.09"), "ml.g5.48xlarge": Decimal("20.36")}
"""From price lists quoted in public code; the table that ships does not have these types."""
AT_ONCE = Timing(lag=timedelta(0), updates_per_second=1e6)
UNGUARDED = KeepAliveSettings(limits=Limits(allowance=Decimal(10**12)))
DECISIONS = 2000


def measure_keep_alive(
    trace: Path | None, before: Mapping[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    """All figures; of a real trace that is not given now, those measured before are kept."""
    found = {name: figures for name, figures in before.get("traces", {}).items() if not name.startswith("synthetic")}
    if trace:
        progress(f"keep-alive: {trace.name}")
        found[trace.name] = _figures(read_trace(trace))
    seeds = []
    for seed in SEEDS:
        progress(f"keep-alive: made-up jobs, seed {seed}")
        made_up = synthetic_trace(seed, DAYS)
        if seed == SEEDS[0]:
            found[made_up.source] = _figures(made_up)
        seeds.append({"seed": seed, **{result.policy: _ratios(result) for result in _compared(made_up, Timing())}})
    return {"traces": found, "seeds": seeds, "decide_us": _decide_us(synthetic_trace(SEEDS[0], DAYS))}


def _figures(trace: Trace) -> dict[str, Any]:
    late, at_once = _compared(trace, Timing()), _compared(trace, AT_ONCE)
    return {
        "jobs": len(trace.jobs),
        "keys": len({job.fingerprint for job in trace.jobs}),
        "lag_seconds": Timing().lag.total_seconds(),
        "policies": {result.policy: _figures_of(result) for result in late},
        "at_once": {result.policy: _ratios(result) for result in at_once},
        "guard_costs_percent": _guard_costs(trace),
        "seconds_per_run": _seconds_per_run(trace),
    }


def _figures_of(result: Result) -> dict[str, Any]:
    did = result.outcome
    return {
        **_ratios(result),
        "cost_usd": round(did.cost),
        "idle_usd": round(did.idle_usd),
        "optimum_usd": round(result.optimum_usd),
        "idle_hours": round(did.idle_seconds / 3600),
        "cold_starts": did.cold_starts,
    }


def _ratios(result: Result) -> dict[str, Any]:
    by_break_even = {str(value): round(ratio, 3) for value, ratio in zip(BREAK_EVENS, result.ratios, strict=True)}
    return {"ratios": by_break_even, "mean": round(result.mean_ratio, 4), "worst": round(max(result.ratios), 4)}


def _compared(trace: Trace, timing: Timing) -> list[Result]:
    jobs = priced(trace.jobs, "us-east-1", PRICES)
    return compare(jobs, Assumptions(timing=timing), os.cpu_count() or 1)


def _guard_costs(trace: Trace) -> float:
    """Percent that the guard adds to the cost of honest predictions, at the jobs' own prices."""
    jobs, run = priced(trace.jobs, "us-east-1", PRICES), Run("histogram", None)
    guarded, free = (
        simulate(jobs, replace(Assumptions(), settings=chosen), run) for chosen in (KeepAliveSettings(), UNGUARDED)
    )
    return round((guarded.cost / free.cost - 1) * 100, 3)


def _seconds_per_run(trace: Trace) -> dict[str, float]:
    """Processor time of one policy over all jobs."""
    spent = {}
    for policy in ("none", "fixed", "break-even", "histogram"):
        begin = time.process_time()
        simulate(trace.jobs, Assumptions(), Run(policy, 600))
        spent[policy] = round(time.process_time() - begin, 2)
    return spent


def _decide_us(trace: Trace) -> float:
    """Median time of one decision with its reason, in microseconds, after all that the trace taught."""
    jobs = priced(trace.jobs, "us-east-1", PRICES)
    events = [JobCreated(job.fingerprint, job.team, job.created) for job in jobs]
    ends = [JobEnded(job.fingerprint, job.team, job.ended) for job in jobs]
    history = learn(History(), [*events, *ends], max(job.ended for job in jobs), KeepAliveSettings().longest)
    spent = []
    for job in jobs[-DECISIONS:]:
        pool = IdlePool(job.fingerprint, job.team, job.ended, job.keep_alive, job.created)
        known, begin = Assumptions().economics_of(job), time.perf_counter()
        decide(pool, known, history, KeepAliveSettings(), job.ended)
        spent.append(time.perf_counter() - begin)
    return round(median(spent) * 1e6, 1)
