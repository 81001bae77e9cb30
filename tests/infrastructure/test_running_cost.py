"""The monthly ceiling: counted from what is made, printed at synth, refused above the budget."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from stacks.building_blocks.layer import ROOT
from stacks.deployment import synthesise
from stacks.running_cost import MONTHLY_USD, OverBudget, RunningCost, published, running_cost
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, new_app
from trainops.telemetry import OTHER_TEAMS, SENDERS, Metric, TeamMetric, metric_count

TEAMS = ("vision", "language", "robotics")


def settings(**choices: Any) -> Settings:
    return Settings.model_validate({"teams": {team: {} for team in TEAMS}, **choices})


def test_the_count_is_every_name_of_the_vocabulary_with_every_value_of_its_dimension() -> None:
    everybody = {sender for senders in SENDERS.values() for sender in senders}
    assert len(published(everybody, TEAMS)) == metric_count(TEAMS)
    assert len(published((), TEAMS)) == len(TeamMetric) * 4, "three teams, and all others together"
    assert {item.metric for item in published(everybody, ())} == {*TeamMetric, *Metric}
    assert {item.dimension_value for item in published((), ())} == {OTHER_TEAMS}


def test_a_function_that_is_not_deployed_publishes_nothing(full: Deployment, empty: Deployment) -> None:
    with_slack, without = (running_cost([deployment.operations], ()).metrics for deployment in (full, empty))
    slack = sum("slack_delivery" in senders for senders in SENDERS.values())
    assert with_slack - without == slack > 0


def test_alarms_are_billed_by_their_metrics_and_dashboards_by_the_piece(full: Deployment) -> None:
    alarms = list(full.properties("AWS::CloudWatch::Alarm"))
    over_two = [alarm for alarm in alarms if "Metrics" in alarm]
    cost = running_cost([full.foundation, full.operations, full.access], ["vision"])
    assert cost.alarm_metrics == len(alarms) + len(over_two)
    assert cost.dashboards == len(list(full.properties("AWS::CloudWatch::Dashboard"))) == 2


def test_the_sum_is_that_of_the_dated_list_prices() -> None:
    assert RunningCost(metrics=50, alarm_metrics=45, dashboards=2).monthly_usd == Decimal("25.50")
    assert MONTHLY_USD["metric"] == Decimal("0.30")


def test_a_configuration_above_the_budget_is_refused_with_what_it_comes_to(tmp_path: Path) -> None:
    cost = synthesise(new_app(tmp_path / "fits"), settings(metrics={"monthly_budget_usd": 1000}))
    exactly = float(cost.monthly_usd)
    synthesise(new_app(tmp_path / "exact"), settings(metrics={"monthly_budget_usd": exactly}))
    with pytest.raises(OverBudget, match=re.escape(f"at most ${exactly:.2f} a month")) as refused:
        synthesise(new_app(tmp_path / "over"), settings(metrics={"monthly_budget_usd": exactly - 0.01}))
    assert "metrics.monthly_budget_usd" in str(refused.value)


def test_what_is_printed_says_how_many_of_each_and_that_it_is_an_estimate() -> None:
    text = str(RunningCost(metrics=50, alarm_metrics=45, dashboards=2))
    assert text == (
        "CloudWatch: 50 custom metrics, 45 metrics in alarms, 2 dashboards: at most $25.50 a month "
        "(estimate, list prices of 2026-05, docs/cost.md)"
    )
    assert (ROOT / "docs" / "cost.md").is_file()
