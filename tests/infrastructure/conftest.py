"""Two deployments, each synthesised once per test run: everything turned on, and an empty settings file."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App

from stacks.building_blocks.layer import ROOT, build
from stacks.deployment import add_stacks
from stacks.settings import Settings
from stacks.settings_file import load_settings
from stacks.team_settings import Team

Resource = Mapping[str, Any]


@dataclass(frozen=True)
class Deployment:
    """The templates of one deployment, by stack; logical IDs are unique across all, but for the layer's."""

    foundation: Mapping[str, Any]
    operations: Mapping[str, Any]
    access: Mapping[str, Any] = field(default_factory=lambda: {"Resources": {}, "Outputs": {}})
    """Empty without teams."""

    def resources(self, kind: str | None = None) -> dict[str, Resource]:
        """Resources of one type, or all."""
        stacks = (self.foundation, self.operations, self.access)
        everything = {name: item for stack in stacks for name, item in stack["Resources"].items()}
        return {name: item for name, item in everything.items() if kind in (None, item["Type"])}

    def properties(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """The properties of each resource of one type."""
        return (item["Properties"] for item in self.resources(kind).values())

    def target(self, reference: object) -> str:
        """The logical ID that a Ref, GetAtt or ImportValue of this deployment points at."""
        found = [name for name in self.resources() if name in json.dumps(reference)]
        assert found, reference
        return max(found, key=len)

    def functions(self) -> Iterator[Mapping[str, Any]]:
        """The properties of every function of ours; the CDK's provider framework is not."""
        every = self.properties("AWS::Lambda::Function")
        return (item for item in every if item["Handler"].startswith("handlers."))

    def function(self, name: str) -> Mapping[str, Any]:
        """The properties of the function whose handler file has this name."""
        return next(item for item in self.functions() if item["Handler"] == f"handlers.{name}.handler")

    def statements(self, name: str) -> list[Mapping[str, Any]]:
        """The statements of a function's role."""
        role = self.target(self.function(name)["Role"])
        return [
            statement
            for policy in self.properties("AWS::IAM::Policy")
            if any(self.target(item) == role for item in policy["Roles"])
            for statement in policy["PolicyDocument"]["Statement"]
        ]


def new_app(outdir: Path) -> App:
    """An app with the feature flags of cdk.json, as the command line makes it."""
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    return App(outdir=str(outdir), analytics_reporting=False, context=context)


def synthesise(settings: Settings, outdir: Path) -> Deployment:
    """A deployment as `cdk synth` would write it, without the command line."""
    app = new_app(outdir)
    stacks = add_stacks(app, settings).made
    app.synth()
    templates = [json.loads((outdir / f"{stack.artifact_id}.template.json").read_text()) for stack in stacks]
    return Deployment(*templates)


def for_cloudformation(deployment: Deployment) -> set[str]:
    """The logical IDs of the functions that a deployment runs: those of custom resources, and the framework's."""
    beginnings = ("TeamPublication", "QuotasRequests", "JobNotificationsMailCheck")
    return {name for name in deployment.resources("AWS::Lambda::Function") if name.startswith(beginnings)}


@pytest.fixture(scope="session", autouse=True)
def layer() -> None:
    """The layer is there, as after `make layer`."""
    build()


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    """config/prod.yaml: every capability and both channels."""
    return synthesise(load_settings(ROOT / "config" / "prod.yaml"), tmp_path_factory.mktemp("full"))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    """An empty settings file: all defaults."""
    file = tmp_path_factory.mktemp("empty") / "settings.yaml"
    file.touch()
    return synthesise(load_settings(file), tmp_path_factory.mktemp("empty-out"))


@pytest.fixture(scope="session")
def many_teams(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    """Teams that between them make every choice: all of it, SSH Helper, nothing, and a role that exists."""
    production = load_settings(ROOT / "config" / "prod.yaml")
    ways = {
        "language": production.teams["vision"].model_copy(update={"remote_access": "ssh-helper"}),
        "robotics": Team(),
        "speech": Team(role_arn="arn:aws:iam::111122223333:role/speech"),
    }
    settings = production.model_copy(update={"teams": {**production.teams, **ways}})
    return synthesise(settings, tmp_path_factory.mktemp("teams"))
