"""A month of three teams: every number on both dashboards equals a recomputation from the simulator's own records.

`MONTH_JOBS=5000` is the whole month (`make month`); fewer jobs show the same in less time.
"""

import json
import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from stacks.building_blocks.layer import build
from stacks.running_cost import HOURS, MONTHLY_USD, published, running_cost
from stacks.settings import Settings
from tests.infrastructure.cloudwatch import dashboard
from tests.infrastructure.conftest import Deployment, synthesise
from tests.month.expected import EVERYBODY, expected
from tests.month.jobs import MONTH, TEAMS, arrivals
from tests.month.records import told
from tests.month.shown import FIRST, shown
from tests.month.world import SERVICES, TOLD, Faults, Month

JOBS = int(os.environ.get("MONTH_JOBS", "250"))
SEED = 7
FAULTS = Faults(lost=0.05, twice=0.1, late=900)


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
    steps = [tuple(step.status for step in pair) for job in quiet.created for pair in pairwise(job.transitions)]
    ended_pools = sum(item.name == "ended" for item in told(quiet.created))
    assert ours["announced"] == 2 * JOBS + interruptions + steps.count(("Interrupted", "Starting")) + ended_pools, (
        "each restart too"
    )
    assert ours["delivered"] == sum(job.status in TOLD for job in quiet.created), "each such end, to one channel"
    assert ours["missing from the sums"] == sum(item.name == "unknown" for item in told(quiet.created))
    assert ours["scheduled runs"] == 1 + 2 * 24 * (MONTH.days + 1), "a first walk, then a walk and a sweep each hour"
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


def test_the_only_warm_starts_that_count_as_cold_are_those_of_pools_that_nobody_had_heard_of(
    deployed: Deployment, troubled: Month
) -> None:
    """The end of the job that left the pool was found later than that of the job that took it."""
    taken_from = {job.retained.reused_by: job.name for job in troubled.created if job.retained}
    known = {record.job.name: record.took_pool for record in troubled.ledger.items.values()}
    warm = [
        job for job in troubled.created if job.cluster_born and any(s.status == "Training" for s in job.transitions)
    ]
    missed = [job.name for job in warm if not known[job.name]]
    assert all(troubled.heard[taken_from[name]] >= troubled.heard[name] for name in missed)
    unseen = {detail["TrainingJobName"] for detail in troubled.lost if detail["TrainingJobStatus"] == "InProgress"}
    assert len(missed) <= sum(job.name in unseen for job in warm) / 4
    wanted = expected(told(troubled.created), EVERYBODY)["Starts"]
    found = shown(dashboard(deployed, "overview"), troubled.data)["Starts"]
    assert wanted["warm"][FIRST] - found["warm"][FIRST] == len(missed) == found["cold"][FIRST] - wanted["cold"][FIRST]


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
