"""The platform team's dashboard: all teams together, and whether trainops itself is well."""

from collections.abc import Mapping, Sequence

from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.dashboards import rows
from stacks.dashboards.charts import BAD, GOOD, MONEY, NEUTRAL, WASTE, amounts, heading, lines, table
from stacks.dashboards.figures import HOUR, Figures, Plotted, signals
from stacks.dashboards.questions import FAILURES, MISSING
from stacks.dashboards.rows import Row
from trainops.telemetry import Metric

HEALTH = (
    "**Put off** is tried again for about eight hours; **refused** went to the other channel; **faults** are ours. A dead "
    "letter is a message that was given up and waits for a person. Every alarm's description names its part of the runbook."
)


def overview(teams: Sequence[str], alarms: Alarms, intro: str) -> list[Row]:
    """Jobs, money, starts and health, from top to bottom."""
    figures = Figures(teams)
    functions = {item.name: item for item in alarms.functions}
    failures = table("Failures by class", FAILURES.groups(functions), FAILURES.lines)
    return [
        [heading("All teams", intro)],
        rows.at_a_glance(figures),
        *rows.jobs(figures, failures),
        *rows.money(figures),
        *rows.starts(figures),
        *_health(alarms, functions),
    ]


def _health(alarms: Alarms, functions: Mapping[str, Function]) -> list[Row]:
    missing = table("Missing from the sums", MISSING.groups(functions), MISSING.lines)
    status = cloudwatch.AlarmStatusWidget(
        title="Alarms", alarms=alarms.made, width=12, height=6, sort_by=cloudwatch.AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP
    )
    return [
        [heading("trainops itself", HEALTH)],
        [
            lines("Messages, per hour", _flow(functions), "messages", width=6),
            amounts("Trouble, per hour", _trouble(functions), "messages", width=6),
            amounts("Failed invocations, per hour", _errors(functions), "invocations", width=6),
            amounts("Dead letters", _dead_letters(alarms), "messages", width=6),
        ],
        [status, missing],
    ]


def _flow(functions: Mapping[str, Function]) -> list[Plotted]:
    return [
        signals(Metric.ANNOUNCED, functions, "announced", MONEY),
        signals(Metric.DELIVERED, functions, "delivered", GOOD),
    ]


def _trouble(functions: Mapping[str, Function]) -> list[Plotted]:
    return [
        signals(Metric.POSTPONED, functions, "put off", NEUTRAL),
        signals(Metric.NOT_CONFIGURED, functions, "not configured", cloudwatch.Color.PURPLE),
        signals(Metric.DELIVERY_FAILED, functions, "refused", WASTE),
        signals(Metric.FAULTS, functions, "faults", BAD),
    ]


def _errors(functions: Mapping[str, Function]) -> list[Plotted]:
    return [
        item.function.metric_errors(period=HOUR, statistic="Sum", label=name) for name, item in functions.items()
    ]


def _dead_letters(alarms: Alarms) -> list[Plotted]:
    return [
        queue.metric_approximate_number_of_messages_visible(period=HOUR, statistic="Maximum", label=purpose)
        for purpose, queue in alarms.dead_letter_queues.items()
    ]
