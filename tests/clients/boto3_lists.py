"""boto3's paginators and waiters. Arguments: the execution role's ARN, an S3 address for output."""

import sys
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import WaiterError

role, output = sys.argv[1:]
JOBS = 7
client: Any = boto3.client("sagemaker", config=Config(retries={"mode": "standard", "max_attempts": 8}))


def create(name: str, program: str) -> None:
    """A job that runs the program."""
    client.create_training_job(
        TrainingJobName=name,
        RoleArn=role,
        AlgorithmSpecification={
            "TrainingImage": "local/python:3",
            "TrainingInputMode": "File",
            "ContainerEntrypoint": ["python"],
            "ContainerArguments": ["-c", program],
        },
        OutputDataConfig={"S3OutputPath": output},
        ResourceConfig={"InstanceType": "ml.c5.4xlarge", "InstanceCount": 1, "VolumeSizeInGB": 10},
        StoppingCondition={"MaxRuntimeInSeconds": 86_400},
        Tags=[{"Key": "client", "Value": "boto3"}],
    )


names = [f"boto3-{number}" for number in range(JOBS)]
for name in names:
    create(name, "raise SystemExit(3)" if name == names[-1] else "print('trains')")

waiter = client.get_waiter("training_job_completed_or_stopped")
for name in names[:-1]:
    waiter.wait(TrainingJobName=name, WaiterConfig={"Delay": 2, "MaxAttempts": 150})
try:
    waiter.wait(TrainingJobName=names[-1], WaiterConfig={"Delay": 2, "MaxAttempts": 150})
except WaiterError as error:
    assert "terminal failure state" in str(error), error  # noqa: PT017 - this script has no pytest
else:
    raise AssertionError("the waiter takes a failed job for a completed one")

pages = client.get_paginator("list_training_jobs").paginate(
    NameContains="boto3-", SortBy="Name", SortOrder="Ascending", PaginationConfig={"PageSize": 3}
)
sizes, listed = [], []
for page in pages:
    sizes.append(len(page["TrainingJobSummaries"]))
    listed += [each["TrainingJobName"] for each in page["TrainingJobSummaries"]]
assert (sizes, listed) == ([3, 3, 1], names), (sizes, listed)

mine = {"Name": "Tags.client", "Operator": "Equals", "Value": "boto3"}
found = client.get_paginator("search").paginate(
    Resource="TrainingJob", SearchExpression={"Filters": [mine]}, PaginationConfig={"PageSize": 2}
)
assert sorted(each["TrainingJob"]["TrainingJobName"] for page in found for each in page["Results"]) == names

tags = client.get_paginator("list_tags").paginate(
    ResourceArn=client.describe_training_job(TrainingJobName=names[0])["TrainingJobArn"]
)
assert [tag for page in tags for tag in page["Tags"]] == [{"Key": "client", "Value": "boto3"}]

quotas = boto3.client("service-quotas").get_paginator("list_service_quotas").paginate(ServiceCode="sagemaker")
codes = [quota["QuotaCode"] for page in quotas for quota in page["Quotas"]]
assert len(codes) == len(set(codes)) > 0

events = (
    boto3.client("logs")
    .get_paginator("filter_log_events")
    .paginate(logGroupName="/aws/sagemaker/TrainingJobs", logStreamNamePrefix=f"{names[0]}/")
)
messages = [event["message"] for page in events for event in page["events"]]
assert messages == ["trains"], messages
