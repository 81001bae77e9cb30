"""Where a deployment's ledger is, and which account its jobs are in: from the foundation stack's description.

Calls: DescribeStacks, then the ledger's own Query, GetItem and BatchGetItem, with the caller's credentials.
"""

import re
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import ClientError

OUTPUT = "LedgerTableName"
NAME = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
JOB_ARN = re.compile(r"arn:[^:]+:sagemaker:([^:]+):\d{12}:training-job/[a-zA-Z0-9-]+", re.IGNORECASE)
ACCEPTED = "a training job's name, such as resnet-1, or its ARN"


class WhyError(Exception):
    """What a person can put right; the text says how."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One deployment of trainops as a client sees it. `stack` is the foundation stack's ARN."""

    dynamodb: Any
    table: str
    stack: str

    @classmethod
    def found(cls, name: str, region: str | None) -> "Deployment":
        """The deployment in the Region given, else the configured one. Raises WhyError, and botocore's own errors."""
        session = boto3.Session(region_name=region)
        stack = f"{name}-foundation"
        try:
            [answer] = session.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
        except ClientError as error:
            if "does not exist" not in error.response["Error"].get("Message", ""):
                raise
            raise WhyError(
                f"no stack {stack} in {session.region_name}; accepted: --deployment with the name in its settings, "
                "and the --region it is deployed in"
            ) from error
        outputs = {item["OutputKey"]: item["OutputValue"] for item in answer.get("Outputs", ())}
        if OUTPUT not in outputs:
            raise WhyError(f"the stack {stack} has no output {OUTPUT}: it is not trainops, or its deployment failed")
        return cls(session.client("dynamodb"), outputs[OUTPUT], answer["StackId"])

    def job_arn(self, job: str) -> str:
        """The ARN, in lower case as the ledger has it, of a job in the deployment's account and Region."""
        if job.startswith("arn:"):
            return job.lower()
        _, partition, _, region, account, _ = self.stack.split(":", 5)
        return f"arn:{partition}:sagemaker:{region}:{account}:training-job/{job}".lower()


def region_of(job: str) -> str | None:
    """The Region in a job's ARN, None for a name. Raises WhyError when it is neither."""
    if match := JOB_ARN.fullmatch(job):
        return match.group(1)
    if NAME.fullmatch(job):
        return None
    raise WhyError(f"{job!r}; accepted: {ACCEPTED}")
