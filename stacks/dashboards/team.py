"""What one team sees of itself; which one is chosen at the top."""

from collections.abc import Mapping, Sequence

from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.building_blocks.function import Function
from stacks.dashboards import rows
from stacks.dashboards.charts import COLUMNS, answers, heading
from stacks.dashboards.figures import Figures
from stacks.dashboards.questions import DEAREST, LAST_FAILURES
from stacks.dashboards.rows import Row

SHOWN = "__team__"
"""Stands for the chosen team everywhere in the dashboard, texts and queries included; no team can be called so."""


def variable(teams: Sequence[str]) -> cloudwatch.DashboardVariable:
    """The choice among the teams; the first is shown at first."""
    return cloudwatch.DashboardVariable(
        id="team",
        label="Team",
        # A property variable would change the metrics' dimension, but neither queries nor texts.
        type=cloudwatch.VariableType.PATTERN,
        value=SHOWN,
        input_type=cloudwatch.VariableInputType.SELECT,
        values=cloudwatch.Values.from_values(*(cloudwatch.VariableValue(value=team, label=team) for team in teams)),
        default_value=cloudwatch.DefaultValue.value(teams[0]),
    )


def team(functions: Mapping[str, Function], intro: str) -> list[Row]:
    """The overview's rows for one team, and its jobs by name."""
    figures = Figures([SHOWN])
    return [
        [heading(f"Team {SHOWN}", intro)],
        rows.at_a_glance(figures),
        *rows.jobs(figures, answers(LAST_FAILURES, functions, "Failed jobs, latest first", team=SHOWN)),
        *rows.money(figures),
        *rows.starts(figures),
        answers(DEAREST, functions, "Dearest jobs", team=SHOWN, width=COLUMNS),
    ]
