"""A function's log and metrics: Powertools Logger and Metrics, in the embedded metric format."""

from collections.abc import Mapping
from decimal import Decimal

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from trainops.telemetry import NAMESPACE, Metric, Outcome


class Signals:
    """Tells what happened. The service name, a dimension of every metric, comes from POWERTOOLS_SERVICE_NAME."""

    def __init__(self) -> None:
        self.logger = Logger()
        self._metrics = Metrics(namespace=NAMESPACE)
        self._counted = False

    def outcome(self, outcome: Outcome, **fields: str) -> None:
        """Log the decision's reason as it is, and count what came of it."""
        self.logger.info(outcome.reason, extra={**fields, "job": outcome.job} if outcome.job else fields)
        for note in outcome.notes:
            self.logger.info("note", extra=dict(note))
        for metric, count in outcome.counts.items():
            self.count(metric, count)
        for team, amounts in outcome.figures.items():
            _publish(team, amounts)

    def count(self, metric: Metric, count: int = 1) -> None:
        """Add to a metric of this invocation."""
        self._metrics.add_metric(name=metric.value, unit=MetricUnit.Count, value=count)
        self._counted = True

    def flush(self) -> None:
        """Write what was counted; nothing is written when nothing was."""
        if self._counted:
            self._metrics.flush_metrics()
            self._counted = False


def _publish(team: str, amounts: Mapping[Metric, Decimal]) -> None:
    """One team's figures, at once: a dimension belongs to everything that is flushed together."""
    metrics = EphemeralMetrics(namespace=NAMESPACE)
    metrics.add_dimension("team", team)
    for metric, value in amounts.items():
        metrics.add_metric(name=metric.value, unit=MetricUnit.Count, value=float(value))
    metrics.flush_metrics()
