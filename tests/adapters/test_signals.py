"""What a function publishes: signals by service, figures by team alone, never by job."""

import json
from decimal import Decimal
from typing import Any

import pytest

from trainops.adapters.signals import Signals
from trainops.outcomes import Figures, Outcome
from trainops.telemetry import Field, Metric, TeamMetric


def logged(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


def dimensions(line: dict[str, Any]) -> list[list[str]]:
    return line["_aws"]["CloudWatchMetrics"][0]["Dimensions"]  # type: ignore[no-any-return]


@pytest.mark.case("MX-01")
def test_figures_are_metrics_by_team_alone_and_the_job_is_a_field(capsys: pytest.CaptureFixture[str]) -> None:
    signals = Signals()
    figures: Figures = {
        TeamMetric.AVOIDED_POOL_USD: Decimal("2.3467"),
        Field.AVOIDED_HOURS: Decimal("0.5"),
        Field.SPOT: True,
    }
    signals.outcome(Outcome("why", {Metric.ANNOUNCED: 1}, "job-1", figures={"vision": figures}))
    signals.flush()
    vision, counts = [line for line in logged(capsys) if "_aws" in line]
    assert (vision["team"], vision["AvoidedPoolUsd"], vision["job"]) == ("vision", [2.3467], "job-1")
    assert (vision["avoided_instance_hours"], vision["spot"]) == (0.5, True)
    assert (dimensions(vision), dimensions(counts)) == ([["team"]], [["service"]])
    [metric] = vision["_aws"]["CloudWatchMetrics"][0]["Metrics"]
    assert metric == {"Name": "AvoidedPoolUsd", "Unit": "None"}


def test_figures_without_a_metric_are_a_line_of_fields(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    signals = Signals()
    signals.outcome(Outcome("why", figures={"vision": {Field.POOLS_AVAILABLE: 2}}))
    signals.flush()
    assert not [line for line in logged(capsys) if "_aws" in line]
    assert vars(caplog.records[-1]).items() >= {"team": "vision", "pools_available": 2}.items()


def test_what_no_alarm_needs_is_a_field_of_the_line_that_says_why(caplog: pytest.LogCaptureFixture) -> None:
    signals = Signals()
    signals.outcome(Outcome("not sent", {Field.SUPPRESSED: 1}))
    [line] = caplog.records
    assert (line.getMessage(), vars(line)["suppressed"]) == ("not sent", 1)
