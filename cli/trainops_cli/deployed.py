"""A deployment as the command line finds it: its stacks' outputs and queues, with the caller's own credentials.

Calls: DescribeStacks and ListStackResources.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import typer
from botocore.exceptions import BotoCoreError, ClientError
from rich.console import Console

from trainops.errors import TryLater

QUEUE = "AWS::SQS::Queue"
CDK_SUFFIX = re.compile(r"[0-9A-F]{8}\Z")


class Mistake(Exception):
    """What a person can put right; the text says how."""


@contextmanager
def said_plainly() -> Iterator[None]:
    """What a person can put right, and what AWS refuses, as one line on stderr and exit code 2, without a trace."""
    try:
        yield
    except (Mistake, TryLater, BotoCoreError, ClientError) as error:
        Console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error


@dataclass(frozen=True, slots=True)
class Foundation:
    """The stack that holds a deployment's state. `stack` is its ARN."""

    session: Any
    name: str
    stack: str
    outputs: Mapping[str, str]

    @classmethod
    def found(cls, name: str, region: str | None) -> "Foundation":
        """In the Region given, else the configured one. Raises Mistake, and botocore's own errors."""
        session = boto3.Session(region_name=region)
        stack = f"{name}-foundation"
        try:
            [answer] = session.client("cloudformation").describe_stacks(StackName=stack)["Stacks"]
        except ClientError as error:
            if "does not exist" not in error.response["Error"].get("Message", ""):
                raise
            raise Mistake(
                f"no stack {stack} in {session.region_name}; accepted: --deployment with the name in its settings, "
                "and the --region it is deployed in"
            ) from error
        outputs = {item["OutputKey"]: item["OutputValue"] for item in answer.get("Outputs", ())}
        return cls(session, name, answer["StackId"], outputs)

    def output(self, key: str) -> str:
        """The value of one output. Raises Mistake when the stack has none of that name."""
        if key not in self.outputs:
            raise Mistake(
                f"the stack {self.name}-foundation has no output {key}: it is not trainops, or its deployment failed"
            )
        return self.outputs[key]

    def queues(self, stack: str) -> dict[str, str]:
        """URLs of the queues of the stack `foundation` or `operations`, by logical ID without CDK's eight letters."""
        pages = self.session.client("cloudformation").get_paginator("list_stack_resources")
        return {
            CDK_SUFFIX.sub("", item["LogicalResourceId"]): item["PhysicalResourceId"]
            for page in pages.paginate(StackName=f"{self.name}-{stack}")
            for item in page["StackResourceSummaries"]
            if item["ResourceType"] == QUEUE and item.get("PhysicalResourceId")
        }
