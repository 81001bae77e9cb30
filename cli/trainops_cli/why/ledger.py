"""Where a deployment's ledger is, and which account its jobs are in: from the foundation stack's description.

Calls: DescribeStacks, then the ledger's own Query, GetItem and BatchGetItem, with the caller's credentials.
"""

import re
from dataclasses import dataclass
from typing import Any

from trainops_cli.deployed import Foundation, Mistake

OUTPUT = "LedgerTableName"
NAME = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
JOB_ARN = re.compile(r"arn:[^:]+:sagemaker:([^:]+):\d{12}:training-job/[a-zA-Z0-9-]+", re.IGNORECASE)
ACCEPTED = "a training job's name, such as resnet-1, or its ARN"


@dataclass(frozen=True, slots=True)
class Deployment:
    """One deployment of trainops as a client sees it. `stack` is the foundation stack's ARN."""

    dynamodb: Any
    table: str
    stack: str

    @classmethod
    def found(cls, name: str, region: str | None) -> "Deployment":
        """The deployment in the Region given, else the configured one. Raises Mistake, and botocore's own errors."""
        foundation = Foundation.found(name, region)
        return cls(foundation.session.client("dynamodb"), foundation.output(OUTPUT), foundation.stack)

    def job_arn(self, job: str) -> str:
        """The ARN, in lower case as the ledger has it, of a job in the deployment's account and Region."""
        if job.startswith("arn:"):
            return job.lower()
        _, partition, _, region, account, _ = self.stack.split(":", 5)
        return f"arn:{partition}:sagemaker:{region}:{account}:training-job/{job}".lower()


def region_of(job: str) -> str | None:
    """The Region in a job's ARN, None for a name. Raises Mistake when it is neither."""
    if match := JOB_ARN.fullmatch(job):
        return match.group(1)
    if NAME.fullmatch(job):
        return None
    raise Mistake(f"{job!r}; accepted: {ACCEPTED}")
