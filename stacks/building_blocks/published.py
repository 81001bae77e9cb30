"""The metrics that our functions publish, as CDK knows metrics: with their one dimension, statistic and period."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from trainops.telemetry import NAMESPACE, SENDERS, SERVICE, TEAM, Metric, TeamMetric


def signal(metric: Metric, function: str, period: Duration, statistic: str = "Sum") -> cloudwatch.Metric:
    """What a function says of itself. Raises ValueError for one that does not: nothing would ever be seen of it."""
    if function not in SENDERS[metric]:
        raise ValueError(f"{function} does not publish {metric}: no alarm on it would ring")
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=metric.value,
        dimensions_map={SERVICE: function},
        period=period,
        statistic=statistic,
    )


def figure(metric: TeamMetric, team: str, period: Duration, statistic: str = "Sum") -> cloudwatch.Metric:
    """What is known of a team's jobs and money."""
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=metric.value,
        dimensions_map={TEAM: team},
        period=period,
        statistic=statistic,
    )
