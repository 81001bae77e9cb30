"""`trainops latency` against a ledger as moto plays it."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import NoCredentialsError
from typer.testing import CliRunner

from tests.adapters.ledger_table import TABLE, table
from tests.builders import at, job, record
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.domain.start_latency import Start
from trainops_cli.main import app
from trainops_cli.why.ledger import Deployment

ALL = ("--days", "3650")


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with table() as client:
        monkeypatch.setattr(Deployment, "found", lambda _name, _region: Deployment(client, TABLE, "stack"))
        yield client


def counted(dynamodb: Any, name: str, start: Start | None) -> None:
    known = DynamoLedger(LedgerTable(dynamodb, TABLE)).put_job(record(job(name), "Finished/Completed", version=0))
    DynamoJobCounts(LedgerTable(dynamodb, TABLE)).count_once(known.job.key, at(30), start)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["latency", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_each_input_mode_has_its_cold_and_warm_starts(dynamodb: Any) -> None:
    for number, (seconds, warm) in enumerate(((100, False), (200, False), (30, True))):
        counted(dynamodb, f"job-{number}", Start(timedelta(seconds=seconds), warm, "File"))
    counted(dynamodb, "never-trained", None)
    code, said, _ = run(*ALL, "--json")
    assert code == 0
    assert json.loads(said) == [
        {"input_mode": "File", "start": "cold", "starts": 2, "p50_seconds": 150.0, "p90_seconds": 190.0},
        {"input_mode": "File", "start": "warm", "starts": 1, "p50_seconds": 30.0, "p90_seconds": 30.0},
    ]
    _, shown, _ = run(*ALL)
    assert "150 s" in shown
    assert "190 s" in shown


def test_an_account_without_measured_starts_is_told_so(dynamodb: Any) -> None:
    counted(dynamodb, "job-1", Start(timedelta(seconds=100), warm=False, input_mode="File"))
    assert run("--days", "1") == (0, "no start was measured in 1 day\n", "")


def test_what_keeps_it_from_reading_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_name: str, _region: str | None) -> Deployment:
        raise NoCredentialsError

    monkeypatch.setattr(Deployment, "found", refused)
    code, said, error = run()
    assert (code, said) == (2, "")
    assert error == "error: Unable to locate credentials\n"
