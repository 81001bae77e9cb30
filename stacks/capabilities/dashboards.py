"""The dashboards as resources, with links to each other and to the runbook; and the saved queries."""

from collections.abc import Sequence
from typing import Any

from aws_cdk import Aws, Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from stacks.building_blocks.alarms import RUNBOOK, Alarms
from stacks.dashboards.overview import overview
from stacks.dashboards.questions import SavedQuestions
from stacks.dashboards.rows import Row
from stacks.dashboards.team import team, variable
from stacks.settings import Settings
from trainops.telemetry import OTHER_TEAMS

RANGE = Duration.days(14)
"""What a dashboard shows when it is opened."""


class Dashboards(Construct):
    """Made last, of everything that is watched. Teams that the settings do not name are shown together."""

    def __init__(self, scope: Construct, construct_id: str, *, settings: Settings, alarms: Alarms) -> None:
        super().__init__(scope, construct_id)
        functions = {item.name: item for item in alarms.functions}
        teams = [*sorted(settings.teams), OTHER_TEAMS]
        # The names of dashboards are shared by all Regions of an account.
        names = {kind: f"{settings.name}-{kind}-{Aws.REGION}" for kind in ("overview", "team")}
        reading = _runbook(settings.alarms.runbook_url)
        self._dashboard(
            "Overview", names["overview"], overview(teams, alarms, _intro("One team", names["team"], reading))
        )
        self._dashboard(
            "Team",
            names["team"],
            team(functions, _intro("All teams", names["overview"], reading)),
            variables=[variable(teams)],
        )
        SavedQuestions(self, "Questions", folder=settings.name, functions=functions)

    def _dashboard(self, construct_id: str, name: str, widgets: Sequence[Row], **choices: Any) -> None:
        cloudwatch.Dashboard(
            self,
            construct_id,
            dashboard_name=name,
            default_interval=RANGE,
            # A day stays a day, whatever range is looked at.
            period_override=cloudwatch.PeriodOverride.INHERIT,
            widgets=[list(row) for row in widgets],
            **choices,
        )


def _intro(other: str, dashboard: str, reading: str) -> str:
    return (
        f"Days are days in UTC. Jobs by name: CloudWatch, Logs Insights, saved queries. {reading} "
        f"[button:{other}](#dashboards/dashboard/{dashboard})"
    )


def _runbook(url: str | None) -> str:
    return f"[button:Runbook]({url})" if url else f"Runbook: {RUNBOOK}."
