"""`python -m stacks.compliance`: cdk-nag (AwsSolutions) and cfn-lint over every settings file in config/.

Ends with 1 when anything is found. Each acknowledgement below is for one rule on named resources, with its reason;
wildcards in permissions are answered with `permission_reasons`.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stacks.building_blocks.layer import ROOT

sys.path.insert(0, str(ROOT / "lambdas"))

from aws_cdk import Acknowledgment, App, Stack, Validations
from aws_cdk import aws_iam as iam
from cdk_nag import AwsSolutionsChecks
from constructs import IConstruct

from stacks.deployment import add_stacks
from stacks.permission_reasons import is_wide
from stacks.permissions import MISSING, Permission
from stacks.settings import Settings
from stacks.settings_file import load_settings

CDK_REDUNDANCY = "W3005"
"""CDK itself adds the dependency of each function on its role, which the reference implies already."""
OUR_ADVICE = "Annotation::trainops:"
"""Warnings that the stacks give about settings: advice to whoever deploys, not findings."""
CONFIGS = ("config/dev.yaml", "config/prod.yaml")


@dataclass(frozen=True)
class Accepted:
    """One finding that stays, on the constructs whose path within the stack matches."""

    rule: str
    path: str
    reason: str


ACCEPTED = (
    Accepted(
        "AwsSolutions-SQS3",
        r"\w+DeadLetters/Resource",
        "It is a dead-letter queue itself, of queues, targets and a function in the operations stack, which cdk-nag, "
        "looking at one stack at a time, does not see. Depth 1 raises an alarm.",
    ),
    Accepted(
        "AwsSolutions-L1",
        r"(JobIntake|JobReconcile|JobNotifications(/\w+)?|TeamPublication|(WarmPools|Quotas)/\w+|SpotSavings|MetricsRecount|PriceRefresh|CheckpointWatch|SelfCheck|WeeklyReport)"
        r"/Function/Function/Resource|WarmPools/Chat/\w+Function/Function/Resource",
        "The layer is resolved, hash-pinned and tested for python3.13, which AWS supports until 2029; the newest "
        "runtime is taken when the layer is.",
    ),
)


def synthesise(settings: Settings, outdir: Path, *, accepted: tuple[Accepted, ...] = ACCEPTED) -> list[str]:
    """Write the templates under cdk-nag's eyes; each finding that is not accepted comes back as `path: rule`."""
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    app = App(analytics_reporting=False, outdir=str(outdir), context=context)
    stacks = add_stacks(app, settings).made
    app.synth()  # only then a reference to another stack has the text that cdk-nag will see
    for stack in stacks:
        for construct in stack.node.find_all():
            _answer(stack, construct, accepted)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    try:
        app.synth(force=True)
    except RuntimeError:  # synthesis fails when there are findings, and its report says which
        if findings := _findings(outdir):
            return findings
        raise
    return _findings(outdir)


def _answer(stack: Stack, construct: IConstruct, accepted: tuple[Accepted, ...]) -> None:
    within = construct.node.path.partition("/")[2]
    for item in accepted:
        if re.fullmatch(item.path, within):
            _acknowledge(construct, item.rule, item.reason)
    if isinstance(construct, iam.CfnPolicy | iam.CfnManagedPolicy):
        for rule, reason in _wildcards(stack.resolve(construct.policy_document)):
            _acknowledge(construct, rule, reason)


def _acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    Validations.of(construct).acknowledge(Acknowledgment(id=f"AwsSolutions::{rule}", reason=reason))


def _wildcards(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """cdk-nag's rule for each wide resource whose every action has a reason, with these reasons."""
    found: dict[str, list[str]] = {}
    for permission in map(Permission.of, document["Statement"]):
        for resource in filter(is_wide, permission.resources):
            found.setdefault(resource, []).extend(permission.reasons)
    for resource, reasons in found.items():
        if MISSING not in reasons:
            yield f"AwsSolutions-IAM5[Resource::{resource}]", " ".join(dict.fromkeys(reasons))


def _findings(outdir: Path) -> list[str]:
    report = outdir / "validation-report.json"
    if not report.exists():
        return []
    return [
        f"{construct['constructPath']}: {violation['ruleName']}"
        for plugin in json.loads(report.read_text(encoding="utf-8"))["pluginReports"]
        for violation in plugin["violations"]
        if not violation["ruleName"].startswith(OUR_ADVICE)
        for construct in violation["violatingConstructs"]
    ]


def lint(outdir: Path) -> list[str]:
    """What cfn-lint says of the templates in a directory."""
    templates = sorted(str(path) for path in outdir.glob("*.template.json"))
    program = Path(sys.executable).with_name("cfn-lint")
    options = ("--format", "parseable", "--non-zero-exit-code", "none", "--ignore-checks", CDK_REDUNDANCY)
    command = [str(program), *options, "--", *templates]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    return outcome.stdout.splitlines()


def main() -> int:
    """Print a line per finding, and one per settings file."""
    faults = 0
    for config in CONFIGS:
        with tempfile.TemporaryDirectory() as directory:
            found = synthesise(load_settings(ROOT / config), Path(directory))
            linted = lint(Path(directory))
        faults += len(found) + len(linted)
        print(*found, *linted, sep="\n", end="\n" if found or linted else "")  # noqa: T201
        print(f"{config}: cdk-nag {len(found)}, cfn-lint {len(linted)} findings")  # noqa: T201
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
