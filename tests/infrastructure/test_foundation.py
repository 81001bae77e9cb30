"""State: what is kept, what it is called, and what the other stack may rely on."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from stacks.deployment import add_stacks
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, new_app, synthesise

STATEFUL = {
    f"AWS::{kind}" for kind in ("DynamoDB::Table", "Events::EventBus", "S3::Bucket", "SQS::Queue", "SSM::Parameter")
}
PINNED = Path(__file__).with_name("stateful_logical_ids.json")


def test_stateful_resources_keep_their_logical_ids(full: Deployment) -> None:
    """CloudFormation replaces what gets another logical ID: a new, empty ledger. Change the file only on purpose."""
    ids = {
        name: item["Type"] for name, item in sorted(full.foundation["Resources"].items()) if item["Type"] in STATEFUL
    }
    assert ids == json.loads(PINNED.read_text(encoding="utf-8"))


@pytest.mark.case("CD-13")
def test_what_people_would_miss_is_retained_and_never_emptied(full: Deployment) -> None:
    for item in full.foundation["Resources"].values():
        if item["Type"] in {"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::S3::BucketPolicy", "AWS::SQS::Queue"}:
            assert (item["DeletionPolicy"], item["UpdateReplacePolicy"]) == ("Retain", "Retain")
            assert not {"TableName", "BucketName", "QueueName"} & set(item["Properties"])
    assert not [kind for item in full.resources().values() if "AutoDelete" in (kind := item["Type"])]


def test_the_ledger_is_as_the_functions_expect_it(full: Deployment) -> None:
    (table,) = full.properties("AWS::DynamoDB::Table")
    assert table["KeySchema"] == [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ]
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert (table["BillingMode"], table["DeletionProtectionEnabled"]) == ("PAY_PER_REQUEST", True)
    (index,) = table["GlobalSecondaryIndexes"]
    assert [key["AttributeName"] for key in index["KeySchema"]] == ["look", "look_at"]
    assert (index["IndexName"], index["Projection"]) == ("look", {"ProjectionType": "KEYS_ONLY"})


def parameters(deployment: Deployment) -> dict[str, str]:
    return {item["Name"]: item["Value"] for item in deployment.properties("AWS::SSM::Parameter")}


def test_a_second_deployment_for_the_same_jobs_collides_on_the_claim(tmp_path: Path) -> None:
    def claim(**settings: object) -> str:
        found = parameters(synthesise(Settings.model_validate(settings), tmp_path / str(len(list(tmp_path.iterdir())))))
        [claimed] = [key for key in found if key.startswith("/trainops/claims/")]
        return claimed

    everything = claim(name="one")
    assert everything == claim(name="two") == "/trainops/claims/every-job"
    vision = claim(name="one", scope={"tags": {"team": "vision", "tier": "gold"}})
    assert vision == claim(name="two", scope={"tags": {"tier": "gold", "team": "vision"}})
    assert len({everything, vision, claim(scope={"tags": {"team": "language", "tier": "gold"}})}) == 3


def test_the_kill_switch_is_off_to_begin_with(full: Deployment) -> None:
    assert parameters(full)["/trainops/kill-switch"] == "off"


def test_the_operations_stack_imports_nothing_that_turning_a_channel_off_would_take_away(
    full: Deployment, empty: Deployment
) -> None:
    exports = [
        {item["Export"]["Name"] for item in deployment.foundation["Outputs"].values() if "Export" in item}
        for deployment in (full, empty)
    ]
    assert exports[0] == exports[1]


def test_the_foundation_is_protected_unless_that_is_turned_off(tmp_path: Path) -> None:
    for chosen in (True, False):
        foundation, operations, _ = add_stacks(new_app(tmp_path), Settings(termination_protection=chosen))
        assert foundation.termination_protection is chosen
        assert not operations.termination_protection


def test_the_names_of_stacks_and_kill_switch_follow_the_deployments_name(tmp_path: Path) -> None:
    other = synthesise(Settings(name="blue"), tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.template.json")) == [
        "blue-foundation.template.json",
        "blue-operations.template.json",
    ]
    assert "/blue/kill-switch" in parameters(other)


def test_the_outputs_name_what_a_person_needs(full: Deployment, empty: Deployment) -> None:
    own = {name for name, item in full.foundation["Outputs"].items() if "Export" not in item}
    assert own == {"LedgerTableName", "CheckpointBucketName", "ArtifactBucketName", "BusName", "KillSwitchName"}
    assert set(full.operations["Outputs"]) == {"AlarmTopicArn", "CardTopicArn", "ChatActionUrl", "MailStatus"}
    assert set(empty.operations["Outputs"]) == {"AlarmTopicArn", "NotificationTopicArn"}


def unscoped(subscriptions: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Subscriptions whose filter does not say whether it looks at attributes or at the body."""
    return [item for item in subscriptions if "FilterPolicy" in item and "FilterPolicyScope" not in item]


@pytest.mark.case("CD-15")
def test_a_filter_on_a_subscription_says_what_it_filters(full: Deployment, tmp_path: Path) -> None:
    assert unscoped([{"FilterPolicy": {"team": ["vision"]}}]), "the edit that fails: by attributes, the scope left out"
    assert not unscoped([{"FilterPolicy": {"team": ["vision"]}, "FilterPolicyScope": "MessageAttributes"}])
    mail = {"notifications": {"email": {"recipients": ["a@b.example"]}}, "alarms": {"emails": ["c@d.example"]}}
    by_topic = list(synthesise(Settings.model_validate(mail), tmp_path).properties("AWS::SNS::Subscription"))
    assert len(by_topic) == 2, "of messages, and of alarms"
    assert not unscoped([*by_topic, *full.properties("AWS::SNS::Subscription")])
