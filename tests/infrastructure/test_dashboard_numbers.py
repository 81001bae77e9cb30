"""What the dashboards and saved queries come to for a made-up day, by the local AWS's metric math and Logs Insights."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from local.log_queries.queries import run
from local.log_queries.records import record_of
from local.metrics.lines import Line
from local.metrics.queries import Queries
from local.page.metric_arrays import rows
from stacks.dashboards import questions
from stacks.dashboards.questions import SAVED, Question
from stacks.dashboards.team import SHOWN
from tests.infrastructure.cloudwatch import dashboard
from tests.infrastructure.conftest import Deployment
from trainops.telemetry import Field, TeamMetric

DAY = 86400
VISION = {
    TeamMetric.JOBS_COMPLETED: 8,
    TeamMetric.SPOT_TRAINING: 1000,
    TeamMetric.SPOT_BILLABLE: 1200,  # its interruptions cost more than spot saved
    TeamMetric.SPOT_ON_DEMAND_USD: 10,
    TeamMetric.SPOT_BILLED_USD: 12,
    TeamMetric.COLD_START: 4,
}
OTHERS = {
    TeamMetric.JOBS_COMPLETED: 1,
    TeamMetric.SPOT_TRAINING: 3000,
    TeamMetric.SPOT_BILLABLE: 800,
    TeamMetric.SPOT_ON_DEMAND_USD: 30,
    TeamMetric.SPOT_BILLED_USD: 8,
    TeamMetric.COLD_START: 1,
    TeamMetric.WARM_START: 5,
    TeamMetric.IDLE_POOL_USD: 7,
}


class OneDay:
    """Each team's sums, or sample counts, of a day."""

    def __init__(self, teams: Mapping[str, Mapping[TeamMetric, float]]) -> None:
        self._teams = teams

    def line(self, metric: Mapping[str, Any], statistic: str, period: int, asked: range) -> Line:
        team = metric["Dimensions"][0]["Value"]
        found = self._teams[team].get(metric["MetricName"])
        return Line({} if found is None else {asked.start: found}, period, metric["MetricName"])

    def listed(self) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        yield from ()


def numbers(deployment: Deployment, kind: str, teams: Mapping[str, Mapping[TeamMetric, float]]) -> dict[str, float]:
    """What the row of numbers at the top says, by label; what says nothing is left out."""
    top = [widget for widget in dashboard(deployment, kind)["widgets"] if widget["type"] == "metric"][:4]
    found: dict[str, float] = {}
    for widget in top:
        queries = Queries(OneDay(teams), [row.query for row in rows(widget["properties"], DAY)], range(DAY))
        found |= {line.label: line.points[0] for _, line in queries.results() if line.points}
    return found


def test_a_fleets_savings_are_those_of_its_sums_and_not_the_mean_of_its_teams(full: Deployment) -> None:
    shown = numbers(full, "overview", {"vision": VISION, "default": OTHERS})
    assert shown["saved, %"] == pytest.approx(100 * (1 - 2000 / 4000)), "the mean of -20 % and 73 % would be 27 %"
    assert shown["saved, US$"] == pytest.approx(20)
    assert shown["completed"] == 9
    assert shown["idle"] == 7
    assert shown["warm of all, %"] == 50


def test_a_team_that_spot_cost_more_is_shown_as_saving_nothing_and_its_cold_starts_as_no_hit(full: Deployment) -> None:
    shown = numbers(full, "team", {SHOWN: VISION})
    assert (shown["saved, %"], shown["saved, US$"], shown["warm of all, %"]) == (0, 0, 0)
    assert (shown["warm"], shown["cold"]) == (0, 4)


def test_without_a_job_there_is_no_percentage_to_show(full: Deployment) -> None:
    shown = numbers(full, "team", {SHOWN: {}})
    assert not {"saved, %", "warm of all, %"} & shown.keys()
    assert shown["completed"] == 0


def job(name: str, **fields: object) -> str:
    return json.dumps({"job": name, "team": "vision", Field.INSTANCE_TYPE: "ml.g5.xlarge", **fields})


LINES = [
    job(
        "a",
        failure_class="out-of-memory",
        status="Failed",
        cost_usd=2,
        start_seconds=100,
        start="cold",
        input_mode="File",
    ),
    job(
        "b",
        failure_class="out-of-memory",
        status="Failed",
        cost_usd=9,
        start_seconds=300,
        start="cold",
        input_mode="File",
    ),
    job("c", training_seconds=100, billable_seconds=40, savings_percent=60, interruptions=2, wasted_seconds=3600),
    job("d", training_seconds=300, billable_seconds=60, savings_percent=80, interruptions=0, overrun_seconds=0),
    job("e", training_seconds=100, billable_seconds=130, savings_percent=0, overrun_seconds=30),
    job("f", unknown="price of ml.g5.xlarge"),
    *(
        json.dumps({"quota": "warm", "state": state, "used": 2, "value": 8, "wanted": 8})
        for state in ("deferred", "enough")
    ),
    job("g", pools_over=1, pools_reused=0, idle_instance_hours=2.5),
]


def asked(question: Question) -> list[dict[str, str]]:
    records = [record_of(line, float(at), "group", "stream") for at, line in enumerate(LINES)]
    return run("\n| ".join(question.lines), records)


@pytest.mark.parametrize("question", SAVED, ids=lambda question: question.name)
def test_every_saved_query_is_one_and_finds_something(question: Question) -> None:
    lines = [line.replace("NAME-OF-THE-JOB", "a") for line in question.lines]
    assert asked(Question(question.name, lines))


def test_the_answers_are_right() -> None:
    assert asked(questions.FAILURES) == [{"failure_class": "out-of-memory", "jobs": "2"}]
    assert [row["job"] for row in asked(questions.LAST_FAILURES)] == ["b", "a"]
    assert [row["job"] for row in asked(questions.DEAREST)] == ["b", "a"]
    assert [row["job"] for row in asked(questions.SPOT_OVERRUN)] == ["e"]
    [by_type] = asked(questions.SPOT_BY_TYPE)
    assert float(by_type["saved_percent"]) == pytest.approx(100 * (1 - 230 / 500))
    assert (by_type["interruptions"], by_type["hours_wasted"]) == ("2", "1")
    [pools] = asked(questions.POOLS)
    assert (pools["pools"], pools["reused"], pools["idle_instance_hours"]) == ("1", "0", "2.5")
    [missing] = asked(questions.MISSING)
    assert missing["unknown"] == "price of ml.g5.xlarge"
    [quota] = asked(questions.QUOTAS)
    assert (quota["stands"], quota["in_use"], quota["granted"]) == ("enough", "2", "8")
