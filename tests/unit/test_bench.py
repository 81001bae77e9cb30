"""The measurements' own arithmetic; what they measure is nobody's test."""

from pathlib import Path

import pytest

from bench.function_image import handler_names, shipped_code
from bench.hops import Invocation, way
from bench.sample_environments import sample_environment
from bench.sizes import package_of
from bench.third_party_floor import floor_of
from trainops import environment, notification_environment


def test_hops_add_up_to_the_time_from_end_to_message() -> None:
    chain = [Invocation("a", 10.1, 10.3), Invocation("b", 10.25, 10.4), Invocation("c", 10.5, 10.9)]

    found = way(10.0, chain, 10.7)

    assert found.total == pytest.approx(700)
    assert list(found.hops.values()) == pytest.approx([100, 150, 0, 150, 100, 200])
    assert found.waiting == pytest.approx(200)
    assert list(found.durations.values()) == pytest.approx([200, 150, 400])


def test_a_log_that_is_a_millisecond_off_still_adds_up() -> None:
    assert way(10.0, [Invocation("a", 9.999, 10.1)], 10.05).total == pytest.approx(50)


def test_a_message_before_its_function_is_refused() -> None:
    with pytest.raises(ValueError, match="contradicts"):
        way(10.0, [Invocation("a", 10.5, 10.9)], 10.2)


@pytest.mark.parametrize("handler", handler_names())
def test_every_function_has_a_valid_sample_environment(handler: str) -> None:
    name = handler.title().replace("_", "")
    contract = getattr(environment, name, None) or getattr(notification_environment, name)
    assert contract.from_env(sample_environment(handler))


def test_the_floor_holds_third_party_imports_only_and_each_once(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "code/trainops/a.py", tmp_path / "layer/b.py"
    for path in (ours, theirs):
        path.parent.mkdir(parents=True)
    ours.write_text("import json\nimport boto3\nfrom trainops.x import y\nfrom jinja2 import Template\n")
    theirs.write_text("import attrs\n")

    found = floor_of(tmp_path / "code", [str(ours), str(ours), str(theirs)], ["sqs", "ssm", "sqs"])

    assert found.imports == ("import boto3", "from jinja2 import Template")
    assert found.clients == ("sqs", "ssm")
    assert found.packages == ["boto3", "jinja2"]


def test_the_code_that_is_measured_is_what_ships() -> None:
    names = [name for name, _ in shipped_code()]

    assert {name.split("/")[0] for name in names} == {"handlers", "trainops"}
    assert not [name for name in names if name.endswith(".pyc")]


@pytest.mark.parametrize(
    ("entry", "package"),
    [("dacite", "dacite"), ("dacite-1.9.2.dist-info", "dacite"), ("typing_extensions.py", "typing_extensions")],
)
def test_metadata_counts_with_its_package(entry: str, package: str) -> None:
    assert package_of(entry) == package
