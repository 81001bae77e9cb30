"""What a team's jobs may do under their role, as deployed: nobody but SageMaker can assume it, so it is simulated."""

from typing import Any

import pytest

from tests.local.teams import KEYS, Teams

pytestmark = pytest.mark.local
LOG = "arn:aws:logs:us-east-1:000000000000:log-group:"
EC2 = "arn:aws:ec2:us-east-1:000000000000:"
MAY = [
    ("write a checkpoint", "s3:PutObject", "checkpoints/vision/run/1.pt", {}),
    ("mirror a checkpoint's deletion", "s3:DeleteObject", "checkpoints/vision/run/1.pt", {}),
    ("list its checkpoints", "s3:ListBucket", "checkpoints", {"s3:prefix": "vision/run/"}),
    ("leave an artifact", "s3:PutObject", "artifacts/vision/model.tar.gz", {}),
    ("read its data", "s3:GetObject", "arn:aws:s3:::example-data/images/1.png", {}),
    ("list its data", "s3:ListBucket", "arn:aws:s3:::example-data", {"s3:prefix": "images/"}),
    ("write its log", "logs:PutLogEvents", f"{LOG}/aws/sagemaker/TrainingJobs:log-stream:job/algo-1", {}),
    ("send its metrics", "cloudwatch:PutMetricData", "*", {"cloudwatch:namespace": "/aws/sagemaker/TrainingJobs"}),
    ("pull an image of AWS", "ecr:BatchGetImage", "arn:aws:ecr:us-east-1:111122223333:repository/pytorch-training", {}),
    ("attach to its subnet", "ec2:CreateNetworkInterface", f"{EC2}subnet/subnet-0a", {}),
    ("encrypt its output", "kms:GenerateDataKey", f"{KEYS}2", {}),
]
MAY_NOT = [
    ("read another team's checkpoint", "s3:GetObject", "checkpoints/language/run/1.pt", {}),
    ("write another team's artifact", "s3:PutObject", "artifacts/language/model.tar.gz", {}),
    ("write where a name begins alike", "s3:PutObject", "checkpoints/vision-2/1.pt", {}),
    ("delete an artifact", "s3:DeleteObject", "artifacts/vision/model.tar.gz", {}),
    ("forge the team's facts", "s3:PutObject", "artifacts/vision/trainops/team.json", {}),
    ("list a whole bucket", "s3:ListBucket", "checkpoints", {}),
    ("list another team's checkpoints", "s3:ListBucket", "checkpoints", {"s3:prefix": "language/"}),
    ("write its data", "s3:PutObject", "arn:aws:s3:::example-data/images/1.png", {}),
    ("read other data", "s3:GetObject", "arn:aws:s3:::example-data/salaries.csv", {}),
    ("write another log", "logs:PutLogEvents", f"{LOG}/aws/lambda/x:log-stream:y", {}),
    ("send other metrics", "cloudwatch:PutMetricData", "*", {"cloudwatch:namespace": "trainops"}),
    ("push an image", "ecr:PutImage", "arn:aws:ecr:us-east-1:000000000000:repository/x", {}),
    ("attach to another subnet", "ec2:CreateNetworkInterface", f"{EC2}subnet/subnet-0c", {}),
    ("use another key", "kms:Decrypt", f"{KEYS}9", {}),
    ("start a job", "sagemaker:CreateTrainingJob", "arn:aws:sagemaker:us-east-1:000000000000:training-job/x", {}),
    ("pass a role", "iam:PassRole", "arn:aws:iam::000000000000:role/people-vision", {}),
    ("forge an announcement", "events:PutEvents", "arn:aws:events:us-east-1:000000000000:event-bus/default", {}),
]


def decision(teams: Teams, action: str, resource: str, context: dict[str, Any]) -> str:
    buckets = {kind: teams.outputs[f"{kind.capitalize()[:-1]}BucketName"] for kind in ("checkpoints", "artifacts")}
    for kind, name in buckets.items():
        if resource.startswith(kind):
            resource = f"arn:aws:s3:::{name}{resource.removeprefix(kind)}"
    return teams.simulated("vision", action, resource, context, principal=teams.role("vision"))[0]


@pytest.mark.parametrize(("what", "action", "resource", "context"), MAY, ids=[case[0] for case in MAY])
def test_a_job_can(teams: Teams, what: str, action: str, resource: str, context: dict[str, Any]) -> None:
    assert decision(teams, action, resource, context) == "allowed"


@pytest.mark.parametrize(("what", "action", "resource", "context"), MAY_NOT, ids=[case[0] for case in MAY_NOT])
def test_a_job_cannot(teams: Teams, what: str, action: str, resource: str, context: dict[str, Any]) -> None:
    assert decision(teams, action, resource, context) != "allowed"


@pytest.mark.case("IA-07")
def test_an_encrypted_job_is_created_and_sagemakers_own_grant_is_let_through(teams: Teams) -> None:
    changes = {"ResourceConfig.InstanceType": "ml.m5.xlarge", "ResourceConfig.VolumeKmsKeyId": f"{KEYS}1"}
    job = teams.job("vision", "encrypted", changes)
    assert teams.attempt("vision", "sagemaker", "create_training_job", **job) == "OK"
    assert decision(teams, "kms:CreateGrant", f"{KEYS}1", {"kms:GrantIsForAWSResource": "false"}) == "allowed"
    assert decision(teams, "kms:CreateGrant", f"{KEYS}2", {}) == "implicitDeny"
