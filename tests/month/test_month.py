"""A month of three teams: every number on both dashboards equals a recomputation from the simulator's own records.

`MONTH_JOBS=5000` is the whole month (`make month`); fewer jobs show the same in less time.
"""

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import quantiles
from typing import Any

import pytest

from local.metrics.embedded import Datum
from local.metrics.lines import Line, periods
from local.metrics.queries import Queries
from local.page.metric_arrays import rows
from stacks.building_blocks.layer import build
from stacks.running_cost import HOURS, MONTHLY_USD, published, running_cost
from stacks.settings import Settings
from tests.infrastructure.cloudwatch import dashboard
from tests.infrastructure.conftest import Deployment, synthesise
from tests.local.simulator.bench import START
from tests.month.jobs import MONTH, TEAMS, arrivals
from tests.month.records import DAY, Told, told, total
from tests.month.world import SERVICES, Faults, Month
from trainops.telemetry import OTHER_TEAMS

JOBS = int(os.environ.get("MONTH_JOBS", "250"))
SEED = 7
FAULTS = Faults(lost=0.05, twice=0.1, late=900)
EVERYBODY = (*TEAMS, OTHER_TEAMS)
SPAN = int(MONTH.total_seconds()) + 2 * DAY
FIRST = int(START.timestamp()) // DAY * DAY
ASKED = range(FIRST, FIRST + SPAN)
Numbers = Mapping[str, Mapping[int, float]]
"""By label, the values by the second in which their period begins."""


class Stored:
    """What was published, as CloudWatch answers for it."""

    def __init__(self, data: Sequence[Datum]) -> None:
        self._values: defaultdict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        for datum in data:
            [(_, value)] = datum.dimensions
            self._values[datum.name, value] += [(datum.timestamp, number) for number in datum.values]

    def line(self, metric: Mapping[str, Any], statistic: str, period: int, asked: range) -> Line:
        buckets: defaultdict[int, list[float]] = defaultdict(list)
        origin = periods(asked, period).start
        [dimension] = metric["Dimensions"][:1]
        for at, number in self._values[metric["MetricName"], str(dimension["Value"])]:
            buckets[int((at - origin) // period) * period + origin].append(number)
        points = {at: _statistic(numbers, statistic) for at, numbers in sorted(buckets.items())}
        return Line(points, period, metric["MetricName"])

    def listed(self) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        yield from ()


def _statistic(numbers: Sequence[float], statistic: str) -> float:
    if statistic.startswith("p"):
        return percentile(numbers, int(statistic[1:]))
    return {"Sum": sum(numbers), "SampleCount": float(len(numbers)), "Maximum": max(numbers)}[statistic]


def percentile(numbers: Sequence[float], percent: int) -> float:
    return numbers[0] if len(numbers) == 1 else quantiles(numbers, n=100, method="inclusive")[percent - 1]


def shown(body: Mapping[str, Any], data: Sequence[Datum]) -> dict[str, Numbers]:
    """What every widget with metrics shows, by its title."""
    found: dict[str, Numbers] = {}
    for widget in body["widgets"]:
        if widget["type"] == "metric":
            queries = Queries(Stored(data), [row.query for row in rows(widget["properties"], SPAN)], ASKED)
            found[widget["properties"]["title"]] = {line.label: line.points for _, line in queries.results()}
    return found


def expected(items: Sequence[Told], teams: Sequence[str]) -> dict[str, Numbers]:
    """The same from the simulator's records: totals of the whole time, and values by day."""
    days = [range(day, day + DAY) for day in periods(ASKED, DAY)]
    spot = {"saved, %": saved_percent, "saved, US$": saved_usd}
    outcomes = {name: summed(name) for name in ("completed", "failed", "stopped")}
    pools = {name: summed(name) for name in ("idle", "avoided", "would avoid")}
    starts = {"warm, %": hit_rate, "warm": counted("warm"), "cold": counted("cold")}
    money = {"on demand it would be": summed("on demand"), "billed": summed("billed")}
    widgets = {
        "Jobs that ended": (outcomes, [ASKED]),
        "Managed spot": (spot, [ASKED]),
        "Warm pools, US$": (pools, [ASKED]),
        "Starts": (starts, [ASKED]),
        "Jobs by outcome, each day": (outcomes, days),
        "Managed spot saved, each day": ({"saved, %": saved_percent}, days),
        "Managed spot, US$ each day": (money, days),
        "Warm pools, US$ each day": (pools, days),
        "Cold start, each day": (latency("cold", teams), days),
        "Warm start, each day": (latency("warm", teams), days),
        "Warm starts of all starts, each day": ({"warm, %": hit_rate}, days),
    }
    mine = [item for item in items if item.team in teams]
    return {
        title: {
            label: {
                span.start: value
                for span in spans
                if (value := compute([item for item in mine if item.day in span])) is not None
            }
            for label, compute in labels.items()
        }
        for title, (labels, spans) in widgets.items()
    }


def summed(name: str) -> Any:
    return lambda items: total(items, name, EVERYBODY)


def counted(name: str) -> Any:
    return lambda items: float(sum(item.name == name for item in items))


def latency(kind: str, teams: Sequence[str]) -> dict[str, Any]:
    """Nine of ten of each team; of a single one also the median."""

    def of(team: str, percent: int) -> Any:
        def compute(items: Sequence[Told]) -> float | None:
            took = [item.value for item in items if item.name == kind and item.team == team]
            return percentile(took, percent) if took else None

        return compute

    if len(teams) == 1:
        return {f"P{percent}": of(teams[0], percent) for percent in (50, 90)}
    return {f"{team} P90": of(team, 90) for team in teams}


def saved_percent(items: Sequence[Told]) -> float | None:
    trained, billed = (total(items, name, EVERYBODY) for name in ("training", "billable"))
    return max(0.0, 100 * (1 - billed / trained)) if trained else None


def saved_usd(items: Sequence[Told]) -> float:
    return max(0.0, total(items, "on demand", EVERYBODY) - total(items, "billed", EVERYBODY))


def hit_rate(items: Sequence[Told]) -> float | None:
    warm, cold = (counted(name)(items) for name in ("warm", "cold"))
    return 100 * warm / (warm + cold) if warm + cold else None


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    build()
    chosen = {"teams": {team: {} for team in TEAMS}, "notifications": {"slack": {"secret_name": "trainops/slack"}}}
    return synthesise(Settings.model_validate(chosen), tmp_path_factory.mktemp("month"))


def lived(faults: Faults) -> Month:
    month = Month.of(faults)
    month.live(arrivals(SEED, JOBS))
    return month


@pytest.fixture(scope="module")
def quiet() -> Month:
    """The month as it should be: each event once, in order."""
    return lived(Faults())


@pytest.fixture(scope="module")
def troubled() -> Month:
    """The same jobs; events are lost, repeated and overtaken, announcements repeated."""
    return lived(FAULTS)


def check(body: Mapping[str, Any], month: Month, teams: Sequence[str], titles: Sequence[str] = ()) -> int:
    """Compare every number; how many there were."""
    found, wanted = shown(body, month.data), expected(told(month.created), teams)
    compared = 0
    for title in titles or wanted:
        for label, points in wanted[title].items():
            assert {at: pytest.approx(value, rel=1e-9, abs=1e-6) for at, value in points.items()} == dict(
                found[title][label]
            ), f"{title}: {label}"
            compared += len(points)
    return compared


def test_every_number_of_the_overview_is_what_the_simulator_recorded(deployed: Deployment, quiet: Month) -> None:
    assert len(quiet.created) == JOBS
    assert check(dashboard(deployed, "overview"), quiet, EVERYBODY) > 300


@pytest.mark.parametrize("team", EVERYBODY)
def test_every_number_of_each_teams_dashboard_is_too(deployed: Deployment, quiet: Month, team: str) -> None:
    body = json.loads(json.dumps(dashboard(deployed, "team")).replace("__team__", team))
    assert check(body, quiet, [team]) > 200


def test_what_the_overview_says_of_trainops_itself_is_right_too(deployed: Deployment, quiet: Month) -> None:
    widgets = shown(dashboard(deployed, "overview"), quiet.data)
    ours = {label: sum(points.values()) for title in HEALTH for label, points in widgets[title].items()}
    interruptions = sum(step.status == "Interrupted" for job in quiet.created for step in job.transitions)
    ended_pools = sum(item.name == "ended" for item in told(quiet.created))
    assert ours["announced"] == 2 * JOBS + interruptions + ended_pools
    assert ours["delivered"] == JOBS, "of each job its end, to one channel"
    assert ours["missing from the sums"] == sum(item.name == "unknown" for item in told(quiet.created))
    assert ours["sweeps"] == (MONTH.days + 1) * 24
    quiet_ones = {"faults", "refused", "put off", "not configured", "runs cut short", "not counted"}
    assert {label: ours[label] for label in quiet_ones} == dict.fromkeys(quiet_ones, 0)


HEALTH = ("Messages and scheduled runs, per hour", "Trouble, per hour")
BY_JOB = ("Jobs that ended", "Managed spot")


def test_loss_repetition_and_overtaking_change_nothing(deployed: Deployment, quiet: Month, troubled: Month) -> None:
    body = dashboard(deployed, "overview")
    assert len(troubled.lost) > JOBS * 0.05, "something did go wrong"
    check(body, troubled, EVERYBODY, [*BY_JOB, "Warm pools, US$"])
    before, after = (shown(body, month.data) for month in (quiet, troubled))
    assert {title: before[title] for title in BY_JOB} == {
        title: {label: pytest.approx(dict(points)) for label, points in after[title].items()} for title in BY_JOB
    }
    drift = [datum.values for datum in troubled.data if datum.name == "RecountDrift"]
    assert drift == [(0.0,)] * 5


def test_a_warm_start_that_nobody_told_of_is_the_only_one_that_counts_as_cold(
    deployed: Deployment, troubled: Month
) -> None:
    """Its own start was lost, so that it was never seen in the pool, and so was the end of the job that left it."""
    wanted = expected(told(troubled.created), EVERYBODY)["Starts"]
    found = shown(dashboard(deployed, "overview"), troubled.data)["Starts"]
    missed = wanted["warm"][FIRST] - found["warm"][FIRST]
    assert missed == found["cold"][FIRST] - wanted["cold"][FIRST]
    unseen = {detail["TrainingJobName"] for detail in troubled.lost if detail["TrainingJobStatus"] == "InProgress"}
    assert 0 <= missed <= sum(job.name in unseen for job in troubled.created if job.cluster_born) / 4


def test_metrics_and_cost_are_as_synthesis_said(deployed: Deployment, quiet: Month) -> None:
    sent = {(datum.name, datum.dimensions[0][1]) for datum in quiet.data}
    foreseen = {(item.metric.value, item.dimension_value) for item in published(SERVICES, TEAMS)}
    assert sent <= foreseen
    of_teams = {pair for pair in foreseen if pair[1] in EVERYBODY}
    assert len(of_teams) == 48
    assert {name for name, _ in sent & of_teams} == {name for name, _ in of_teams}, "each of the twelve occurs"
    hours = {(datum.name, datum.dimensions, int(datum.timestamp // 3600)) for datum in quiet.data}
    cost = running_cost([deployed.foundation, deployed.operations, deployed.access], TEAMS)
    metrics = MONTHLY_USD["metric"] * len(hours) / HOURS
    fixed = MONTHLY_USD["alarm metric"] * cost.alarm_metrics + MONTHLY_USD["dashboard"] * cost.dashboards
    assert fixed < metrics + fixed < cost.ceiling_usd
    assert fixed < Decimal(20)
