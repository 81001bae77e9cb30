"""`trainops pause` and `resume` against SSM as moto plays it, and the functions' own reading of the switch."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.builders import REGION
from tests.cli.operated import SWITCH, operated
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops_cli.main import app


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with operated(monkeypatch) as session:
        yield session


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [*arguments, "--region", REGION])
    return result.exit_code, result.stdout, result.stderr


def value(account: Any) -> str:
    return str(account.client("ssm").get_parameter(Name=SWITCH)["Parameter"]["Value"])


def stopped(account: Any) -> bool:
    return SsmKillSwitch.of(account.client("ssm"), SWITCH).is_on()


def test_pause_stops_the_functions_and_says_what_and_by_whom(account: Any) -> None:
    assert not stopped(account)
    code, said, _ = run("pause", "--reason", "storm in channel")
    assert code == 0
    assert stopped(account)
    assert value(account).startswith("paused by arn:aws:sts::123456789012:")
    assert value(account).endswith(" UTC: storm in channel")
    assert value(account) in said
    assert "no message is sent, no warm pool is ended, held or extended, no button does\nanything" in said


def test_a_second_pause_leaves_the_first_ones_name(account: Any) -> None:
    run("pause", "--reason", "first")
    before = value(account)
    code, said, _ = run("pause", "--reason", "second")
    assert (code, value(account)) == (0, before)
    assert "was paused already and stays so: paused by" in said
    assert "first" in said


def test_resume_starts_the_functions_and_says_who_had_paused(account: Any) -> None:
    run("pause", "--reason", "storm")
    code, said, _ = run("resume")
    assert (code, value(account)) == (0, "off")
    assert not stopped(account)
    assert "It was on: paused by arn:aws:sts::123456789012:" in said
    assert "nothing was changed" in run("resume")[1]


def test_a_switch_that_was_deleted_is_an_error_that_says_how_to_put_it_back(account: Any) -> None:
    account.client("ssm").delete_parameter(Name=SWITCH)
    code, _, error = run("pause")
    assert code == 2
    assert f"aws ssm put-parameter --name {SWITCH} --type String --value off" in error


def test_a_reason_that_is_too_long_is_refused_before_anything_is_changed(account: Any) -> None:
    code, _, error = run("pause", "--reason", "x" * 501)
    assert (code, value(account)) == (2, "off")
    assert "--reason has 501 characters; accepted: at most 500" in error
