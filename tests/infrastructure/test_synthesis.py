"""Synthesis as a person runs it: what it needs, what it says, and that it gives the same everywhere."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from aws_cdk.assertions import Annotations, Match
from uv import find_uv_bin

from stacks.building_blocks import layer_version
from stacks.building_blocks.layer import ROOT, LayerError
from stacks.deployment import add_stacks
from stacks.settings import Settings
from tests.infrastructure.app_runs import bare_environment, checkout, run_app
from tests.infrastructure.conftest import new_app


def written(home: Path) -> Mapping[str, bytes]:
    """Templates and asset manifests, which hold the assets' hashes."""
    files = [*(home / "out").glob("*.template.json"), *(home / "out").glob("*.assets.json")]
    assert len(files) == 6
    return {path.name: path.read_bytes() for path in files}


@dataclass(frozen=True)
class Reference:
    """The production example, synthesised by this interpreter in a clean checkout."""

    home: Path
    tree: Path
    run: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    home = tmp_path_factory.mktemp("reference")
    tree = checkout(home / "tree")
    return Reference(home, tree, run_app(tree, home, TRAINOPS_CONFIG="config/prod.yaml", PYTHONHASHSEED="1"))


@pytest.mark.case("CD-06")
def test_synthesis_needs_no_docker_no_credentials_and_no_network(reference: Reference) -> None:
    env = bare_environment(reference.home)
    assert shutil.which("docker", path=env["PATH"]) is None
    assert not [name for name in env if name.startswith("AWS_")]
    assert reference.run.returncode == 0, reference.run.stderr
    assert written(reference.home)


@pytest.mark.case("CD-08")
def test_another_checkout_with_caches_and_another_hash_seed_gives_the_same_bytes(
    tmp_path: Path, reference: Reference
) -> None:
    tree = tmp_path / "elsewhere" / "deeper"
    shutil.copytree(reference.tree, tree)
    for folder in ("lambdas", "lambdas/handlers", "lambdas/trainops/domain", "build/layer/python/jinja2"):
        cache = tree / folder / "__pycache__"
        cache.mkdir(exist_ok=True)
        (cache / f"{tmp_path.name}.cpython-313.pyc").write_bytes(os.urandom(16))
    (tree / "lambdas" / "build.sh").write_text(f"# {tmp_path}")
    (tree / "lambdas" / "tests").mkdir()
    (tree / "lambdas" / "tests" / "test_x.py").write_text("")
    run = run_app(tree, tmp_path, TRAINOPS_CONFIG="config/prod.yaml", PYTHONHASHSEED="2")
    assert run.returncode == 0, run.stderr
    assert written(tmp_path) == written(reference.home)


def search_path() -> dict[str, str]:
    """An environment in which uv finds every Python of this machine and downloads none."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    # pyenv's shims hide the versions that are not selected at the moment.
    search = os.pathsep.join([*map(str, pyenv.glob("versions/*/bin")), os.environ["PATH"]])
    return {**os.environ, "PATH": search, "UV_PYTHON_DOWNLOADS": "never"}


def installed_pythons() -> list[str]:
    """The versions from 3.11 on that this machine has; its own at least."""
    wanted = [f"3.{minor}" for minor in range(11, 16)]

    def here(version: str) -> bool:
        find = [find_uv_bin(), "python", "find", version]
        return subprocess.run(find, env=search_path(), capture_output=True, check=False).returncode == 0

    return [version for version in wanted if here(version)]


@pytest.mark.case("CD-08")
@pytest.mark.parametrize("version", installed_pythons())
def test_every_python_with_nothing_but_the_requirements_gives_the_same_bytes(
    tmp_path: Path, reference: Reference, version: str
) -> None:
    python = fresh_python(version, tmp_path / "venv")
    run = run_app(reference.tree, tmp_path, python=python, TRAINOPS_CONFIG="config/prod.yaml")
    assert run.returncode == 0, run.stderr
    assert written(tmp_path) == written(reference.home)


def fresh_python(version: str, venv: Path) -> str:
    """A fresh environment with the pinned requirements alone."""
    uv, python = find_uv_bin(), venv / "bin" / "python"
    requirements = str(ROOT / "requirements.txt")
    for command in (
        [uv, "venv", "--python", version, str(venv)],
        [uv, "pip", "install", "--python", str(python), "--requirements", requirements],
    ):
        subprocess.run(command, env=search_path(), capture_output=True, check=True)
    return str(python)


def test_nothing_of_this_machine_or_moment_is_in_what_is_deployed(reference: Reference) -> None:
    for content in written(reference.home).values():
        for trace in (b"CDKMetadata", str(reference.tree).encode(), str(ROOT).encode(), b"localhost", b"127.0.0.1"):
            assert trace not in content


def test_only_our_packages_are_in_the_functions_asset(reference: Reference) -> None:
    (code,) = [path.parent for path in (reference.home / "out").glob("asset.*/handlers")]
    assert {path.name for path in code.iterdir()} == {"handlers", "trainops"}
    (packages,) = [path.parent for path in (reference.home / "out").glob("asset.*/python")]
    assert {path.name for path in packages.iterdir()} == {"python"}
    assert not [path for path in code.rglob("*") if path.suffix == ".pyc" or path.name == "requirements.txt"]


def test_a_fault_in_the_settings_that_the_context_names_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("nam: x")
    run = run_app(ROOT, tmp_path, context={"config": str(tmp_path / "mine.yaml")}, TRAINOPS_CONFIG="config/absent.yaml")
    assert run.returncode == 2
    assert "did you mean name?" in run.stderr
    assert "Traceback" not in run.stderr
    assert not list((tmp_path / "out").glob("*.template.json"))


def test_synthesis_says_how_many_metrics_there_are_and_what_they_cost_at_most(reference: Reference) -> None:
    [line] = [line for line in reference.run.stderr.splitlines() if line.startswith("CloudWatch: ")]
    assert re.search(
        r"^CloudWatch: [1-9]\d+ custom metrics, .* typically \$[1-9]\d\.\d\d a month, at most \$[1-9]\d\.\d\d$", line
    )
    assert not reference.run.stdout.strip()


def test_a_configuration_that_may_cost_too_much_ends_synthesis_with_what_it_comes_to(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("metrics: {monthly_budget_usd: 1}")
    run = run_app(ROOT, tmp_path, TRAINOPS_CONFIG=str(tmp_path / "mine.yaml"))
    assert run.returncode == 2
    assert "metrics.monthly_budget_usd is $1.00: raise it" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_missing_layer_is_told_with_the_command_that_builds_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(layer_version, "is_built", lambda: False)
    with pytest.raises(LayerError, match="run: make layer"):
        add_stacks(new_app(tmp_path), Settings())


def test_taking_more_than_a_fair_share_of_the_describe_limit_is_warned_of(tmp_path: Path) -> None:
    for rate, warnings in ((2.0, 0), (2.5, 1)):
        settings = Settings.model_validate({"limits": {"describe_per_second": rate}})
        operations = add_stacks(new_app(tmp_path / str(rate)), settings).operations
        found = Annotations.from_stack(operations).find_warning("*", Match.string_like_regexp("describe_per_second"))
        assert len(found) == warnings
