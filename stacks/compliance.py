"""`python -m stacks.compliance`: cdk-nag (AwsSolutions) and cfn-lint over every settings file in config/.

Ends with 1 when anything is found. Each acknowledgement below is for one rule on named resources, with its reason.
"""

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from stacks.building_blocks.layer import ROOT

sys.path.insert(0, str(ROOT / "lambdas"))

from aws_cdk import Acknowledgment, App, Validations
from cdk_nag import AwsSolutionsChecks

from stacks.deployment import add_stacks
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


PUBLISHED = "Resource::trainops-foundation:ExportsOutputFnGetAttArtifacts82DD59A1Arn3B515032/*/trainops"
"""What `team_publication` writes in the artifact bucket, as cdk-nag names it."""

ACCEPTED = (
    *(
        Accepted(
            f"AwsSolutions-IAM5[{PUBLISHED}/{document}]",
            r"TeamPublication/Function/Role/DefaultPolicy/Resource",
            "Of every team, the removed ones included, whose names are not in the settings any more; one document.",
        )
        for document in ("team.json", "sagemaker-config.yaml", "recommendations.json")
    ),
    Accepted(
        "AwsSolutions-SQS3",
        r"\w+DeadLetters/Resource",
        "It is a dead-letter queue itself, of queues, targets and a function in the operations stack, which cdk-nag, "
        "looking at one stack at a time, does not see. Depth 1 raises an alarm.",
    ),
    Accepted(
        "AwsSolutions-L1",
        r"(JobIntake|JobReconcile|JobNotifications(/\w+)?|TeamPublication)/Function/Function/Resource",
        "The layer is resolved, hash-pinned and tested for python3.13, which AWS supports until 2029; the newest "
        "runtime is taken when the layer is.",
    ),
    Accepted(
        "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:sagemaker:<AWS::Region>:<AWS::AccountId>:training-job/*]",
        r"JobIntake/Function/Role/DefaultPolicy/Resource",
        "The jobs of this account and Region are what trainops looks after; their names are not known beforehand. "
        "Both actions only read.",
    ),
    Accepted(
        "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:*]",
        r"JobNotifications/Email/Function/Role/DefaultPolicy/Resource",
        "ses:SendEmail is asked for on the sender's identity, in the sandbox on each recipient's, and on a default "
        "configuration set. A condition allows the one sender only.",
    ),
    Accepted(
        "AwsSolutions-IAM5[Resource::*]",
        r"JobReconcile/Function/Role/DefaultPolicy/Resource",
        "sagemaker:ListTrainingJobs takes no resource (Service Authorization Reference); it is the only action of the "
        "statement.",
    ),
)


def synthesise(settings: Settings, outdir: Path, *, accepted: tuple[Accepted, ...] = ACCEPTED) -> list[str]:
    """Write the templates under cdk-nag's eyes; each finding that is not accepted comes back as `path: rule`."""
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    app = App(analytics_reporting=False, outdir=str(outdir), context=context)
    stacks = add_stacks(app, settings).made
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    for stack in stacks:
        for construct in stack.node.find_all():
            within = construct.node.path.partition("/")[2]
            for item in accepted:
                if re.fullmatch(item.path, within):
                    Validations.of(construct).acknowledge(
                        Acknowledgment(id=f"AwsSolutions::{item.rule}", reason=item.reason)
                    )
    try:
        app.synth()
    except RuntimeError:  # synthesis fails when there are findings, and its report says which
        if findings := _findings(outdir):
            return findings
        raise
    return _findings(outdir)


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
