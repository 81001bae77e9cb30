"""Every day: compares the last week's jobs that the ledger knows as finished with those whose figures were published.

It changes nothing. The difference is published as drift, and the log says what spot saved that week and on which
instance types it cost more than on-demand would have.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from trainops.counting_ports import JobCounts
from trainops.domain.fleet_savings import FleetSavings, by_instance_type, fleet_savings
from trainops.domain.start_latency import Latency, latencies
from trainops.domain.state_changes import needed_time
from trainops.domain.wording import UNKNOWN, counted, money_text, percent_text
from trainops.outcomes import Outcome
from trainops.telemetry import Field, Metric

WEEK = timedelta(days=7)
SETTLED = timedelta(hours=12)
"""What ended more recently may still be on its way to the metrics: a message is retried for about eight hours."""
NAMED = 20
"""How many jobs that were not counted the log names."""


@dataclass(frozen=True, slots=True)
class MetricsRecount:
    """Handles one tick of the schedule."""

    counts: JobCounts

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Count again. Raises ValueError when the event has no time."""
        del has_time  # a week of 100,000 jobs is read in two minutes
        now = needed_time(event, "time")
        keys = self.counts.finished(now - SETTLED - WEEK, now - SETTLED)
        known = self.counts.counted(keys)
        missing = [key.lower_case_name for key in keys if key not in known]
        records = self.counts.records(keys)
        worse = [kind for kind, sums in by_instance_type(records).items() if sums.worse_than_on_demand]
        drift = f"{len(missing)} of {len(keys)} finished jobs are not in the metrics"
        named = f" ({', '.join(missing[:NAMED])})" if missing else ""
        starts = starts_in_words(latencies(start for start in known.values() if start))
        reason = f"{drift}{named}; {week_of_spot(fleet_savings(records), worse)}; {starts}"
        return Outcome(reason, {Metric.RECOUNT_DRIFT: len(missing), Field.WORSE_THAN_ON_DEMAND: len(worse)})


def week_of_spot(sums: FleetSavings, worse: Sequence[str]) -> str:
    """What spot came to, in words."""
    if not (sums.jobs or sums.incomplete):
        return "no spot job ended"
    time, money = sums.percent_by_time, sums.percent_by_money
    parts = [
        f"spot saved {percent_text(time) if time is not None else UNKNOWN} of the time of {counted(sums.jobs, 'job')}",
        f"{money_text(sums.on_demand_usd - sums.billed_usd)} ({percent_text(money) if money is not None else UNKNOWN})",
    ]
    if sums.overrun_seconds:
        parts.append(f"{sums.overrun_seconds:f} instance-seconds billed beyond training")
    if left_out := sums.incomplete + sums.unpriced:
        parts.append(f"{counted(left_out, 'job')} with unknown figures")
    if worse:
        parts.append(f"spot was worse than on-demand for {', '.join(sorted(worse))}")
    return ", ".join(parts)


def starts_in_words(rows: Sequence[Latency]) -> str:
    """The account's own start latencies."""
    if not rows:
        return "no start was measured"
    return "starts P50/P90: " + ", ".join(map(_latency_in_words, rows))


def _latency_in_words(row: Latency) -> str:
    kind, p50, p90 = "warm" if row.warm else "cold", row.p50.total_seconds(), row.p90.total_seconds()
    return f"{row.input_mode} {kind} {p50:.0f}/{p90:.0f} s of {row.starts}"
