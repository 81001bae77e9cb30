"""The rows that both dashboards have: of all teams together, or of one."""

from collections.abc import Sequence

from aws_cdk import aws_cloudwatch as cloudwatch

from stacks.dashboards.charts import BAD, COLUMNS, GOOD, MONEY, NEUTRAL, WASTE, amounts, heading, lines, numbers
from stacks.dashboards.figures import SAMPLES, Figures, Plotted
from trainops.telemetry import TeamMetric

Row = Sequence[cloudwatch.IWidget]
JOBS = (
    "A job is counted on the day it ends, once, by what SageMaker calls its end. Stopped is a person, a limit, or a "
    "spot job that waited too long. The classes of failure are read from the jobs' texts."
)
MONEY_TEXT = (
    "**Saved** is 1 - billable / training time of all managed spot jobs together, never a mean of percents; US dollars "
    "are on-demand list prices, no bill. **Idle** is what warm pools cost that nobody used, **avoided** what was left "
    "of the periods asked for when pools were ended, **would avoid** the same for teams that only observe. What has "
    "no known price is in none of these sums."
)
STARTS = (
    "From a job's creation to its training, in seconds of the clock: **cold** on new instances, **warm** in a pool "
    "that a job left. Nine of ten jobs start faster than P90. Percentiles cannot be added up, so each team has its "
    "own line."
)


def at_a_glance(figures: Figures) -> Row:
    """One number for each question, over the whole time shown."""
    return [
        numbers("Jobs that ended", _outcomes(figures)),
        numbers("Managed spot", [figures.savings_percent(GOOD), figures.saved_usd(GOOD)]),
        numbers("Warm pools, US$", _pools(figures)),
        numbers("Starts", _starts(figures)),
    ]


def jobs(figures: Figures, beside: Row) -> list[Row]:
    """What became of jobs, and what else a dashboard says of their failures."""
    return [
        [heading("Jobs", JOBS)],
        [amounts("Jobs by outcome, each day", _outcomes(figures), "jobs", width=12 if beside else COLUMNS), *beside],
    ]


def money(figures: Figures) -> list[Row]:
    """Spot and warm pools, which are never added up: the one is billed less, the other is billed for nothing."""
    spot = [
        figures.total(TeamMetric.SPOT_ON_DEMAND_USD, "on demand it would be", NEUTRAL),
        figures.total(TeamMetric.SPOT_BILLED_USD, "billed", MONEY),
    ]
    return [
        [heading("Money", MONEY_TEXT, height=3)],
        [
            lines("Managed spot saved, each day", [figures.savings_percent(GOOD)], "%", most=100),
            lines("Managed spot, US$ each day", spot, "US$"),
            lines("Warm pools, US$ each day", _pools(figures), "US$"),
        ],
    ]


def starts(figures: Figures) -> list[Row]:
    """How long people wait for their jobs to begin."""
    return [
        [heading("Starts", STARTS)],
        [
            lines("Cold start, each day", figures.latency(TeamMetric.COLD_START), "seconds"),
            lines("Warm start, each day", figures.latency(TeamMetric.WARM_START), "seconds"),
            lines("Warm starts of all starts, each day", [figures.hit_rate(GOOD)], "%", most=100),
        ],
    ]


def _outcomes(figures: Figures) -> list[Plotted]:
    return [
        figures.total(TeamMetric.JOBS_COMPLETED, "completed", GOOD),
        figures.total(TeamMetric.JOBS_FAILED, "failed", BAD),
        figures.total(TeamMetric.JOBS_STOPPED, "stopped", NEUTRAL),
    ]


def _starts(figures: Figures) -> list[Plotted]:
    return [
        figures.hit_rate(GOOD),
        figures.total(TeamMetric.WARM_START, "warm", GOOD, SAMPLES),
        figures.total(TeamMetric.COLD_START, "cold", MONEY, SAMPLES),
    ]


def _pools(figures: Figures) -> list[Plotted]:
    return [
        figures.total(TeamMetric.IDLE_POOL_USD, "idle", WASTE),
        figures.total(TeamMetric.AVOIDED_POOL_USD, "avoided", GOOD),
        figures.total(TeamMetric.WOULD_AVOID_POOL_USD, "would avoid", NEUTRAL),
    ]
