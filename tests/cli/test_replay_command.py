"""`trainops replay` as a person or a script runs it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from trainops_cli.main import app
from trainops_cli.replay.pricing import given_prices
from trainops_cli.replay.quota import Quota, Spell, quotas

ROWS = "submit_s,duration_s,instance_type\n" + "".join(f"{at},100,ml.g5.xlarge\n" for at in range(0, 90_000, 420))


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Jobs of 120 s that follow each other after 300 s."""
    path = tmp_path / "jobs.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def replayed(*arguments: str | Path, columns: int = 200) -> Result:
    return CliRunner(env={"COLUMNS": str(columns), "TERM": "dumb"}).invoke(
        app, ["replay", "--workers", "1", *map(str, arguments)]
    )


def test_json_has_every_policys_figures_and_nothing_else_is_printed(trace: Path) -> None:
    result = replayed("--trace", trace, "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert [entry["policy"] for entry in told["policies"]] == ["none", "fixed", "break-even", "histogram"]
    assert {"policy", "mean_ratio", "worst_ratio", "idle_hours", "cold_starts", "waiting_hours_saved"} <= set(
        told["policies"][0]
    )
    none, fixed, _, histogram = told["policies"]
    assert (none["cold_starts"], none["idle_hours"], none["waiting_hours_saved"]) == (215, 0, 0)
    assert fixed["cold_starts"] == histogram["cold_starts"] == 1
    assert fixed["waiting_hours_saved"] == pytest.approx(214 * 140 / 3600, abs=0.01)
    assert histogram["mean_ratio"] < fixed["mean_ratio"]


def test_the_table_fits_eighty_columns_and_says_what_it_rests_on(trace: Path) -> None:
    result = replayed("--trace", trace, columns=80)
    assert max(map(len, result.stdout.splitlines()[:9])) <= 80
    assert "\N{HORIZONTAL ELLIPSIS}" not in result.stdout
    assert "215 jobs for 1 kind of pool over 1 d" in result.stdout
    assert "An hour of waiting is worth $60.00; a warm start saves 2 min 20 s (assumed)." in result.stdout
    assert "Warm-pool quota for histogram, enough for 99 % of the time with pools: 1 ml.g5.xlarge." in result.stdout


def test_without_a_trace_made_up_jobs_are_replayed() -> None:
    told = json.loads(replayed("--days", "2", "--seed", "7", "--json").stdout)
    assert told["trace"] == "synthetic, seed 7, 2 days"
    assert told["unpriced_jobs"] == 0


def test_a_type_without_a_price_is_counted_until_one_is_given(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("submit_s,duration_s,instance_type\n0,1,ml.x9.huge\n60,1,ml.x9.huge\n", encoding="utf-8")
    unknown = json.loads(replayed("--trace", path, "--json").stdout)
    assert (unknown["unpriced_jobs"], unknown["policies"][0]["ratio"]) == (2, None)
    assert "2 jobs have no price and are not in any dollar amount" in replayed("--trace", path).stdout
    known = json.loads(replayed("--trace", path, "--json", "--price", "ml.x9.huge=36").stdout)
    assert (known["unpriced_jobs"], known["policies"][0]["cost_usd"]) == (0, pytest.approx(2 * 140 / 60, abs=0.01))


def test_a_worthless_hour_of_waiting_makes_every_pool_a_waste(trace: Path) -> None:
    told = json.loads(replayed("--trace", trace, "--json", "--waiting-value", "0").stdout)
    assert {entry["policy"]: entry["cost_usd"] for entry in told["policies"]}["none"] == 0


def test_what_every_job_asks_for_can_be_said(trace: Path) -> None:
    told = json.loads(replayed("--trace", trace, "--json", "--asked", "4").stdout)
    assert {entry["cold_starts"] for entry in told["policies"]} == {215}


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_is_written(trace: Path, tmp_path: Path, ending: str) -> None:
    picture = tmp_path / f"replay.{ending}"
    result = replayed("--trace", trace, "--plot", picture)
    assert result.exit_code == 0
    assert f"wrote {picture}" in result.stderr
    assert picture.read_bytes().startswith(b"\x89PNG" if ending == "png" else b"<?xml")


def test_a_bad_row_is_an_error_that_names_line_column_and_accepted_form(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("submit_s,duration_s\n0,soon\n", encoding="utf-8")
    result = replayed("--trace", path)
    assert result.exit_code == 2
    assert "jobs.csv: 1 fault" in result.stderr
    assert "line 2, duration_s: given 'soon'; accepted: seconds, 0 or more" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "accepted"),
    [
        (("--price", "ml.g5.xlarge"), "accepted: TYPE=USD per instance-hour"),
        (("--price", "g5=1"), "accepted: TYPE=USD per instance-hour"),
        (("--plot", "replay.gif"), "accepted: a file that ends in .png, .svg, .pdf"),
        (("--trace", "nowhere.csv"), "does not exist"),
    ],
)
def test_an_option_that_cannot_be_read_says_what_is_accepted(arguments: tuple[str, str], accepted: str) -> None:
    result = replayed(*arguments)
    assert result.exit_code == 2
    assert accepted in result.stderr


def test_help_tells_both_kinds_of_trace_and_gives_an_example() -> None:
    result = replayed("--help", columns=120)
    for said in ("jsonl", "duration_s", "keep_alive_s", "trainops replay --trace", "--waiting-value"):
        assert said in result.stdout


def test_given_prices_are_exact() -> None:
    assert {kind: str(usd) for kind, usd in given_prices(["ml.a=1.10", "ml.b=2"]).items()} == {
        "ml.a": "1.10",
        "ml.b": "2",
    }


def test_the_quota_is_what_is_enough_for_nearly_all_of_the_time_with_pools() -> None:
    spells = {
        "ml.g5.xlarge": [Spell(0.0, 1000.0, 1), Spell(500.0, 505.0, 3)],
        "ml.m5.large": [Spell(0.0, 10.0, 2), Spell(10.0, 30.0, 2)],
    }
    assert quotas(spells) == (Quota("ml.g5.xlarge", 1, 4), Quota("ml.m5.large", 2, 2))
    assert quotas({}) == ()
    assert quotas({"ml.a": [Spell(5.0, 5.0, 9)]}) == (Quota("ml.a", 0, 0),)
