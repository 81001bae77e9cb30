"""How large a warm-pool quota must be for the warm starts that past jobs had."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from trainops_cli.main import app
from trainops_cli.replay.quota import Spell, smallest, warm_starts

NIGHT = [Spell(0, 10, 2, taken=True), Spell(1, 5, 1), Spell(2, 8, 1, taken=True), Spell(10, 20, 3, taken=True)]
"""Three warm starts; at most four instances at a time."""


@pytest.mark.parametrize(("quota", "kept"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (9, 3)])
def test_a_pool_that_does_not_fit_is_not_kept_and_its_warm_start_is_lost(quota: int, kept: int) -> None:
    assert warm_starts(NIGHT, quota) == kept


@pytest.mark.parametrize(("share", "quota"), [(0, 0), (0.3, 2), (0.6, 3), (0.95, 4), (1, 4)])
def test_the_smallest_quota_keeps_the_share_of_warm_starts(share: float, quota: int) -> None:
    assert smallest(NIGHT, share) == quota


def test_without_a_warm_start_no_quota_is_needed() -> None:
    assert smallest([Spell(0, 10, 2)], 0.99) == 0
    assert smallest([], 0.99) == 0


def test_the_command_sizes_each_type_from_a_trace(tmp_path: Path) -> None:
    rows = [f"{n * 400},{300},vision,a,ml.g5.xlarge,{2},3600" for n in range(20)]
    head = "submit_s,duration_s,team,fingerprint,instance_type,instance_count,keep_alive_s"
    trace = tmp_path / "jobs.csv"
    trace.write_text("\n".join([head, *rows]), encoding="utf-8")
    result = CliRunner().invoke(app, ["quotas", "advise", "--trace", str(trace), "--policy", "fixed"])
    assert result.exit_code == 0, result.output
    [line] = [line.split() for line in result.stdout.splitlines() if "ml.g5.xlarge" in line]
    assert line == ["ml.g5.xlarge", "19", "2", "2", "19"]


def test_a_policy_that_keeps_nothing_is_refused(tmp_path: Path) -> None:
    trace = tmp_path / "jobs.csv"
    trace.write_text("submit_s,duration_s\n0,1\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["quotas", "advise", "--trace", str(trace), "--policy", "none"])
    assert result.exit_code == 2
    assert "accepted: fixed, break-even, histogram" in result.stderr


def test_the_documented_sizes_are_those_of_the_made_up_jobs() -> None:
    result = CliRunner().invoke(app, ["quotas", "advise"], env={"COLUMNS": "120"})
    assert result.exit_code == 0, result.output
    rows = [line.split() for line in result.stdout.splitlines() if line.strip().startswith("ml.")]
    document = Path("docs/quotas.md").read_text(encoding="utf-8")
    assert len(rows) == 5
    for row in rows:
        assert f"| {' | '.join(row)} |" in document
