"""The buckets for checkpoints and artifacts: who gets in, what is kept, and what cannot be changed by accident."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from stacks.building_blocks.storage import CHANGE
from stacks.deployment import add_stacks
from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, new_app, synthesise

KEY = "arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-000000000003"
OWN = ("AccessLogs", "Artifacts", "Checkpoints")


def bucket(deployment: Deployment, purpose: str) -> Mapping[str, Any]:
    (found,) = [item for name, item in deployment.resources("AWS::S3::Bucket").items() if name.startswith(purpose)]
    return found


def rules(deployment: Deployment, purpose: str) -> dict[str, Mapping[str, Any]]:
    return {rule["Id"]: rule for rule in bucket(deployment, purpose)["Properties"]["LifecycleConfiguration"]["Rules"]}


def made(tmp_path: Path, **storage: object) -> Deployment:
    return synthesise(Settings.model_validate({"storage": storage}), tmp_path / str(len(list(tmp_path.iterdir()))))


def test_there_are_three_buckets_with_or_without_teams(full: Deployment, empty: Deployment) -> None:
    for deployment in (full, empty):
        assert len(deployment.resources("AWS::S3::Bucket")) == len(OWN)


def test_every_bucket_is_private_encrypted_and_without_object_owners(full: Deployment) -> None:
    for item in full.properties("AWS::S3::Bucket"):
        assert set(item["PublicAccessBlockConfiguration"].values()) == {True}
        assert len(item["PublicAccessBlockConfiguration"]) == 4
        [encryption] = item["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        assert encryption["ServerSideEncryptionByDefault"] == {"SSEAlgorithm": "AES256"}
        assert item["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]


def test_every_bucket_refuses_unencrypted_transport_and_nothing_else(full: Deployment) -> None:
    """A policy that demanded one key would refuse a team that writes with a key of its own."""
    denied = {}
    for policy in full.properties("AWS::S3::BucketPolicy"):
        [statement] = [item for item in policy["PolicyDocument"]["Statement"] if item["Effect"] == "Deny"]
        assert (statement["Action"], statement["Principal"]) == ("s3:*", {"AWS": "*"})
        assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        denied[full.target(policy["Bucket"])] = len(statement["Resource"])
    assert denied == dict.fromkeys(full.resources("AWS::S3::Bucket"), 2)


def test_checkpoints_expire_ninety_days_after_their_last_write_and_artifacts_only_move(full: Deployment) -> None:
    assert rules(full, "Checkpoints")["expire"]["ExpirationInDays"] == 90
    archive = rules(full, "Artifacts")["archive"]
    assert archive["Transitions"] == [{"StorageClass": "GLACIER_IR", "TransitionInDays": 90}]
    assert "Expiration" not in json.dumps(rules(full, "Artifacts"))


def test_abandoned_uploads_are_removed_after_a_week(full: Deployment) -> None:
    for purpose in OWN:
        rule = rules(full, purpose)["abandoned-uploads"]
        assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 7}
        assert (rule["Status"], "Prefix" in rule) == ("Enabled", False)


def test_the_days_are_those_of_the_settings(tmp_path: Path) -> None:
    deployment = made(tmp_path, checkpoints={"expire_after": "P60D"}, artifacts={"archive_after": "P1D"})
    assert rules(deployment, "Checkpoints")["expire"]["ExpirationInDays"] == 60
    assert rules(deployment, "Artifacts")["archive"]["Transitions"][0]["TransitionInDays"] == 1


def test_access_is_logged_into_a_bucket_of_its_own_that_empties_itself(full: Deployment) -> None:
    assert rules(full, "AccessLogs")["expire"]["ExpirationInDays"] == 90
    assert "LoggingConfiguration" not in bucket(full, "AccessLogs")["Properties"]
    prefixes = set()
    for purpose in ("Checkpoints", "Artifacts"):
        logging = bucket(full, purpose)["Properties"]["LoggingConfiguration"]
        assert full.target(logging["DestinationBucketName"]).startswith("AccessLogs")
        prefixes.add(logging["LogFilePrefix"])
    assert prefixes == {"checkpoints/", "artifacts/"}


def test_only_s3s_logging_for_our_own_buckets_may_write_to_the_log_bucket(full: Deployment) -> None:
    for policy in full.properties("AWS::S3::BucketPolicy"):
        allowed = [item for item in policy["PolicyDocument"]["Statement"] if item["Effect"] == "Allow"]
        if not full.target(policy["Bucket"]).startswith("AccessLogs"):
            assert not allowed
            continue
        assert len(allowed) == 2
        for statement in allowed:
            assert statement["Principal"] == {"Service": "logging.s3.amazonaws.com"}
            assert {"aws:SourceArn", "aws:SourceAccount"} == {
                key for test in statement["Condition"].values() for key in test
            }


@pytest.mark.case("CD-13")
def test_destroying_the_stack_empties_no_bucket_and_takes_no_policy_away(full: Deployment) -> None:
    for kind in ("AWS::S3::Bucket", "AWS::S3::BucketPolicy"):
        found = list(full.resources(kind).values())
        assert len(found) == len(OWN)
        assert {(item["DeletionPolicy"], item["UpdateReplacePolicy"]) for item in found} == {("Retain", "Retain")}
    assert not [item for item in full.properties("AWS::S3::Bucket") if "BucketName" in item]


def choices(deployment: Deployment) -> dict[str, str]:
    """Logical ID → name of the parameters that hold a choice."""
    return {
        name: item["Properties"]["Name"]
        for name, item in deployment.resources("AWS::SSM::Parameter").items()
        if "/storage/" in item["Properties"]["Name"]
    }


@pytest.mark.case("CD-13", "CD-19")
@pytest.mark.parametrize(
    "changed",
    [{"checkpoints": {"bucket": "example-one"}}, {"checkpoints": {"key_arn": KEY}}],
    ids=["own to existing", "key added"],
)
def test_another_bucket_or_key_than_at_first_is_refused_by_a_name_that_is_taken(
    tmp_path: Path, full: Deployment, changed: dict[str, Any]
) -> None:
    """CloudFormation makes the parameter with the new logical ID first, under a name that the old one still has."""
    before, after = choices(full), choices(made(tmp_path, **changed))
    assert (
        set(before.values()) == set(after.values()) == {"/trainops/storage/checkpoints", "/trainops/storage/artifacts"}
    )
    assert {before[name] for name in before.keys() - after} == {"/trainops/storage/checkpoints"}
    assert all("AreChosenOnce" in name for name in after)


@pytest.mark.case("CD-13")
def test_renaming_a_bucket_that_exists_is_refused_too(tmp_path: Path) -> None:
    one, two = (choices(made(tmp_path, artifacts={"bucket": name})) for name in ("example-one", "example-two"))
    assert len(one.keys() ^ two.keys()) == 2
    assert set(one.values()) == set(two.values())


@pytest.mark.case("CD-19")
def test_no_bucket_is_touched_before_its_choice_was_found_to_be_the_same(full: Deployment) -> None:
    for purpose in ("Checkpoints", "Artifacts"):
        waits_for = bucket(full, purpose)["DependsOn"]
        assert {choices(full)[name] for name in waits_for} == {f"/trainops/storage/{purpose.lower()}"}


@pytest.mark.case("CD-19")
def test_the_choices_are_let_go_for_one_deployment_on_purpose(tmp_path: Path) -> None:
    app = new_app(tmp_path)
    app.node.set_context(CHANGE, "yes")
    add_stacks(app, Settings())
    app.synth()
    template = (tmp_path / "trainops-foundation.template.json").read_text(encoding="utf-8")
    assert "/storage/" not in template
    assert "AWS::S3::Bucket" in template


def test_a_key_is_the_buckets_default_and_forbids_no_other(tmp_path: Path) -> None:
    deployment = made(tmp_path, checkpoints={"key_arn": KEY})
    [encryption] = bucket(deployment, "Checkpoints")["Properties"]["BucketEncryption"][
        "ServerSideEncryptionConfiguration"
    ]
    assert encryption["BucketKeyEnabled"] is True
    assert encryption["ServerSideEncryptionByDefault"] == {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KEY}
    assert "x-amz-server-side-encryption" not in json.dumps(deployment.foundation)


def test_a_bucket_that_exists_is_used_as_it_is(tmp_path: Path) -> None:
    stacks = add_stacks(new_app(tmp_path), Settings.model_validate({"storage": {"checkpoints": {"bucket": "mine-1"}}}))
    assert stacks.foundation.storage.checkpoint_uri("vision") == "s3://mine-1/vision/"
    assert len(stacks.foundation.storage.own) == 2


def test_with_two_buckets_that_exist_nothing_is_made(tmp_path: Path) -> None:
    deployment = made(tmp_path, checkpoints={"bucket": "mine-1"}, artifacts={"bucket": "mine-2"})
    assert not deployment.resources("AWS::S3::Bucket")
    assert not deployment.resources("AWS::S3::BucketPolicy")


@pytest.mark.case("CK-01")
def test_a_teams_places_end_with_a_slash_so_that_no_other_teams_name_begins_with_them(tmp_path: Path) -> None:
    storage = add_stacks(new_app(tmp_path), Settings()).foundation.storage
    for team in ("vision", "vision-2"):
        for place in (storage.checkpoint_prefix, storage.output_prefix, storage.checkpoint_uri, storage.output_uri):
            assert place(team).endswith(f"{team}/")
    assert not storage.checkpoint_prefix("vision-2").startswith(storage.checkpoint_prefix("vision"))
