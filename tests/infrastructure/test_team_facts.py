"""A team's facts, and the same as the SageMaker SDK's own configuration file."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from stacks.capabilities.sdk_defaults import sdk_defaults
from stacks.capabilities.team_facts import first_recommendations, team_facts
from stacks.deployment import add_stacks
from stacks.settings import Settings
from stacks.team_settings import Team
from tests.infrastructure.conftest import new_app

ROLE = "arn:aws:iam::111122223333:role/vision-training"
KEY = "arn:aws:kms:eu-central-1:111122223333:key/00000000-0000-0000-0000-00000000000"
NETWORK = {"subnets": ["subnet-0a", "subnet-0b"], "security_groups": ["sg-0a"]}
EVERYTHING = {
    "data": ["s3://example-data/images/"],
    "limits": {
        "keep_alive": "PT30M", "runtime": "P2D", "instance_types": ["ml.m5.*"],
        "network_isolation": True, "encrypt_between_containers": True,
    },
    "network": NETWORK,
    "keys": {"volume": f"{KEY}1", "output": f"{KEY}2"},
}  # fmt: skip
EXISTING = {"storage": {"checkpoints": {"bucket": "my-checkpoints"}, "artifacts": {"bucket": "my-artifacts"}}}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Facts of any team, in buckets whose names are known."""
    app = new_app(tmp_path_factory.mktemp("facts"))
    storage = add_stacks(app, Settings.model_validate(EXISTING)).foundation.storage

    def of(**team: Any) -> Mapping[str, Any]:
        return team_facts(
            Team.model_validate(team),
            name="vision",
            deployment="trainops",
            account="111122223333",
            region="eu-central-1",
            role_arn=ROLE,
            storage=storage,
        )

    return of


def defaults(document: Mapping[str, Any]) -> Any:
    text = sdk_defaults(document, bucket="my-artifacts", prefix="vision/jobs", uri="s3://my-artifacts/vision/x.yaml")
    assert "&" not in text, "no YAML anchors: people read this"
    assert "=s3://my-artifacts/vision/x.yaml\n" in text
    return yaml.safe_load(text)


def test_the_facts_are_version_1_of_the_document(facts: Any) -> None:
    assert json.loads(json.dumps(facts(**EVERYTHING))) == {
        "version": 1,
        "deployment": "trainops",
        "team": "vision",
        "account": "111122223333",
        "region": "eu-central-1",
        "role_arn": ROLE,
        "checkpoint_uri": "s3://my-checkpoints/vision/",
        "output_uri": "s3://my-artifacts/vision/",
        "data_uris": ["s3://example-data/images/"],
        "network": NETWORK,
        "keys": {"volume": f"{KEY}1", "output": f"{KEY}2"},
        "limits": {
            "keep_alive_seconds": 1800,
            "runtime_seconds": 172800,
            "instance_types": ["ml.m5.*"],
            "network_isolation": True,
            "encrypt_between_containers": True,
        },
        "remote_access": "none",
        "tags": {"team": "vision"},
        "required_tags": ["team", "owner"],
        "recommended_keep_alive_seconds": 0,
        "recommendations_uri": "s3://my-artifacts/vision/trainops/recommendations.json",
    }


def test_what_a_team_does_not_have_is_null_and_not_left_out(facts: Any) -> None:
    bare = facts()
    assert (bare["network"], bare["keys"], bare["data_uris"]) == (None, {"volume": None, "output": None}, [])
    assert bare.keys() == facts(**EVERYTHING).keys()


def test_nothing_is_recommended_before_anything_was_learnt() -> None:
    assert first_recommendations("vision") == {
        "version": 1,
        "team": "vision",
        "generated_at": None,
        "default_seconds": 0,
        "by_fingerprint": {},
    }


def test_the_sdks_defaults_carry_role_network_keys_and_tags(facts: Any) -> None:
    """The keys are those of the SDK's own schema, which refuses any other."""
    assert defaults(facts(**EVERYTHING)) == {
        "SchemaVersion": "1.0",
        "SageMaker": {
            "PythonSDK": {
                "Modules": {
                    "Session": {"DefaultS3Bucket": "my-artifacts", "DefaultS3ObjectKeyPrefix": "vision/jobs"},
                    "ModelTrainer": {
                        "networking": {
                            "subnets": NETWORK["subnets"],
                            "security_group_ids": NETWORK["security_groups"],
                            "enable_network_isolation": True,
                            "enable_inter_container_traffic_encryption": True,
                        }
                    },
                }
            },
            "TrainingJob": {
                "RoleArn": ROLE,
                "EnableNetworkIsolation": True,
                "EnableInterContainerTrafficEncryption": True,
                "Tags": [{"Key": "team", "Value": "vision"}],
                "VpcConfig": {"SecurityGroupIds": NETWORK["security_groups"], "Subnets": NETWORK["subnets"]},
                "OutputDataConfig": {"KmsKeyId": f"{KEY}2"},
                "ResourceConfig": {"VolumeKmsKeyId": f"{KEY}1"},
            },
        },
    }


def test_the_sdks_defaults_of_a_team_without_choices_leave_everything_else_to_the_job(facts: Any) -> None:
    document = defaults(facts())["SageMaker"]
    assert set(document["TrainingJob"]) == {
        "RoleArn",
        "EnableNetworkIsolation",
        "EnableInterContainerTrafficEncryption",
        "Tags",
    }
    assert set(document["PythonSDK"]["Modules"]) == {"Session"}, "older releases of SDK 2 know no other"


@pytest.mark.parametrize(
    ("types", "by_default"),
    [
        (["ml.m5.*", "ml.p3.2xlarge"], True),
        (["ml.m5.*", "ml.g5.*"], False),
        (["ml.g5.xlarge"], False),
        (["ml.newfamily.*"], False),
        ([], False),
    ],
)
def test_the_volume_key_is_a_default_only_where_no_allowed_type_refuses_it(
    facts: Any, types: list[str], by_default: bool
) -> None:
    document = facts(keys={"volume": f"{KEY}1"}, limits={"instance_types": types})
    assert ("ResourceConfig" in defaults(document)["SageMaker"]["TrainingJob"]) is by_default
