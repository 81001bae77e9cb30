"""One of our functions: its code, role, log group and environment. One trigger, one function, one handler file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import Duration, IgnoreMode
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from stacks.building_blocks.layer import ROOT
from stacks.building_blocks.log_group import log_group
from trainops.environment import Environment
from trainops.telemetry import NAMESPACE

SHIPPED = ["/*", "!/handlers/", "!/trainops/", "__pycache__/", "*.pyc"]
"""Of lambdas/, in .gitignore's language: only the packages; what Python leaves behind would change the asset's hash."""


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """What all functions of a deployment share."""

    layer: lambda_.ILayerVersion
    log_retention_days: int


class Function(Construct):
    """`handlers.<name>.handler` on Python 3.13 and arm64.

    Its role starts with nothing but writing to its own log group; `may` adds one literal statement at a time. No
    reserved concurrency: small accounts cannot afford it, so queues limit how many run at once.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        description: str,
        environment: Environment,
        runtime: Runtime,
        timeout: Duration,
        memory_mb: int = 512,
    ) -> None:
        super().__init__(scope, construct_id)
        self.name = name
        self._role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            description=f"What {name} may do, call by call",
        )
        self.logs = log_group(self, runtime.log_retention_days)
        self.may(["logs:CreateLogStream", "logs:PutLogEvents"], [self.logs.log_group_arn])
        self.function = lambda_.Function(
            self,
            "Function",
            description=description,
            runtime=lambda_.Runtime.PYTHON_3_13,
            architecture=lambda_.Architecture.ARM_64,
            code=_code(),
            handler=f"handlers.{name}.handler",
            layers=[runtime.layer],
            environment=environment.to_env() | _powertools(name),
            role=self._role,
            log_group=self.logs,
            timeout=timeout,
            memory_size=memory_mb,
        )

    def may(
        self, actions: Sequence[str], resources: Sequence[str], conditions: Mapping[str, object] | None = None
    ) -> None:
        """Allow exactly these actions on exactly these resources."""
        self._role.add_to_policy(
            iam.PolicyStatement(actions=list(actions), resources=list(resources), conditions=conditions)
        )


def _code() -> lambda_.Code:
    path = os.path.relpath(ROOT / "lambdas")
    return lambda_.Code.from_asset(path, exclude=SHIPPED, ignore_mode=IgnoreMode.GIT)


def _powertools(name: str) -> dict[str, str]:
    return {"POWERTOOLS_SERVICE_NAME": name, "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE}
