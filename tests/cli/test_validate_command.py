"""`trainops validate` reads requests as people keep them, says what is wrong, and answers by its exit status."""

import json
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from moto import mock_aws
from typer.testing import CliRunner, Result

from tests.cli.requests import GOOD
from tests.team_facts import document
from trainops_cli.main import app

WAITING = GOOD | {"StoppingCondition": {"MaxRuntimeInSeconds": 7200, "MaxWaitTimeInSeconds": 7200}}
UNSTATED = GOOD | {"StoppingCondition": {}}


def run(*arguments: object) -> Result:
    """`trainops validate …`."""
    return CliRunner().invoke(app, ["validate", *(str(argument) for argument in arguments)])


def written(folder: Path, name: str, content: Any) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_requests_in_order_are_silent_and_succeed(tmp_path: Path) -> None:
    result = run(written(tmp_path, "a.json", GOOD), written(tmp_path, "b.yaml", yaml.safe_dump(GOOD)))
    assert (result.exit_code, result.output) == (0, "")


def test_json_indented_with_tabs_is_read(tmp_path: Path) -> None:
    assert run(written(tmp_path, "job.json", json.dumps(GOOD, indent="\t"))).output == ""


@pytest.mark.case("SP-10")
def test_what_would_be_refused_fails_with_file_place_and_remedy(tmp_path: Path) -> None:
    path = written(tmp_path, "job.json", WAITING)
    result = run(written(tmp_path, "good.json", GOOD), path)
    assert result.exit_code == 1
    first, second = result.output.splitlines()
    assert first == str(path)
    assert "StoppingCondition.MaxWaitTimeInSeconds = 7200" in second
    assert "EnableManagedSpotTraining" in second


def test_warnings_pass_unless_strict(tmp_path: Path) -> None:
    path = written(tmp_path, "job.json", UNSTATED)
    assert run(path).exit_code == 0
    assert "max-run-not-stated" in run(path).output
    assert run(path, "--strict").exit_code == 1


def test_several_requests_in_a_file_are_numbered(tmp_path: Path) -> None:
    listed = written(tmp_path, "jobs.json", [GOOD, WAITING])
    documents = written(tmp_path, "jobs.yaml", yaml.safe_dump_all([WAITING, GOOD]))
    assert f"{listed} #2" in run(listed).output
    assert f"{documents} #1" in run(documents).output


def test_json_is_a_list_of_findings_with_their_file(tmp_path: Path) -> None:
    path = written(tmp_path, "job.json", WAITING)
    [row] = json.loads(run(path, "--json").stdout)
    assert (row["file"], row["rule"], row["value"]) == (str(path), "max-wait-without-spot", 7200)
    assert json.loads(run(written(tmp_path, "good.json", GOOD), "--json").stdout) == []


def test_a_teams_limits_come_from_a_file_without_a_call(tmp_path: Path) -> None:
    path = written(tmp_path, "job.json", GOOD)
    result = run(path, "--facts", written(tmp_path, "facts.json", document()))
    assert result.exit_code == 1
    assert "role-of-another-team" in result.output


def test_a_teams_limits_come_from_its_deployment(tmp_path: Path) -> None:
    path = written(tmp_path, "job.json", GOOD)
    with mock_aws():
        boto3.client("ssm").put_parameter(Name="/ops/teams/vision", Value=json.dumps(document()), Type="String")
        result = run(path, "--team", "vision", "--deployment", "ops")
    assert "role-of-another-team" in result.output


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "expected"), ("3", "CreateTrainingJob"), ("", "holds no request"), ("\x00", "special characters")],
)
def test_a_file_without_a_request_is_status_2_and_named(tmp_path: Path, content: str, said: str) -> None:
    path = written(tmp_path, "job.json", content)
    result = run(path)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert said in result.stderr


def test_an_unknown_team_is_status_2_and_says_what_to_do(tmp_path: Path) -> None:
    with mock_aws():
        result = run(written(tmp_path, "job.json", GOOD), "--team", "vison")
    assert result.exit_code == 2
    assert "/trainops/teams/vison" in result.stderr


def test_a_lookup_that_cannot_be_made_is_status_2_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    result = run(written(tmp_path, "job.json", GOOD), "--team", "vision")
    assert result.exit_code == 2
    assert "You must specify a region" in result.stderr


def test_unreadable_facts_are_status_2_and_named(tmp_path: Path) -> None:
    facts = written(tmp_path, "facts.json", {"version": 7})
    result = run(written(tmp_path, "job.json", GOOD), "--facts", facts)
    assert result.exit_code == 2
    assert str(facts) in result.stderr
