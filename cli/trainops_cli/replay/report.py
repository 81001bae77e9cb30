"""A comparison for people (a table) and for programs (JSON)."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from rich import box
from rich.table import Table

from trainops.domain.wording import counted, duration_text, money_text
from trainops_cli.replay.comparison import BREAK_EVENS, Assumptions, Result
from trainops_cli.replay.jobs import Trace

HOUR = timedelta(hours=1)


def table(results: Sequence[Result]) -> Table:
    """One line for each policy."""
    shown = Table(title="Keep-alive policies on these jobs", box=box.SIMPLE_HEAD, caption=CAPTION, padding=(0, 1, 0, 0))
    shown.caption_justify = "left"
    shown.add_column("\npolicy", no_wrap=True)
    for name in COLUMNS:
        shown.add_column(name, justify="right", no_wrap=True)
    for result in results:
        did = result.outcome
        shown.add_row(
            result.policy,
            _usd(did.cost),
            _usd(did.idle_usd),
            f"{did.idle_seconds / 3600:,.0f}",
            f"{did.cold_starts:,}",
            f"{result.waiting_saved / HOUR:,.0f}",
            "unknown" if result.ratio is None else f"{result.ratio:.3f}",
            f"{result.mean_ratio:.3f}",
            f"{max(result.ratios):.3f}",
        )
    return shown


def notes(trace: Trace, results: Sequence[Result], assumptions: Assumptions) -> Iterable[str]:
    """What the table rests on, one sentence each."""
    jobs, timing = trace.jobs, assumptions.timing
    span = max(job.ended for job in jobs) - jobs[0].created
    keys = len({job.fingerprint for job in jobs})
    yield f"{len(jobs):,} jobs for {counted(keys, 'kind')} of pool over {duration_text(span)}, from {trace.source}."
    yield (
        f"An hour of waiting is worth {money_text(assumptions.waiting_value)}; a warm start saves "
        f"{duration_text(assumptions.saving.waited)} ({assumptions.saving.source})."
    )
    yield (
        f"Decisions come {timing.lag.total_seconds():g} s after a job's end, at most {timing.updates_per_second:g} "
        f"releases a second, learning every {duration_text(timing.sweep)}."
    )
    for result in results:
        if result.quotas:
            enough = ", ".join(f"{quota.enough} {quota.instance_type}" for quota in result.quotas)
            yield f"Warm-pool quota for {result.policy}, enough for 99 % of the time with pools: {enough}."
    for reason, count in trace.skipped.items():
        yield f"{count:,} left out: {reason}."
    if unpriced := results[0].outcome.unpriced:
        yield f"{unpriced:,} jobs have no price and are not in any dollar amount; there the fixed limit holds."


def as_json(trace: Trace, results: Sequence[Result], assumptions: Assumptions) -> dict[str, Any]:
    """Figures of every policy; ratios by break-even time, amounts in US dollars; null is unknown."""
    return {
        "trace": trace.source,
        "jobs": len(trace.jobs),
        "skipped": dict(trace.skipped),
        "unpriced_jobs": results[0].outcome.unpriced,
        "waiting_value_usd_per_hour": float(assumptions.waiting_value),
        "lag_seconds": assumptions.timing.lag.total_seconds(),
        "policies": [_policy(result) for result in results],
    }


def _policy(result: Result) -> dict[str, Any]:
    did = result.outcome
    return {
        "policy": result.policy,
        "mean_ratio": round(result.mean_ratio, 4),
        "worst_ratio": round(max(result.ratios), 4),
        "ratio": None if result.ratio is None else round(result.ratio, 4),
        "ratios": {str(value): round(ratio, 4) for value, ratio in zip(BREAK_EVENS, result.ratios, strict=True)},
        "cost_usd": round(did.cost, 2),
        "idle_usd": round(did.idle_usd, 2),
        "idle_hours": round(did.idle_seconds / 3600, 2),
        "cold_starts": did.cold_starts,
        "waiting_hours_saved": round(result.waiting_saved / HOUR, 2),
        "updates": did.updates,
        "quotas": {quota.instance_type: {"enough": quota.enough, "most": quota.most} for quota in result.quotas},
    }


def _usd(amount: float) -> str:
    return f"${Decimal(amount):,.0f}"


COLUMNS = (
    "\ncost",
    "idle\nbill",
    "idle\nhours",
    "cold\nstarts",
    "hours\nsaved",
    "cost ÷\noptimum",
    "\nmean",
    "\nworst",
)
CAPTION = (
    "Cost: idling and what cold starts are worth. Hours saved: of waiting. Optimum: the least possible with the future "
    f"known. Mean and worst: of cost ÷ optimum over break-even times of {BREAK_EVENS[0]} to {BREAK_EVENS[-1]:,} s."
)
