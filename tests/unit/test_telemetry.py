"""The vocabulary of metrics: few names, few dimensions, nothing that nobody publishes."""

from pathlib import Path

import pytest

from trainops import telemetry
from trainops.telemetry import OTHER_TEAMS, SENDERS, Field, Metric, TeamMetric, counted_team, metric_count

LAMBDAS = Path(telemetry.__file__).parents[1]
PRODUCT = {path: path.read_text(encoding="utf-8") for path in LAMBDAS.rglob("*.py") if path.name != "telemetry.py"}


def test_at_most_twelve_metrics_are_about_jobs_and_money() -> None:
    assert len(TeamMetric) <= 12


def test_each_signal_names_the_functions_that_publish_it_and_they_exist() -> None:
    assert set(SENDERS) == set(Metric)
    functions = {path.stem for path in (LAMBDAS / "handlers").glob("*.py")}
    assert {sender for senders in SENDERS.values() for sender in senders} <= functions


@pytest.mark.parametrize("name", [*TeamMetric, *Metric, *Field], ids=str)
def test_every_name_is_published_somewhere(name: TeamMetric | Metric | Field) -> None:
    spelled = f"{type(name).__name__}.{name.name}"
    assert any(spelled in text for text in PRODUCT.values()), f"{spelled} is published by nobody"


def test_no_name_means_two_things() -> None:
    names = [*TeamMetric, *Metric, *Field]
    assert len({str(name) for name in names}) == len(names)


@pytest.mark.case("MX-01")
@pytest.mark.case("MX-02")
def test_a_thousand_team_tags_are_no_more_metrics_than_the_settings_name_teams() -> None:
    configured = ("vision", "language")
    tags = [f"team-{number}" for number in range(1000)] + ["vision"]
    assert {counted_team(tag, configured) for tag in tags} == {"vision", OTHER_TEAMS}
    assert metric_count(configured) == 3 * 12 + sum(map(len, SENDERS.values()))
    assert metric_count(configured) - metric_count(("vision",)) == 12


def test_what_functions_say_of_themselves_stays_few() -> None:
    assert metric_count(()) - 12 <= 56


def test_seconds_are_seconds_and_money_has_no_unit() -> None:
    assert TeamMetric.COLD_START.unit == "Seconds"
    assert TeamMetric.SPOT_BILLED_USD.unit == "None"
    assert TeamMetric.JOBS_FAILED.unit == "Count"
