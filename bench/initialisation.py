"""How long each function takes to start, beside the floor that its third-party packages set.

A start is what Lambda bills as initialisation once the interpreter is up: import the handler, then `wire()`. Every
start is a fresh interpreter that sees a function's disk and nothing else. Ours and the floor take turns, so that
whatever else the machine does at the time meets both.
"""

import json
import subprocess
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.function_image import Image, build_image, handler_names
from bench.sample_environments import sample_environment
from bench.third_party_floor import PROBE, Floor, floor_of
from local.problems import LaptopError

SCRIPT = Path(__file__).with_name("fresh_process.py")


@dataclass(frozen=True)
class Start:
    """One start: time from interpreter ready to done, and the most memory that was resident."""

    ms: float
    peak_mb: float


def measure_initialisation(
    python: Path, runs: int, tell: Callable[[str], None], only: Collection[str] | None = None
) -> dict[str, Any]:
    """Start every function (or `only` some) and its floor `runs` times with this interpreter, after one round that is
    not counted.
    """
    with tempfile.TemporaryDirectory(prefix="trainops-bench-") as folder:
        image = build_image(Path(folder).resolve(), python)
        floors = {handler: _floor(python, image, handler) for handler in only or handler_names()}
        starts: dict[str, list[tuple[Start, Start]]] = {handler: [] for handler in floors}
        for number in range(runs + 1):
            tell(f"start {number} of {runs}" if number else "warming up")
            for handler, floor in floors.items():
                pair = _pair(python, image, handler, floor, ours_first=number % 2 == 0)
                if number:
                    starts[handler].append(pair)
    functions = {handler: _summary(starts[handler], floors[handler]) for handler in floors}
    return {"runs": runs, "python": _version(python), "functions": functions}


def _floor(python: Path, image: Image, handler: str) -> Floor:
    found = _run(python, image, handler, PROBE.format(handler=handler))["answer"]
    return floor_of(image.paths[0], found["files"], found["clients"])


def _pair(python: Path, image: Image, handler: str, floor: Floor, *, ours_first: bool) -> tuple[Start, Start]:
    """One start of ours and one of the floor, in the given order."""
    ours = f"import handlers.{handler}\nhandlers.{handler}.wire()"
    codes = [ours, floor.code] if ours_first else [floor.code, ours]
    done = [Start(found["ms"], found["peak_mb"]) for found in (_run(python, image, handler, code) for code in codes)]
    return (done[0], done[1]) if ours_first else (done[1], done[0])


def _run(python: Path, image: Image, handler: str, code: str) -> dict[str, Any]:
    outcome = subprocess.run(
        [str(python), "-I", "-S", "-B", str(SCRIPT), ":".join(map(str, image.paths)), code],
        env=sample_environment(handler) | {"HOME": str(image.root), "LANG": "C.UTF-8"},
        cwd=image.root,
        capture_output=True,
        text=True,
        check=False,
    )
    if outcome.returncode:
        raise LaptopError(f"{handler} does not start alone:\n{outcome.stderr.strip()}")
    return dict(json.loads(outcome.stdout.splitlines()[-1]))


def _summary(pairs: list[tuple[Start, Start]], floor: Floor) -> dict[str, Any]:
    ours, least = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        "ours_ms": _spread([start.ms for start in ours]),
        "floor_ms": _spread([start.ms for start in least]),
        "ratio": round(median(mine.ms / bare.ms for mine, bare in pairs), 3),
        "ours_peak_mb": round(median(start.peak_mb for start in ours), 1),
        "floor_peak_mb": round(median(start.peak_mb for start in least), 1),
        "clients": list(floor.clients),
        "packages": floor.packages,
        "imports": list(floor.imports),
    }


def _spread(values: list[float]) -> dict[str, float]:
    return {"median": round(median(values), 1), "lowest": round(min(values), 1), "highest": round(max(values), 1)}


def _version(python: Path) -> str:
    command = [str(python), "-I", "-S", "-c", "import sys; print(sys.version.split()[0])"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
