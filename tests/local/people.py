"""Jobs that people start and that fail, with what their containers printed, on the local AWS."""

import json
from contextlib import suppress

from local.account import role_arn
from local.waiting import until
from tests.local.product import Product

GROUP = "/aws/sagemaker/TrainingJobs"
FAILS = {"outcome": "Failed", "failure_reason": "AlgorithmError: Exit Code: 139"}
EAGER = [{"Key": "team", "Value": "eager"}]


def failed_with_log(product: Product, name: str, *lines: str) -> None:
    """Run a job of a team that wants log lines to its failure, and wait for the messages."""
    logs, stream = product.laptop.client("logs"), f"{name}/algo-1-1732970000"
    with suppress(logs.exceptions.ResourceAlreadyExistsException):
        logs.create_log_group(logGroupName=GROUP)
    logs.create_log_stream(logGroupName=GROUP, logStreamName=stream)
    events = [{"timestamp": 1732970000000 + number, "message": line} for number, line in enumerate(lines)]
    logs.put_log_events(logGroupName=GROUP, logStreamName=stream, logEvents=events)
    product.run_job(name, plan=FAILS, Tags=EAGER)
    product.advance(minutes=20)
    product.told(name)


def started_by(product: Product, session: str, name: str) -> None:
    """A person under a role of their own starts a job that names no owner, in an account with a trail."""
    iam, role = product.laptop.client("iam"), "researcher"
    trust = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{product.laptop.account}:root"}}
    document = {"Version": "2012-10-17", "Statement": [{**trust, "Action": "sts:AssumeRole"}]}
    may = {"Effect": "Allow", "Action": ["sagemaker:CreateTrainingJob", "iam:PassRole"], "Resource": "*"}
    with suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_role(RoleName=role, AssumeRolePolicyDocument=json.dumps(document))
    policy = json.dumps({"Version": "2012-10-17", "Statement": [may]})
    iam.put_role_policy(RoleName=role, PolicyName="jobs", PolicyDocument=policy)
    sagemaker = product.laptop.as_role(f"arn:aws:iam::{product.laptop.account}:role/{role}", "sagemaker", session)
    product.laptop.control.plan(name, training_seconds=600)
    product.laptop.control.set_api_call_events(on=True)
    sagemaker.create_training_job(
        TrainingJobName=name,
        RoleArn=role_arn(product.laptop),
        AlgorithmSpecification={
            "TrainingImage": "111122223333.dkr.ecr.us-east-1.amazonaws.com/t:1",
            "TrainingInputMode": "File",
        },
        ResourceConfig={"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        OutputDataConfig={"S3OutputPath": "s3://example-artifacts/"},
        StoppingCondition={"MaxRuntimeInSeconds": 86400},
    )
    product.laptop.control.set_api_call_events(on=False)
    until(lambda: product.records(name), "the record of its start")
    product.quiet()
