"""The platform team's dashboard: all teams together, and whether trainops itself is well."""

from collections.abc import Mapping, Sequence

from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.published import signal
from stacks.dashboards import rows
from stacks.dashboards.charts import BAD, COLUMNS, GOOD, MONEY, NEUTRAL, WASTE, amounts, answers, heading, lines
from stacks.dashboards.figures import HOUR, SAMPLES, Figures, Plotted, signals
from stacks.dashboards.questions import FAILURES, MISSING, QUOTAS
from stacks.dashboards.rows import Row
from trainops.telemetry import SENDERS, Metric

HEALTH = (
    "**Put off** is tried again for about eight hours; **refused** went to the other channel; **faults** are ours. A "
    "dead letter is a message that was given up and waits for a person. Every alarm's description names its part of "
    "the runbook."
)
BAR_CHART = cloudwatch.LogQueryVisualizationType.BAR
Color = cloudwatch.Color
CYAN, OLIVE, LIGHT, SAND, ROSE, MINT = "#17becf", "#bcbd22", "#aec7e8", "#c49c94", "#f7b6d2", "#98df8a"
FLOW = {
    Metric.ANNOUNCED: ("announced", MONEY),
    Metric.DELIVERED: ("delivered", GOOD),
    Metric.SELF_CHECKED: ("self-checks arrived", MINT),
}
TROUBLE = {
    Metric.FAULTS: ("faults", BAD),
    Metric.DELIVERY_FAILED: ("refused", WASTE),
    Metric.POSTPONED: ("put off", NEUTRAL),
    Metric.NOT_CONFIGURED: ("not configured", Color.PURPLE),
    Metric.WALK_CUT_SHORT: ("runs cut short", Color.BROWN),
    Metric.POOLS_REFUSED: ("pools not ended", Color.PINK),
    Metric.UNKNOWN: ("missing from the sums", CYAN),
    Metric.RECOUNT_DRIFT: ("not counted", OLIVE),
    Metric.CHECKPOINTS_OLD: ("checkpoints old", LIGHT),
    Metric.PRESSES_REFUSED: ("presses refused", SAND),
    Metric.SUBSCRIPTIONS_MISSING: ("subscriptions missing", ROSE),
}


def overview(teams: Sequence[str], alarms: Alarms, intro: str) -> list[Row]:
    """Jobs, money, starts and health, from top to bottom."""
    figures = Figures(teams)
    functions = {item.name: item for item in alarms.functions}
    return [
        [heading("All teams", intro)],
        rows.at_a_glance(figures),
        *rows.jobs(figures, answers(FAILURES, functions, "Failures by class", view=BAR_CHART)),
        *rows.money(figures),
        *rows.starts(figures),
        *_health(alarms, functions),
    ]


def _health(alarms: Alarms, functions: Mapping[str, Function]) -> list[Row]:
    status = cloudwatch.AlarmStatusWidget(
        title="Alarms",
        alarms=alarms.made,
        width=COLUMNS,
        height=8,
        sort_by=cloudwatch.AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP,
    )
    missing = answers(MISSING, functions, "Missing from the sums", width=COLUMNS // 3)
    third = COLUMNS // 3 if missing else COLUMNS // 2
    return [
        [heading("trainops itself", HEALTH)],
        [status],
        [
            lines(
                "Messages and scheduled runs, per hour",
                [*_shown(FLOW, functions), *_runs(functions)],
                "per hour",
                width=third,
            ),
            amounts("Trouble, per hour", _shown(TROUBLE, functions), "per hour", width=third),
            *missing,
        ],
        [
            amounts("Failed invocations, per hour", _errors(functions), "invocations"),
            amounts("Dead letters", _dead_letters(alarms), "messages"),
            lines("Quota in use, the fullest of those wanted", _quotas(functions), "percent", most=100),
        ],
        answers(QUOTAS, functions, "Wanted quotas: use, limit and state (deferred: asked for later)", width=24),
    ]


def _shown(chosen: Mapping[Metric, tuple[str, str]], functions: Mapping[str, Function]) -> list[Plotted]:
    return [item for metric, (label, color) in chosen.items() for item in signals(metric, functions, label, color)]


def _runs(functions: Mapping[str, Function]) -> list[Plotted]:
    """Each scheduled run says whether it was cut short, and so that it was."""
    return signals(Metric.WALK_CUT_SHORT, functions, "scheduled runs", NEUTRAL, SAMPLES)


def _errors(functions: Mapping[str, Function]) -> list[Plotted]:
    return [item.function.metric_errors(period=HOUR, statistic="Sum", label=name) for name, item in functions.items()]


def _quotas(functions: Mapping[str, Function]) -> list[Plotted]:
    """Highest in each hour; nothing where no quota is wanted."""
    senders = [name for name in SENDERS[Metric.QUOTA_USED_PERCENT] if name in functions]
    return [signal(Metric.QUOTA_USED_PERCENT, name, HOUR, "Maximum").with_(label="in use") for name in senders]


def _dead_letters(alarms: Alarms) -> list[Plotted]:
    return [
        queue.metric_approximate_number_of_messages_visible(period=HOUR, statistic="Maximum", label=purpose)
        for purpose, queue in alarms.dead_letter_queues.items()
    ]
