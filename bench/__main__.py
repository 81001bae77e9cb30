"""The command line of the measurements: `python -m bench --help`."""

import json
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "lambdas"), str(ROOT / "cli")]  # what is measured, installed or not

from bench.acknowledgement import measure_acknowledgement  # noqa: E402
from bench.fleet import measure_fleet  # noqa: E402
from bench.initialisation import measure_initialisation  # noqa: E402
from bench.keep_alive import measure_keep_alive  # noqa: E402
from bench.latency import measure_latency  # noqa: E402
from bench.machine import context  # noqa: E402
from bench.report import page  # noqa: E402
from bench.sizes import measure_sizes  # noqa: E402
from local.problems import LaptopError  # noqa: E402

RESULTS = Path(__file__).with_name("results.json")
STARTS, JOBS = 15, 20
console = Console()


class Part(StrEnum):
    """What can be measured alone."""

    INIT = "init"
    SIZES = "sizes"
    LATENCY = "latency"
    ACKNOWLEDGEMENT = "acknowledgement"
    FLEET = "fleet"
    KEEP_ALIVE = "keep-alive"


def bench(
    only: Annotated[
        Part | None, typer.Option(help="Measure this part alone; the page keeps what it has of the others.")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            min=1, help=f"Starts of each function, and jobs per state. Default: {STARTS} starts, {JOBS} jobs."
        ),
    ] = None,
    interpreter: Annotated[
        Path,
        typer.Option(
            help="The Python that functions are started with, for instance a 3.13 as in Lambda.",
            exists=True,
            dir_okay=False,
            show_default=".venv-local/bin/python",
        ),
    ] = ROOT / ".venv-local/bin/python",
    trace: Annotated[
        Path | None,
        typer.Option(
            envvar="TRACE", help="A job history for the keep-alive policies, as for trainops replay.", exists=True
        ),
    ] = None,
) -> None:
    """Measure start-up, sizes, latency, simulator and keep-alive policies; writes bench/results.md and results.json.

    All of it takes about ten minutes. Do nothing else meanwhile: times are only as quiet as the machine.
    """
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    with console.status("") as status:
        measures: dict[Part, tuple[str, Callable[[], dict[str, Any]]]] = {
            Part.INIT: (
                "initialisation",
                lambda: measure_initialisation(interpreter.absolute(), runs or STARTS, status.update),
            ),
            Part.SIZES: ("sizes", measure_sizes),
            Part.LATENCY: ("latency", lambda: measure_latency(runs or JOBS, status.update)),
            Part.ACKNOWLEDGEMENT: (
                "acknowledgement",
                lambda: measure_acknowledgement(interpreter.absolute(), runs or JOBS, status.update),
            ),
            Part.FLEET: ("fleet", lambda: measure_fleet(status.update)),
            Part.KEEP_ALIVE: (
                "keep_alive",
                lambda: measure_keep_alive(trace, results.get("keep_alive", {}), status.update),
            ),
        }
        for part, (name, measure) in measures.items():
            if only in (None, part):
                results[name] = context() | measure()
                RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
                RESULTS.with_suffix(".md").write_text(page(results), encoding="utf-8")
                console.print(f"{name}: measured")
    console.print("see bench/results.md")


if __name__ == "__main__":
    try:
        typer.run(bench)
    except LaptopError as error:
        sys.exit(f"error: {error}")
