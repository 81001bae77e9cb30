"""The command line of the comparison: `python -m bench.comparison --help`."""

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "lambdas"), str(ROOT / "cli")]  # what is measured, installed or not

from bench.comparison.arrivals import arrivals, shares  # noqa: E402
from bench.comparison.page import page  # noqa: E402
from bench.comparison.passes import custodian_pass, events_pass  # noqa: E402
from bench.comparison.written import written  # noqa: E402
from bench.initialisation import measure_initialisation  # noqa: E402
from bench.machine import context  # noqa: E402
from local.problems import LaptopError  # noqa: E402

RESULTS = ROOT / "bench/results.json"
PAGE = ROOT / "docs/comparison.md"
PYTHON = ROOT / ".venv-local/bin/python"
ENDS, STARTS = 1000, 5
PATH = ("job_intake", "job_notification", "slack_delivery", "email_delivery")
"""The functions on the way from a job's end to its messages."""
console = Console()


def compare(
    ends: Annotated[int, typer.Option(min=1, help="How many jobs end; fewer, for a trial, make a quieter day.")] = ENDS,
    page_only: Annotated[bool, typer.Option("--page-only", help="Write the page anew, measure nothing.")] = False,
    results: Annotated[
        Path, typer.Option(help="Where the figures are kept, beside those of other measurements.", dir_okay=False)
    ] = RESULTS,
    to: Annotated[Path, typer.Option(help="Where the page goes.", dir_okay=False)] = PAGE,
) -> None:
    """The ends of the same jobs through this project, a bare EventBridge rule and Cloud Custodian, on the local AWS.

    Writes docs/comparison.md and the part "comparison" of bench/results.json. Do nothing else meanwhile.
    """
    kept: dict[str, Any] = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    if not page_only:
        with console.status("") as status:
            kept["comparison"] = context() | _measured(ends, status.update)
        results.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    elif "comparison" not in kept:
        raise LaptopError(f"{results.name} has no comparison yet: make compare")
    to.write_text(page(kept["comparison"]), encoding="utf-8")
    console.print(f"see {to.name}")


def _measured(ends: int, tell: Callable[[str], None]) -> dict[str, Any]:
    jobs, began = arrivals(ends), time.monotonic()
    started = measure_initialisation(PYTHON, STARTS, tell, only=PATH)
    events = events_pass(jobs, tell)
    console.print(f"this project and the bare rule: measured ({time.monotonic() - began:.0f} s)")
    with ThreadPoolExecutor() as pool:
        waiting = {
            policy: pool.submit(custodian_pass, policy, jobs, tell, throttled=policy == "dated")
            for policy in ("dated", "periodic")
        }
        custodian = {policy: future.result() for policy, future in waiting.items()}
    console.print(f"Cloud Custodian: measured ({time.monotonic() - began:.0f} s)")
    return {"jobs": shares(jobs), "starts": started, **events, "custodian": custodian, "written": written()}


if __name__ == "__main__":
    try:
        typer.run(compare)
    except LaptopError as error:
        sys.exit(f"error: {error}")
