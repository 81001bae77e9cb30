"""docs/permissions.md is what the templates say, and no permission is wider than somebody gave a reason for."""

from pathlib import Path

import pytest

from stacks import permission_reasons, permissions
from stacks.building_blocks.layer import ROOT
from stacks.compliance import synthesise
from stacks.permission_reasons import REASONS, is_wide, reason_for
from stacks.permissions import MISSING, Permission, permissions_in
from stacks.settings_file import load_settings
from tests.infrastructure.conftest import Deployment


def every_permission(*deployments: Deployment) -> list[Permission]:
    templates = [template for one in deployments for template in (one.foundation, one.operations, one.access)]
    return [line for template in templates for _, lines in permissions_in(template) for line in lines]


def test_the_document_is_current() -> None:
    """If not: python -m stacks.permissions."""
    written = permissions.DOCUMENT.read_text(encoding="utf-8")
    assert written == permissions.document(permissions.templates_of(permissions.CONFIG))


@pytest.mark.case("IA-03")
def test_every_wildcard_has_a_reason_and_every_reason_a_wildcard(
    full: Deployment, empty: Deployment, many_teams: Deployment
) -> None:
    found = every_permission(full, empty, many_teams)
    assert [line for line in found if MISSING in line.reasons] == []
    pairs = {
        (action, resource)
        for line in found
        if line.effect == "Allow"
        for action in line.actions
        for resource in filter(is_wide, line.resources)
    }
    unused = [reason for reason in REASONS if not any(reason.covers(*pair) for pair in pairs)]
    # Updates are for functions to come; see test_job_updates.py.
    assert unused == []


@pytest.mark.case("IA-03")
def test_no_action_is_a_wildcard_and_nothing_is_allowed_by_exception(full: Deployment, many_teams: Deployment) -> None:
    for deployment in (full, many_teams):
        for kind in permissions.POLICIES:
            for policy in deployment.properties(kind):
                for statement in policy["PolicyDocument"]["Statement"]:
                    assert not {"NotAction", "NotResource", "NotPrincipal"} & set(statement)
    assert not [action for line in every_permission(full, many_teams) for action in line.actions if "*" in action]


@pytest.mark.case("IA-03")
def test_nothing_is_allowed_on_everything_with_an_action_that_takes_a_resource(many_teams: Deployment) -> None:
    """The actions that may have `*` are named one by one here, so that a new one is a decision."""
    found = {
        action.partition(":")[2]
        for line in every_permission(many_teams)
        if line.effect == "Allow" and "*" in line.resources
        for action in line.actions
    }
    reads = {"DhcpOptions", "NetworkInterfaces", "SecurityGroups", "Subnets", "Vpcs"}
    channels = {f"{verb}{kind}Channel" for verb in ("Create", "Open") for kind in ("Control", "Data")}
    ssm = {"StartSession", "TerminateSession", "CreateActivation", "ListAssociations", "ListInstanceAssociations"}
    ssh = {"DescribeInstanceInformation", "GetCommandInvocation", "ListTagsForResource", "GetQueryResults"}
    messages = {"AcknowledgeMessage", "DeleteMessage", "GetMessages", "SendReply"}
    rest = {"ListTrainingJobs", "Search", "PutMetricData", "GetAuthorizationToken", "GetProducts", "GetAccount"}
    quotas = {"GetServiceQuota", "GetAWSDefaultServiceQuota", "GetRequestedServiceQuotaChange", "ListServiceQuotas"}
    quotas |= {"ListAWSDefaultServiceQuotas", "ListRequestedServiceQuotaChangeHistoryByQuota"}
    assert found == {f"Describe{name}" for name in reads} | channels | ssm | ssh | messages | quotas | rest


def test_an_unexplained_wildcard_is_shown_as_such(monkeypatch: pytest.MonkeyPatch, full: Deployment) -> None:
    monkeypatch.setattr(permission_reasons, "REASONS", ())
    assert MISSING in permissions.document([full.access])


def test_cdk_nag_is_answered_by_reasons_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(permission_reasons, "REASONS", ())
    found = synthesise(load_settings(ROOT / "config" / "prod.yaml"), tmp_path)
    assert any("TrainingRoles/vision/Policy/Resource: AwsSolutions-IAM5[Resource::*]" in line for line in found)


@pytest.mark.parametrize(
    ("action", "resource", "given"),
    [
        ("sagemaker:ListTrainingJobs", "*", True),
        ("sagemaker:StopTrainingJob", "*", False),
        ("sagemaker:StopTrainingJob", "arn:aws:sagemaker:eu-central-1:111122223333:training-job/*", True),
        ("s3:GetObject", "*", False),
        ("s3:GetObject", "<Artifacts>/vision/*", True),
        ("iam:PassRole", "arn:aws:iam::111122223333:role/*", False),
        ("ec2:CreateNetworkInterface", "*", False),
    ],
)
def test_a_reason_is_for_its_action_and_resource_only(action: str, resource: str, given: bool) -> None:
    assert (reason_for(action, resource) is not None) is given
