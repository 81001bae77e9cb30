"""`python -m stacks.permissions`: writes docs/permissions.md from the templates of the production example.

A table for each role and each policy: what may be called, on what, under which condition, and why it is not narrower.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stacks.building_blocks.layer import ROOT

sys.path.insert(0, str(ROOT / "lambdas"))

from aws_cdk import App

from stacks.building_blocks.policy_text import readable
from stacks.deployment import add_stacks
from stacks.permission_reasons import is_wide, reason_for
from stacks.settings_file import load_settings

CONFIG = ROOT / "config" / "prod.yaml"
DOCUMENT = ROOT / "docs" / "permissions.md"
POLICIES = {"AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"}
MISSING = "NO REASON GIVEN"
INTRODUCTION = """# Permissions

Written by `python -m stacks.permissions` from the templates of [config/prod.yaml](../config/prod.yaml); a test holds it
against them. Trust: each function's role lets in Lambda, a training role SageMaker for this account and Region.
A denial holds whatever else is attached; for it, wide is strict.
"""


@dataclass(frozen=True)
class Permission:
    """One statement. `reasons` are there when it allows more than one resource by a wildcard."""

    name: str
    effect: str
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    conditions: str
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, statement: Mapping[str, Any]) -> "Permission":
        """From a template's statement. An action on a wide resource that nobody gave a reason for says so."""
        actions = tuple(listed(statement["Action"]))
        resources = tuple(readable(item) for item in listed(statement["Resource"]))
        wide = [resource for resource in resources if statement["Effect"] == "Allow" and is_wide(resource)]
        reasons = [reason_for(action, resource) or MISSING for resource in wide for action in actions]
        conditions = "; ".join(
            f"{operator} {key} {', '.join(map(str, listed(readable(value))))}"
            for operator, tests in statement.get("Condition", {}).items()
            for key, value in tests.items()
        )
        name, effect = statement.get("Sid", ""), statement["Effect"]
        return cls(name, effect, actions, resources, conditions, tuple(dict.fromkeys(reasons)))

    def row(self) -> str:
        """A line of a table."""
        condition = f"`{_plain(self.conditions)}`" if self.conditions else ""
        actions, resources = (" ".join(f"`{_plain(item)}`" for item in part) for part in (self.actions, self.resources))
        return f"| {self.name} | {self.effect} | {actions} | {resources} | {condition} | {' '.join(self.reasons)} |\n"


def permissions_in(template: Mapping[str, Any]) -> Iterator[tuple[str, list[Permission]]]:
    """Each role's or managed policy's title and statements, from a template."""
    resources = template["Resources"]
    for logical_id, resource in resources.items():
        if resource["Type"] in POLICIES:
            properties = resource["Properties"]
            statements = properties["PolicyDocument"]["Statement"]
            yield _title(logical_id, properties, resources), [Permission.of(item) for item in statements]


def document(templates: list[Mapping[str, Any]]) -> str:
    """The whole text."""
    found = sorted((pair for template in templates for pair in permissions_in(template)), key=lambda pair: pair[0])
    return INTRODUCTION + "".join(_section(title, permissions) for title, permissions in found)


def templates_of(config: Path) -> list[Mapping[str, Any]]:
    """What `cdk synth` would write for a settings file."""
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    with tempfile.TemporaryDirectory() as directory:
        app = App(analytics_reporting=False, outdir=directory, context=context)
        stacks = add_stacks(app, load_settings(config)).made
        app.synth()
        files = [Path(directory) / f"{stack.artifact_id}.template.json" for stack in stacks]
        return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def _title(logical_id: str, properties: Mapping[str, Any], resources: Mapping[str, Any]) -> str:
    """A function by its handler; what belongs to a team by its description."""
    if description := properties.get("Description"):
        return str(description)
    [role] = [reference["Ref"] for reference in properties["Roles"]]
    functions = [item["Properties"] for item in resources.values() if item["Type"] == "AWS::Lambda::Function"]
    for function in functions:
        package, _, handler = function["Handler"].partition(".")
        if package == "handlers" and function["Role"] == {"Fn::GetAtt": [role, "Arn"]}:
            return f"`{handler.removesuffix('.handler')}`"
    return str(resources[role]["Properties"].get("Description", _plain(f"<{logical_id}>")))


def _section(title: str, permissions: list[Permission]) -> str:
    head = f"\n## {title}\n\n| | | API | on | if | why so wide |\n|---|---|---|---|---|---|\n"
    return head + "".join(permission.row() for permission in permissions)


def _plain(text: str) -> str:
    """Names without CDK's hashes, and exports by what they export."""
    text = re.sub(r"[\w-]+:ExportsOutput(?:FnGetAtt|Ref)(\w+?)[0-9A-F]{8}(Arn)?[0-9A-F]{8}", r"<\1>", text)
    return re.sub(r"<(\w+?)[0-9A-F]{8}(\.\w+)?>", r"<\1>", text).replace("AWS::", "")


def listed(value: Any) -> list[Any]:
    """IAM writes a list of one as its only item."""
    return value if isinstance(value, list) else [value]


def main() -> None:
    """Write the document."""
    DOCUMENT.write_text(document(templates_of(CONFIG)), encoding="utf-8")


if __name__ == "__main__":
    main()
