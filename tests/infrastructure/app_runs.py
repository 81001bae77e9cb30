"""`app.py` run as a program, in this checkout or another, with nothing but node around it."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from stacks.building_blocks.layer import ROOT

TREE = ("app.py", "cdk.json", "config", "stacks", "lambdas", "build/layer")
UNREACHABLE = "http://127.0.0.1:9"
"""The discard port: whoever asks for the network is refused at once."""


def checkout(to: Path) -> Path:
    """The project somewhere else, as on another machine."""
    for name in TREE:
        source, target = ROOT / name, to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return to


def bare_environment(home: Path) -> dict[str, str]:
    """Nothing but node: no Docker, no credentials, no network."""
    node = shutil.which("node")
    assert node
    programs = home / "programs"
    programs.mkdir(exist_ok=True)
    if not (programs / "node").exists():
        (programs / "node").symlink_to(Path(node).resolve())
    return {
        "PATH": str(programs),
        "HOME": str(home),
        "HTTPS_PROXY": UNREACHABLE,
        "HTTP_PROXY": UNREACHABLE,
        # Unpacking aws-cdk-lib takes seconds; one home does it for all.
        "JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(home.parent / "jsii"),
    }


def run_app(
    tree: Path, home: Path, *, python: str = sys.executable, context: Mapping[str, str] | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    flags = json.loads((tree / "cdk.json").read_text(encoding="utf-8"))["context"]
    env = bare_environment(home) | {
        "CDK_CONTEXT_JSON": json.dumps({**flags, **(context or {})}),
        "CDK_OUTDIR": str(home / "out"),
        **variables,
    }
    return subprocess.run([python, "app.py"], cwd=tree, env=env, capture_output=True, text=True, check=False)
