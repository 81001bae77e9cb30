"""How the dashboards look: 24 columns, one height for each kind of widget, one colour for each meaning."""

from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.building_blocks.function import Function
from stacks.dashboards.figures import Plotted
from stacks.dashboards.questions import Question

COLUMNS = 24
GOOD, BAD, NEUTRAL, MONEY, WASTE = (
    cloudwatch.Color.GREEN,
    cloudwatch.Color.RED,
    cloudwatch.Color.GREY,
    cloudwatch.Color.BLUE,
    cloudwatch.Color.ORANGE,
)
"""Completed, saved or delivered; failed; stopped or only observed; other money; what was paid for nothing."""


def heading(title: str, text: str, height: int = 2) -> cloudwatch.TextWidget:
    """What the row below it shows, and how its numbers are to be read."""
    return cloudwatch.TextWidget(
        markdown=f"## {title}\n{text}",
        width=COLUMNS,
        height=height,
        background=cloudwatch.TextWidgetBackground.TRANSPARENT,
    )


def numbers(title: str, metrics: Sequence[Plotted], width: int = 6) -> cloudwatch.SingleValueWidget:
    """Each metric as one number over the whole time that the dashboard shows."""
    return cloudwatch.SingleValueWidget(
        title=title, metrics=list(metrics), width=width, height=3, set_period_to_time_range=True
    )


def amounts(title: str, metrics: Sequence[Plotted], unit: str, width: int = 8) -> cloudwatch.GraphWidget:
    """What adds up, upon each other: the height is the sum."""
    return _graph(title, metrics, unit, width, stacked=True)


def lines(
    title: str, metrics: Sequence[Plotted], unit: str, width: int = 8, most: float | None = None
) -> cloudwatch.GraphWidget:
    """What cannot be added up: percents, percentiles, depths of queues."""
    return _graph(title, metrics, unit, width, most=most)


def answers(
    question: Question,
    functions: Mapping[str, Function],
    title: str,
    *,
    team: str | None = None,
    width: int = 12,
    view: cloudwatch.LogQueryVisualizationType = cloudwatch.LogQueryVisualizationType.TABLE,
) -> list[cloudwatch.LogQueryWidget]:
    """What no metric tells, from the functions' log lines, of one team or all; nothing where nobody can answer."""
    groups = question.groups(functions)
    if not groups:
        return []
    of_team = [f'filter team = "{team}"'] if team else []
    return [
        cloudwatch.LogQueryWidget(
            title=title,
            log_group_names=groups,
            query_lines=[*of_team, *question.lines],
            view=view,
            width=width,
            height=6,
        )
    ]


def _graph(
    title: str, metrics: Sequence[Plotted], unit: str, width: int, most: float | None = None, **look: Any
) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(
        title=title,
        left=list(metrics),
        left_y_axis=cloudwatch.YAxisProps(label=unit, min=0, max=most, show_units=False),
        legend_position=cloudwatch.LegendPosition.BOTTOM,
        width=width,
        height=6,
        **look,
    )
