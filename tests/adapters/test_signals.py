"""What a function publishes: counts by service, figures of warm pools by team as well, never by job."""

import json
from decimal import Decimal
from typing import Any

import pytest

from trainops.adapters.signals import Signals
from trainops.telemetry import Metric, Outcome


def published(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    return [line for line in lines if "_aws" in line]


def test_figures_are_published_by_team_each_team_for_itself(capsys: pytest.CaptureFixture[str]) -> None:
    signals = Signals()
    figures = {"vision": {Metric.AVOIDED_USD: Decimal("2.3467")}, "language": {Metric.POOLS_OVER: Decimal(1)}}
    signals.outcome(Outcome("why", {Metric.ANNOUNCED: 1}, "job-1", figures=figures))
    signals.flush()
    vision, language, counts = published(capsys)
    assert (vision["team"], vision["AvoidedUsd"], vision["service"]) == ("vision", [2.3467], "test")
    assert (language["team"], language["PoolsOver"]) == ("language", [1.0])
    [dimensions] = vision["_aws"]["CloudWatchMetrics"][0]["Dimensions"]
    assert sorted(dimensions) == ["service", "team"]
    assert "team" not in counts
    assert "job-1" not in json.dumps([vision, language, counts])
