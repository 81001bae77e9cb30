"""The custom resource, alone and within the deployment: what it is given, what it may do, and what outlives it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk.assertions import Template

from stacks.building_blocks.function import Runtime
from stacks.building_blocks.layer_version import Layer
from stacks.capabilities.quota_requests import QuotaRequests
from stacks.quota_settings import MOST, QuotaSettings
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, new_app, synthesise
from tests.infrastructure.test_permissions import as_list
from tests.infrastructure.test_settings import fault_of


def resource(deployment: Deployment) -> Mapping[str, Any]:
    (found,) = deployment.resources("Custom::QuotaRequest").values()
    return found


@pytest.mark.case("QU-12")
def test_the_construct_works_alone_in_any_stack_that_has_a_table(tmp_path: Path) -> None:
    stack = Stack(new_app(tmp_path), "mine")
    key = dynamodb.Attribute(name="pk", type=dynamodb.AttributeType.STRING)
    table = dynamodb.Table(stack, "Table", partition_key=key)
    runtime = Runtime(layer=Layer(stack, "Layer"), log_retention_days=30)
    QuotaRequests(stack, "Quotas", by_type={"ml.g5.xlarge": {"warm_pool": 8}}, ledger=table, runtime=runtime)
    Template.from_stack(stack).has_resource_properties(
        "Custom::QuotaRequest",
        {
            "AskedBy": "mine",
            "InstanceTypes": {"ml.g5.xlarge": {"warm_pool": 8}},
            "FailOnRefusal": False,
            "SupportCaseAllowed": True,
        },
    )


@pytest.mark.case("QU-14")
def test_one_section_of_the_settings_is_all_it_takes(tmp_path: Path) -> None:
    chosen = {
        "instance_types": {"ml.g5.xlarge": {"training": 8, "spot": 0}},
        "account": {"longest_run": "P10D", "processing_instances": 16},
        "requester": "ml-platform",
    }
    deployment = synthesise(Settings.model_validate({"quotas": chosen}), tmp_path)
    properties = resource(deployment)["Properties"]
    assert properties["InstanceTypes"] == {"ml.g5.xlarge": {"training": 8, "spot": 0}}
    assert properties["Account"] == {"longest_run_seconds": 864000, "processing_instances": 16}
    assert properties["Requester"] == "ml-platform"
    [near] = [
        item for item in deployment.properties("AWS::CloudWatch::Alarm") if item.get("MetricName") == "QuotaUsedPercent"
    ]
    assert (near["Threshold"], near["Statistic"], near["EvaluationPeriods"]) == (80, "Maximum", 1)
    assert near["Dimensions"] == [{"Name": "service", "Value": "quota_tracker"}]


@pytest.mark.case("QU-16")
def test_use_is_counted_and_judged_every_quarter_of_an_hour(empty: Deployment) -> None:
    [rule] = [
        rule
        for name, rule in empty.resources("AWS::Events::Rule").items()
        if name.startswith("QuotasTracker") and "ScheduleExpression" in rule["Properties"]
    ]
    assert rule["Properties"]["ScheduleExpression"] == "rate(15 minutes)"
    [near] = [
        item for item in empty.properties("AWS::CloudWatch::Alarm") if item.get("MetricName") == "QuotaUsedPercent"
    ]
    assert near["Period"] == 15 * 60


def test_without_a_wish_nothing_is_asked_for_and_refusals_are_still_told(empty: Deployment) -> None:
    assert empty.resources("Custom::QuotaRequest") == {}
    [pattern] = [
        rule["EventPattern"]
        for rule in empty.properties("AWS::Events::Rule")
        if rule.get("EventPattern", {}).get("detail-type") == ["AWS API Call via CloudTrail"]
    ]
    assert pattern["detail"]["eventName"] == ["CreateTrainingJob"]
    assert pattern["detail"]["errorCode"] == [{"prefix": "ResourceLimitExceeded"}]


@pytest.mark.case("CD-01")
def test_role_policy_and_log_group_outlive_the_resource_they_serve(full: Deployment) -> None:
    waits_for = set(resource(full)["DependsOn"])
    kinds = {"AWS::IAM::Policy", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::Logs::LogGroup"}
    needed = {
        name: item["Type"]
        for name, item in full.resources().items()
        if name.startswith("QuotasRequests") and item["Type"] in kinds
    }
    assert sorted(needed.values()) == sorted([*kinds, *kinds])
    assert set(needed) <= waits_for


@pytest.mark.case("CD-16")
def test_cloudformation_waits_minutes_and_the_framework_answers_for_a_function_that_cannot(full: Deployment) -> None:
    properties = resource(full)["Properties"]
    assert int(properties["ServiceTimeout"]) == 300
    assert full.function("quota_request")["Timeout"] == 240
    framework = full.resources()[full.target(properties["ServiceToken"])]["Properties"]
    assert framework["Handler"] == "framework.onEvent"


@pytest.mark.parametrize("name", ["quota_request", "quota_tracker"])
def test_more_may_be_asked_for_of_sagemakers_quotas_only(full: Deployment, name: str) -> None:
    [asking] = [item for item in full.statements(name) if "RequestServiceQuotaIncrease" in str(item["Action"])]
    assert as_list(asking["Action"]) == ["servicequotas:RequestServiceQuotaIncrease"]
    assert json.dumps(asking["Resource"]).endswith('":sagemaker/*"]]}')
    [linked] = [item for item in full.statements(name) if "iam:CreateServiceLinkedRole" in str(item["Action"])]
    assert linked["Condition"] == {"StringEquals": {"iam:AWSServiceName": "servicequotas.amazonaws.com"}}


def test_more_quotas_than_a_deployment_can_ask_for_are_refused() -> None:
    types = {f"ml.g{number}.xlarge": {"training": 1} for number in range(MOST)}
    assert len(QuotaSettings.model_validate({"instance_types": types}).by_type) == MOST
    with pytest.raises(ValueError, match=f"at most {MOST} quotas; these are {MOST + 1}"):
        QuotaSettings.model_validate({"instance_types": types, "account": {"volume_gb": 1}})


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("quotas: {instance_types: {g5.xlarge: {training: 1}}}", ["quotas.instance_types.g5.xlarge"]),
        ("quotas: {instance_types: {ml.g5.xlarge: {pools: 1}}}", ["ml.g5.xlarge.pools: unknown key", "warm_pool"]),
        ("quotas: {instance_types: {ml.g5.xlarge: {training: -1}}}", ["training: given -1"]),
        ("quotas: {instance_types: {ml.g5.xlarge: {training: '8'}}}", ["training: given"]),
        (
            "quotas: {instance_types: {ml.g5.xlarge: {training: 4, warm_pool: 8}}}",
            ["quotas.instance_types.ml.g5.xlarge:", "count towards both"],
        ),
        ("quotas: {requester: ml platform}", ["quotas.requester: given", "a name or address of letters"]),
        ("quotas: {track_every: PT1M}", ["quotas.track_every:", "PT5M"]),
        ("quotas: {alarm_at_percent: 0}", ["quotas.alarm_at_percent: given 0"]),
        ("quotas: {account: {longest_run: 432000}}", ["quotas.account.longest_run:", "ISO-8601"]),
    ],
)
def test_a_fault_in_the_section_is_named_with_its_key_and_what_is_accepted(
    tmp_path: Path, text: str, fragments: list[str]
) -> None:
    fault = fault_of(tmp_path / "settings.yaml", text)
    for fragment in fragments:
        assert fragment in fault
