"""The numbers of the dashboards: sums over teams, and ratios of sums, empty while there is nothing to divide by.

Percents are never averaged: a ratio of sums is the ratio of the whole.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.building_blocks.published import figure, signal
from trainops.telemetry import SENDERS, Metric, TeamMetric

DAY = Duration.days(1)
HOUR = Duration.hours(1)
SAVINGS = "IF(training > 0, MAX([0 * training, 100 * (1 - billable / training)]))"
"""Percent of the training time that was not billed, never below 0; what was billed beyond it is part of the sums."""
HIT_RATE = "IF(warm + cold > 0, 100 * warm / (warm + cold))"
"""Percent of the jobs that began to train in a warm pool."""
SAVED = "MAX([0 * on_demand, on_demand - billed])"
"""US dollars, never below 0."""
SAMPLES = "SampleCount"

Plotted = cloudwatch.Metric | cloudwatch.MathExpression


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers by day of some teams together; one team is the sum of one."""

    teams: Sequence[str]

    def total(self, metric: TeamMetric, label: str, color: str | None = None, statistic: str = "Sum") -> Plotted:
        """The sum over the teams; where one has no data, nothing ended, and that is zero."""
        return _summed([figure(metric, team, DAY, statistic) for team in self.teams], DAY, label, color)

    def latency(self, metric: TeamMetric) -> list[Plotted]:
        """How long nine of ten took, for each team; of a single team also how long the median took."""
        if len(self.teams) == 1:
            return [figure(metric, self.teams[0], DAY, name.lower()).with_(label=name) for name in ("P50", "P90")]
        return [figure(metric, team, DAY, "p90").with_(label=f"{team} P90") for team in self.teams]

    def savings_percent(self, color: str | None = None) -> Plotted:
        """What managed spot did not bill, of what it trained."""
        parts = {"training": TeamMetric.SPOT_TRAINING, "billable": TeamMetric.SPOT_BILLABLE}
        return _calculated(
            SAVINGS, "saved, %", color, {name: self.total(metric, name) for name, metric in parts.items()}
        )

    def saved_usd(self, color: str | None = None) -> Plotted:
        """What managed spot did not bill, in money."""
        parts = {"on_demand": TeamMetric.SPOT_ON_DEMAND_USD, "billed": TeamMetric.SPOT_BILLED_USD}
        return _calculated(
            SAVED, "saved, US$", color, {name: self.total(metric, name) for name, metric in parts.items()}
        )

    def hit_rate(self, color: str | None = None) -> Plotted:
        """How many starts were warm."""
        parts = {"warm": TeamMetric.WARM_START, "cold": TeamMetric.COLD_START}
        starts = {name: self.total(metric, name, statistic=SAMPLES) for name, metric in parts.items()}
        return _calculated(HIT_RATE, "warm of all, %", color, starts)


def signals(
    metric: Metric, functions: Collection[str], label: str, color: str | None = None, statistic: str = "Sum"
) -> list[Plotted]:
    """The sum by hour of what those of the functions say that say it at all; nothing when none does."""
    senders = [name for name in SENDERS[metric] if name in functions]
    return [_summed([signal(metric, name, HOUR, statistic) for name in senders], HOUR, label, color)] if senders else []


def _summed(each: Sequence[cloudwatch.Metric], period: Duration, label: str, color: str | None) -> Plotted:
    # CloudWatch's identifiers begin with a lower-case letter.
    parts = {f"{item.metric_name[0].lower()}{item.metric_name[1:]}{place}": item for place, item in enumerate(each)}
    filled = ", ".join(f"FILL({name}, 0)" for name in parts)
    return _calculated(f"SUM([{filled}])", label, color, parts, period)


def _calculated(
    expression: str, label: str, color: str | None, parts: Mapping[str, cloudwatch.IMetric], period: Duration = DAY
) -> Plotted:
    return cloudwatch.MathExpression(
        expression=expression, label=label, color=color, using_metrics=dict(parts), period=period
    )
