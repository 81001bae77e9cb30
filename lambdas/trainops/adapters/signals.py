"""A function's log and metrics: Powertools Logger and Metrics, in the embedded metric format."""

from decimal import Decimal

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from trainops.outcomes import Figures, Outcome
from trainops.telemetry import NAMESPACE, TEAM, Metric, TeamMetric


class Signals:
    """Tells what happened. The service name, a dimension of every signal, comes from POWERTOOLS_SERVICE_NAME."""

    def __init__(self) -> None:
        self.logger = Logger()
        self._metrics = Metrics(namespace=NAMESPACE)
        self._counted = False

    def outcome(self, outcome: Outcome, **fields: str) -> None:
        """Log the decision's reason as it is, and count what came of it."""
        counted = {name.value: count for name, count in outcome.counts.items() if not isinstance(name, Metric)}
        about = {"job": outcome.job} if outcome.job else {}
        self.logger.info(outcome.reason, extra={**fields, **about, **counted})
        for note in outcome.notes:
            self.logger.info("note", extra=dict(note))
        for metric, count in outcome.counts.items():
            if isinstance(metric, Metric):
                self.count(metric, count)
        for team, figures in outcome.figures.items():
            self._publish(team, outcome, figures)

    def count(self, metric: Metric, count: int = 1) -> None:
        """Add to a metric of this invocation."""
        self._metrics.add_metric(name=metric.value, unit=MetricUnit.Count, value=count)
        self._counted = True

    def flush(self) -> None:
        """Write what was counted; nothing is written when nothing was."""
        if self._counted:
            self._metrics.flush_metrics()
            self._counted = False

    def _publish(self, team: str, outcome: Outcome, figures: Figures) -> None:
        """One team's figures as one line: metrics by team alone, and fields beside them that are no dimensions."""
        fields = {name.value: _plain(value) for name, value in figures.items() if not isinstance(name, TeamMetric)}
        metrics = EphemeralMetrics(namespace=NAMESPACE, service="")  # the service would be a second dimension
        metrics.add_dimension(TEAM, team)
        for name, value in {"job": outcome.job, **fields}.items():
            metrics.add_metadata(name, value)
        published = {name: value for name, value in figures.items() if isinstance(name, TeamMetric)}
        for metric, value in published.items():
            metrics.add_metric(name=metric.value, unit=metric.unit, value=float(value))
        if published:
            metrics.flush_metrics()
        else:
            self.logger.info("figures", extra={TEAM: team, **fields})


def _plain(value: object) -> object:
    """JSON has no exact decimals; a log line's number is for adding up, not for a bill."""
    return float(value) if isinstance(value, Decimal) else value
