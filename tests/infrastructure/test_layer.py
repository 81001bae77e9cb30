"""The layer of third-party packages."""

import subprocess
import sys
from pathlib import Path

import pytest

from stacks.building_blocks import layer
from stacks.building_blocks.layer import LAYER, LayerError, build, is_built, top_level

PACKAGES = LAYER / "python"


def test_the_layer_holds_no_compiled_code_no_programs_and_no_caches() -> None:
    names = [path for path in PACKAGES.rglob("*") if path.name != "__pycache__" and path.suffix != ".pyc"]
    assert len(names) > 100
    assert not [path for path in names if path.suffix in {".so", ".pyd", ".dylib"} or ".so." in path.name]
    assert not (PACKAGES / "bin").exists()


def test_the_layer_says_nothing_of_when_and_how_it_was_installed() -> None:
    for name in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"):
        assert not list(PACKAGES.rglob(name))


@pytest.mark.parametrize(
    "name", ["aws_lambda_powertools", "dacite", "jinja2", "markupsafe", "slack_sdk.webhook", "tzdata"]
)
def test_a_package_can_be_imported_with_nothing_but_the_layer(name: str) -> None:
    code = f"import sys; sys.path.insert(0, sys.argv[1]); import {name} as package; print(package.__file__)"
    command = [sys.executable, "-I", "-S", "-B", "-c", code, str(PACKAGES)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert Path(run.stdout.strip()).is_relative_to(PACKAGES)


def test_each_pinned_distribution_is_there() -> None:
    pinned = {
        line.partition("==")[0].lower().replace("-", "_")
        for line in layer.REQUIREMENTS.read_text(encoding="utf-8").splitlines()
        if "==" in line and not line.startswith((" ", "#"))
    }
    installed = {path.name.partition("-")[0].lower() for path in PACKAGES.glob("*.dist-info")}
    assert installed == pinned
    assert len(top_level(PACKAGES)) >= len(pinned)


def test_building_again_does_nothing_until_the_requirements_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build() is False
    changed = tmp_path / "requirements.txt"
    changed.write_text(layer.REQUIREMENTS.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    monkeypatch.setattr(layer, "REQUIREMENTS", changed)
    assert not is_built()


def test_a_build_that_fails_leaves_the_last_layer_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = tmp_path / "build" / "layer"
    last.mkdir(parents=True)
    (last / "kept").touch()
    broken = tmp_path / "requirements.txt"
    broken.write_text("jinja2==3.1.6 --hash=sha256:" + "0" * 64)
    monkeypatch.setattr(layer, "REQUIREMENTS", broken)
    with pytest.raises(LayerError, match="uv could not install"):
        build(last)
    assert [path.name for path in last.parent.iterdir()] == ["layer"]
    assert (last / "kept").exists()


def test_a_package_that_cannot_be_imported_alone_is_named(tmp_path: Path) -> None:
    (tmp_path / "lonely.py").write_text("import boto3")
    with pytest.raises(LayerError, match="lonely cannot be imported"):
        layer._import_all(tmp_path)
