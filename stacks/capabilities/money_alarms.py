"""Alarms on what teams pay for nothing; each team has its own, which names it and needs no sum of many metrics.

A day's figures, looked at while the day goes on: money that idles is told on the day on which it does.
"""

from collections.abc import Iterable

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.published import figure
from stacks.monitoring_settings import AlarmSettings
from trainops.telemetry import TeamMetric

DAY = Duration.days(1)
SECONDS_PER_HOUR = 3600
NOTHING_TO_SAY = 100
"""Percent saved while too little ran on spot for a percentage to mean anything."""


def watch_money(alarms: Alarms, teams: Iterable[str], chosen: AlarmSettings) -> None:
    """For each team: idle pools above the day's budget, and savings of managed spot below what is worth having."""
    for team in teams:
        name = team.replace("-", "_")
        alarms.ring(
            f"idle_pools_of_{name}",
            figure(TeamMetric.IDLE_POOL_USD, team, DAY),
            f"Warm pools of team {team} idled for more than ${chosen.idle_usd_per_day:g} today. See who keeps them",
            "idle-spend",
            threshold=chosen.idle_usd_per_day,
        )
        alarms.ring(
            f"spot_savings_of_{name}",
            _savings(team, chosen.spot_savings_after_instance_hours),
            f"Managed spot saved team {team} less than {chosen.spot_savings_percent:g} % today. See which jobs",
            "savings-collapsed",
            threshold=chosen.spot_savings_percent,
            below=True,
        )


def _savings(team: str, after_instance_hours: float) -> cloudwatch.MathExpression:
    least = after_instance_hours * SECONDS_PER_HOUR
    return cloudwatch.MathExpression(
        expression=f"IF(training >= {least:.0f}, 100 * (1 - billable / training), {NOTHING_TO_SAY})",
        label="saved, %",
        using_metrics={
            "training": figure(TeamMetric.SPOT_TRAINING, team, DAY),
            "billable": figure(TeamMetric.SPOT_BILLABLE, team, DAY),
        },
        period=DAY,
    )
