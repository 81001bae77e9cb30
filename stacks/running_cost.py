"""What CloudWatch costs in a month: counted from the templates and the vocabulary, priced here, held to a budget.

An estimate. A metric is billed for the hours in which it is sent: in the ceiling, which is held to the budget, in all.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from trainops.telemetry import OTHER_TEAMS, SENDERS, Metric, TeamMetric

AS_OF = "2026-05"
SOURCE = "https://aws.amazon.com/cloudwatch/pricing/, us-east-1, as third parties quote it; no free tier, no discounts"
MONTHLY_USD = {
    "metric": Decimal("0.30"),  # each of the first 10,000 custom metrics
    "alarm metric": Decimal("0.10"),  # standard resolution; an alarm over metric math counts each metric in it
    "dashboard": Decimal("3.00"),
    "saved query": Decimal("0.00"),
}
HOURS = 730
"""Of a month."""
HOURS_WITH_JOBS = 130
"""In which a job or pool of a team ends, in what is called typical: six on each working day."""
BY_SCHEDULE = frozenset({Metric.WALK_CUT_SHORT, Metric.CHECKPOINTS_OLD, Metric.QUOTA_USED_PERCENT})
WITH_JOBS = frozenset({Metric.ANNOUNCED, Metric.DELIVERED, *TeamMetric})
"""Every other metric is sent while something is wrong."""

Template = Mapping[str, Any]


class OverBudget(Exception):
    """The configuration may cost more than the settings allow; the text says what it comes to, and what to change."""


class Published(NamedTuple):
    """One custom metric: its name, and the one dimension it has."""

    metric: Metric | TeamMetric
    dimension_value: str


@dataclass(frozen=True, slots=True)
class RunningCost:
    """What a deployment has of each kind."""

    published: frozenset[Published]
    alarm_metrics: int
    dashboards: int

    @property
    def ceiling_usd(self) -> Decimal:
        """US dollars, if every metric were sent in every hour of the month."""
        return self._usd(len(self.published) * HOURS)

    @property
    def typical_usd(self) -> Decimal:
        """US dollars, when nothing is wrong and jobs end in `HOURS_WITH_JOBS`."""
        hours = {**dict.fromkeys(BY_SCHEDULE, HOURS), **dict.fromkeys(WITH_JOBS, HOURS_WITH_JOBS)}
        return self._usd(sum(hours.get(item.metric, 0) for item in self.published))

    def _usd(self, metric_hours: int) -> Decimal:
        fixed = MONTHLY_USD["alarm metric"] * self.alarm_metrics + MONTHLY_USD["dashboard"] * self.dashboards
        return fixed + MONTHLY_USD["metric"] * metric_hours / HOURS

    def __str__(self) -> str:
        return (
            f"CloudWatch: {len(self.published)} custom metrics, {self.alarm_metrics} metrics in alarms, "
            f"{self.dashboards} dashboards: typically ${self.typical_usd:.2f} a month, "
            f"at most ${self.ceiling_usd:.2f}\n"
            f"(estimates from list prices of {AS_OF}; what is typical, and the arithmetic: docs/cost.md)"
        )

    def hold_to(self, budget: float) -> None:
        """Raise OverBudget above it."""
        if self.ceiling_usd > Decimal(str(budget)):
            raise OverBudget(
                f"{self}\nmetrics.monthly_budget_usd is ${budget:.2f}: raise it, or name fewer teams; each has "
                f"{len(TeamMetric)} metrics and alarms of its own"
            )


def running_cost(templates: Iterable[Template], teams: Collection[str]) -> RunningCost:
    """Of a deployment's synthesised templates and the teams that its settings name."""
    resources = [resource for template in templates for resource in template["Resources"].values()]
    return RunningCost(
        published=published(_functions(resources), teams),
        alarm_metrics=sum(len(metrics_of(alarm)) for alarm in _of_type(resources, "AWS::CloudWatch::Alarm")),
        dashboards=len(list(_of_type(resources, "AWS::CloudWatch::Dashboard"))),
    )


def published(functions: Collection[str], teams: Collection[str]) -> frozenset[Published]:
    """Every custom metric that these functions can publish about these teams and all others together."""
    figures = {Published(metric, team) for metric in TeamMetric for team in {*teams, OTHER_TEAMS}}
    signals = {Published(metric, name) for metric, senders in SENDERS.items() for name in senders if name in functions}
    return frozenset(figures | signals)


def metrics_of(alarm: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The metrics that an alarm's properties name, without the expressions over them."""
    if "Metrics" not in alarm:
        return [alarm]
    return [query["MetricStat"]["Metric"] for query in alarm["Metrics"] if "MetricStat" in query]


def _functions(resources: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    variables = (
        item.get("Environment", {}).get("Variables", {}) for item in _of_type(resources, "AWS::Lambda::Function")
    )
    return frozenset(found["POWERTOOLS_SERVICE_NAME"] for found in variables if "POWERTOOLS_SERVICE_NAME" in found)


def _of_type(resources: Iterable[Mapping[str, Any]], kind: str) -> Iterable[Mapping[str, Any]]:
    return (resource["Properties"] for resource in resources if resource["Type"] == kind)
