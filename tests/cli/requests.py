"""A training request that nothing is wrong with."""

from typing import Any

GOOD: dict[str, Any] = {
    "TrainingJobName": "detector-1",
    "RoleArn": "arn:aws:iam::111122223333:role/training",
    "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
    "OutputDataConfig": {"S3OutputPath": "s3://artifacts/"},
    "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
    "StoppingCondition": {"MaxRuntimeInSeconds": 7200},
}
