"""What teams find after `cdk deploy`: their parameter and documents, also when a team goes and when storage changes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from local.laptop import Laptop
from local.problems import LaptopError

pytestmark = pytest.mark.local
KEY = "arn:aws:kms:us-east-1:000000000000:key/00000000-0000-0000-0000-000000000001"


@dataclass
class Deployment:
    """A deployment beside the product's, for other jobs."""

    laptop: Laptop
    config: Path

    def deploy(self, **settings: Any) -> None:
        own = {"name": "blue", "scope": {"tags": {"deployment": "blue"}}, "termination_protection": False}
        self.config.write_text(yaml.safe_dump({**own, **settings}), encoding="utf-8")
        self.laptop.deploy(config=self.config)

    @property
    def artifacts(self) -> str:
        """The artifact bucket, whose generated name the stack says."""
        stack = self.laptop.client("cloudformation").describe_stacks(StackName="blue-foundation")["Stacks"][0]
        return next(str(item["OutputValue"]) for item in stack["Outputs"] if item["OutputKey"] == "ArtifactBucketName")

    def parameters(self) -> dict[str, Any]:
        found = self.laptop.client("ssm").get_parameters_by_path(Path="/blue/teams")["Parameters"]
        return {item["Name"].rpartition("/")[2]: json.loads(item["Value"]) for item in found}

    def documents(self) -> Mapping[str, str]:
        s3, bucket = self.laptop.client("s3"), self.artifacts
        keys = [item["Key"] for item in s3.list_objects_v2(Bucket=bucket)["Contents"]]
        return {key: s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode() for key in keys}


@pytest.fixture(scope="module")
def blue(laptop: Laptop, tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    deployment = Deployment(laptop, tmp_path_factory.mktemp("blue") / "blue.yaml")
    deployment.deploy(teams={"vision": {"limits": {"keep_alive": "PT30M"}}, "speech": {}})
    return deployment


def test_a_team_finds_its_facts_in_a_parameter_and_the_same_in_its_prefix(blue: Deployment) -> None:
    facts, documents = blue.parameters(), blue.documents()
    assert set(facts) == {"vision", "speech"}
    for team, fact in facts.items():
        assert json.loads(documents[f"{team}/trainops/team.json"]) == fact
        assert fact["output_uri"] == f"s3://{blue.artifacts}/{team}/"
    vision = facts["vision"]
    assert (vision["account"], vision["region"]) == (blue.laptop.account, blue.laptop.region)
    assert vision["limits"]["keep_alive_seconds"] == 1800
    role = vision["role_arn"].rpartition("/")[2]
    assert blue.laptop.client("iam").get_role(RoleName=role)["Role"]["Arn"] == vision["role_arn"]


def test_the_sdks_file_is_yaml_with_the_deployed_names_in_it(blue: Deployment) -> None:
    document = yaml.safe_load(blue.documents()["vision/trainops/sagemaker-config.yaml"])
    assert document["SageMaker"]["TrainingJob"]["RoleArn"] == blue.parameters()["vision"]["role_arn"]
    session = document["SageMaker"]["PythonSDK"]["Modules"]["Session"]
    assert session == {"DefaultS3Bucket": blue.artifacts, "DefaultS3ObjectKeyPrefix": "vision/jobs"}


@pytest.mark.case("CD-04")
def test_a_team_that_goes_takes_its_facts_along_and_leaves_what_was_learnt(blue: Deployment) -> None:
    learnt = '{"version": 1, "by_fingerprint": {"0123456789abcdef": {"seconds": 600}}}'
    for team in ("vision", "speech"):
        key = f"{team}/trainops/recommendations.json"
        blue.laptop.client("s3").put_object(Bucket=blue.artifacts, Key=key, Body=learnt.encode())
    before = _physical_id(blue)
    blue.deploy(teams={"vision": {"limits": {"keep_alive": "PT10M"}}})
    assert {name: fact["limits"]["keep_alive_seconds"] for name, fact in blue.parameters().items()} == {"vision": 600}
    documents = blue.documents()
    assert sorted(documents) == [
        "speech/trainops/recommendations.json",
        "vision/trainops/recommendations.json",
        "vision/trainops/sagemaker-config.yaml",
        "vision/trainops/team.json",
    ]
    assert {text for key, text in documents.items() if key.endswith("recommendations.json")} == {learnt}
    assert _physical_id(blue) == before


def _physical_id(blue: Deployment) -> str:
    found = blue.laptop.client("cloudformation").describe_stack_resources(StackName="blue-access")["StackResources"]
    [resource] = [item for item in found if item["ResourceType"] == "Custom::TeamPublication"]
    return str(resource["PhysicalResourceId"])


@pytest.mark.case("CD-13", "CD-19")
def test_another_key_or_bucket_is_refused_and_nothing_has_changed(
    blue: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    bucket, documents = blue.artifacts, blue.documents()
    for artifacts in ({"key_arn": KEY}, {"bucket": "somebody-elses"}):
        with pytest.raises(LaptopError, match="cdk deploy"):
            blue.deploy(teams={"vision": {}}, storage={"artifacts": artifacts})
        assert "ArtifactsBucketAndKeyAreChosenOnce" in capfd.readouterr().err
        assert blue.artifacts == bucket
        assert blue.documents() == documents
