"""The functions' third-party packages as one Lambda layer: `python -m stacks.building_blocks.layer` builds it.

Pure Python only: what uv installs for the functions' platform is stripped of compiled speed-ups and imported once, so
that the same files run on arm64 in AWS and on any laptop. No Docker. Building again is a no-op until
lambdas/requirements.txt or this file changes.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from uv import find_uv_bin

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "lambdas" / "requirements.txt"
LAYER = ROOT / "build" / "layer"
STAMP = ".built-from"
PLATFORM = ("--python-version", "3.13", "--python-platform", "aarch64-manylinux_2_28")
UNUSED = ("bin", "slack", "**/__pycache__", "**/*.so", "**/*.c", "**/*.pyi", "**/py.typed")
"""Nothing imports these when a function runs: command-line tools, slack_sdk's deprecated alias `slack` (which needs
aiohttp), compiled speed-ups and what only type checkers read.
"""
UNSTABLE = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
"""Metadata that says how and when a package was installed: it differs between two machines."""


class LayerError(Exception):
    """The layer is missing or cannot be built; the text says what to do."""


def fingerprint() -> str:
    """What a built layer depends on: the pinned requirements and this builder."""
    return hashlib.sha256(REQUIREMENTS.read_bytes() + Path(__file__).read_bytes()).hexdigest()


def is_built(layer: Path = LAYER) -> bool:
    """Whether the directory holds the layer of the present requirements."""
    stamp = layer / STAMP
    return stamp.is_file() and stamp.read_text(encoding="ascii") == fingerprint()


def build(layer: Path = LAYER) -> bool:
    """Build into a directory, all or nothing; False when nothing was to do. Raises LayerError."""
    if is_built(layer):
        return False
    layer.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=layer.parent, prefix=".layer-") as temporary:
        fresh = Path(temporary, "layer")
        packages = fresh / "python"
        _install(packages)
        _strip(packages)
        _import_all(packages)
        (fresh / STAMP).write_text(fingerprint(), encoding="ascii")
        if layer.exists():
            layer.rename(Path(temporary, "replaced"))
        fresh.rename(layer)
    return True


def top_level(packages: Path) -> list[str]:
    """The names that can be imported from a directory of packages."""
    return sorted(
        path.stem
        for path in packages.iterdir()
        if path.suffix == ".py" or (path.is_dir() and path.suffix == "" and (path / "__init__.py").exists())
    )


def _install(packages: Path) -> None:
    try:
        uv = find_uv_bin()
    except FileNotFoundError as error:
        raise LayerError("uv is not installed in this environment; run: make setup") from error
    command = [
        *(uv, "pip", "install", "--quiet", "--no-config", "--target", str(packages), *PLATFORM),
        *("--require-hashes", "--no-deps", "--only-binary", ":all:", "--no-compile", "--link-mode", "copy"),
        *("--requirements", str(REQUIREMENTS)),
    ]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    if outcome.returncode:
        raise LayerError(
            f"uv could not install lambdas/requirements.txt (it needs the package index, once, or its cache):\n"
            f"{outcome.stderr.strip()}"
        )


def _strip(packages: Path) -> None:
    for pattern in (*UNUSED, *(f"*.dist-info/{name}" for name in UNSTABLE), ".lock"):
        for path in list(packages.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _import_all(packages: Path) -> None:
    """Import every package with only these and the standard library in reach."""
    for name in top_level(packages):
        code = f"import sys; sys.path.insert(0, sys.argv[1]); import {name}"
        command = [sys.executable, "-I", "-S", "-B", "-c", code, str(packages)]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)
        if outcome.returncode:
            raise LayerError(f"{name} cannot be imported from the layer alone:\n{outcome.stderr.strip()}")


if __name__ == "__main__":
    try:
        print("layer: built" if build() else "layer: up to date")  # noqa: T201
    except LayerError as fault:
        sys.exit(f"layer: {fault}")
