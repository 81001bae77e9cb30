"""A CreateTrainingJob request that no rule has anything to say about, and its variations."""

from typing import Any

from trainops.domain.findings import Finding
from trainops.domain.request_checks import check_request

RUN, WAIT = "MaxRuntimeInSeconds", "MaxWaitTimeInSeconds"


def request(*, resources: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A request that nothing is said about, with changes."""
    return {
        "TrainingJobName": "detector-1",
        "RoleArn": "arn:aws:iam::111122223333:role/training",
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": "s3://artifacts/"},
        "ResourceConfig": {
            "InstanceType": "ml.g5.xlarge",
            "InstanceCount": 1,
            "VolumeSizeInGB": 30,
            **(resources or {}),
        },
        "StoppingCondition": {RUN: 7200},
        **changes,
    }


def spot(run: int = 7200, wait: int | None = 7200, **changes: Any) -> dict[str, Any]:
    """A managed spot request with checkpoints."""
    stopping = {RUN: run} if wait is None else {RUN: run, WAIT: wait}
    place = {"S3Uri": "s3://checkpoints/detector/"}
    return request(EnableManagedSpotTraining=True, StoppingCondition=stopping, **{"CheckpointConfig": place, **changes})


def only(members: dict[str, Any]) -> Finding:
    """The one finding."""
    [finding] = check_request(members)
    return finding
