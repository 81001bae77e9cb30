"""The monthly ceiling: counted from what is made, printed at synth, refused above the budget."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from stacks.building_blocks.layer import ROOT
from stacks.deployment import synthesise
from stacks.running_cost import AS_OF, OverBudget, Published, RunningCost, published, running_cost
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, new_app
from trainops.telemetry import OTHER_TEAMS, SENDERS, Metric, TeamMetric, metric_count

TEAMS = ("vision", "language", "robotics")
BOTH = {"slack": {"secret_name": "trainops/slack"}, "email": {"recipients": ["team@b.example"]}}


def settings(**choices: Any) -> Settings:
    return Settings.model_validate({"teams": {team: {} for team in TEAMS}, **choices})


def test_the_count_is_every_name_of_the_vocabulary_with_every_value_of_its_dimension() -> None:
    everybody = {sender for senders in SENDERS.values() for sender in senders}
    assert len(published(everybody, TEAMS)) == metric_count(TEAMS)
    assert len(published((), TEAMS)) == len(TeamMetric) * 4, "three teams, and all others together"
    assert {item.metric for item in published(everybody, ())} == {*TeamMetric, *Metric}
    assert {item.dimension_value for item in published((), ())} == {OTHER_TEAMS}


def test_a_function_that_is_not_deployed_publishes_nothing(full: Deployment, empty: Deployment) -> None:
    every, without = (len(running_cost([deployment.operations], ()).published) for deployment in (full, empty))
    optional = ("slack_delivery", "topic_delivery", "chat_action", "chat_action_work", "self_check")
    assert every - without == sum(name in senders for senders in SENDERS.values() for name in optional) > 0


def test_alarms_are_billed_by_their_metrics_and_dashboards_by_the_piece(full: Deployment) -> None:
    alarms = list(full.properties("AWS::CloudWatch::Alarm"))
    over_two = [alarm for alarm in alarms if "Metrics" in alarm]
    cost = running_cost([full.foundation, full.operations, full.access], ["vision"])
    assert cost.alarm_metrics == len(alarms) + len(over_two)
    assert cost.dashboards == len(list(full.properties("AWS::CloudWatch::Dashboard"))) == 2


SOME = frozenset(
    {
        Published(Metric.WALK_CUT_SHORT, "warm_pool_sweep"),  # by a schedule
        Published(TeamMetric.JOBS_FAILED, "vision"),  # with jobs
        Published(Metric.FAULTS, "job_intake"),  # while something is wrong
    }
)


def test_the_ceiling_is_every_metric_in_every_hour_at_the_dated_list_prices() -> None:
    cost = RunningCost(SOME, alarm_metrics=7, dashboards=2)
    assert cost.ceiling_usd == 3 * Decimal("0.30") + 7 * Decimal("0.10") + 2 * Decimal(3)


def test_what_is_typical_counts_the_hours_in_which_a_metric_is_sent() -> None:
    cost = RunningCost(SOME, alarm_metrics=7, dashboards=2)
    assert cost.typical_usd == Decimal("0.30") + Decimal("0.30") * 130 / 730 + Decimal("6.70")


@pytest.mark.parametrize("teams", [0, 1, 3, 8])
def test_the_documents_say_what_slack_and_mail_cost(teams: int, tmp_path: Path) -> None:
    cost = synthesise(new_app(tmp_path), settings(notifications=BOTH, teams={f"team-{n}": {} for n in range(teams)}))
    page, readme = ((ROOT / name).read_text() for name in ("docs/cost.md", "README.md"))
    counts = f"{len(cost.published)} | {cost.alarm_metrics} | {cost.dashboards}"
    assert f"| {teams or 'none'} | {counts} | **${cost.typical_usd:.2f}** | ${cost.ceiling_usd:.2f} |" in page
    if teams == 3:
        assert str(cost).splitlines()[0] in page
        assert f"three teams typically ${cost.typical_usd:.0f} and at most ${cost.ceiling_usd:.0f}," in readme


def test_three_teams_typically_cost_at_most_twenty_dollars(tmp_path: Path) -> None:
    assert synthesise(new_app(tmp_path), settings(notifications=BOTH)).typical_usd <= 20


def test_a_configuration_above_the_budget_is_refused_with_what_it_comes_to(tmp_path: Path) -> None:
    cost = synthesise(new_app(tmp_path / "fits"), settings(metrics={"monthly_budget_usd": 1000}))
    exactly = float(cost.ceiling_usd)
    synthesise(new_app(tmp_path / "exact"), settings(metrics={"monthly_budget_usd": exactly}))
    with pytest.raises(OverBudget, match=re.escape(f"at most ${exactly:.2f}")) as refused:
        synthesise(new_app(tmp_path / "over"), settings(metrics={"monthly_budget_usd": exactly - 0.01}))
    assert "metrics.monthly_budget_usd" in str(refused.value)


def test_what_is_printed_says_how_many_of_each_and_that_it_is_an_estimate() -> None:
    text = str(RunningCost(SOME, alarm_metrics=7, dashboards=2))
    assert text.splitlines() == [
        "CloudWatch: 3 custom metrics, 7 metrics in alarms, 2 dashboards: typically $7.05 a month, at most $7.60",
        f"(estimates from list prices of {AS_OF}; what is typical, and the arithmetic: docs/cost.md)",
    ]
    assert (ROOT / "docs" / "cost.md").is_file()
