"""The example notebooks are kept as they ran: whole, without an error, and without a trace of the machine."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES = ("spot_object_detection", "warm_pools")
MACHINE = re.compile(r"/tmp/|/root|/home/|/Users/|127\.0\.0\.1|localhost")  # noqa: S108 - sought, not used


def cells(name: str) -> list[dict[str, Any]]:
    """The code cells of a notebook."""
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def printed(name: str) -> str:
    """What all cells print."""
    outputs = [output for cell in cells(name) for output in cell["outputs"] if output["output_type"] == "stream"]
    return "".join(line for output in outputs for line in output["text"])


def test_these_are_the_notebooks() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_ran_once_in_order(name: str) -> None:
    counts = [cell["execution_count"] for cell in cells(name)]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_no_output_is_an_error_a_warning_or_a_trace_of_the_machine(name: str) -> None:
    for cell in cells(name):
        for output in cell["outputs"]:
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr", output
            assert not MACHINE.search(json.dumps({**output, "data": {**output.get("data", {}), "image/png": ""}}))


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_picture(name: str) -> None:
    assert any("image/png" in output.get("data", {}) for cell in cells(name) for output in cell["outputs"])


def test_the_printed_savings_are_what_the_printed_seconds_say() -> None:
    text = printed("spot_object_detection")
    training, billable = (int(re.findall(rf"{word} seconds: +(\d+)", text)[0]) for word in ("Training", "Billable"))
    [savings] = re.findall(r"savings: +([\d.]+) %", text)
    assert float(savings) == pytest.approx((1 - billable / training) * 100, abs=0.05)
