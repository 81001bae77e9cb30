"""One of our functions as a resource of a stack: CloudFormation calls it when its properties change."""

from collections.abc import Mapping
from typing import Any

from aws_cdk import CustomResource, Duration
from aws_cdk import aws_iam as iam
from aws_cdk.custom_resources import Provider
from constructs import Construct

from stacks.building_blocks.function import Function, Runtime
from stacks.building_blocks.log_group import log_group

PATIENCE = Duration.minutes(5)
"""How long CloudFormation waits for an answer; without it, an hour."""


class AtDeployment(Construct):
    """Calls `function` at create, update and delete, through the CDK's provider framework, which answers CloudFormation
    even when the function cannot be loaded or runs out of time.

    When the stack is deleted, the resource goes first: what its function needs to be called at all is still there.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        kind: str,
        function: Function,
        properties: Mapping[str, Any],
        runtime: Runtime,
    ) -> None:
        super().__init__(scope, construct_id)
        provider = self._provider(function, runtime.log_retention_days)
        self.resource = resource = CustomResource(
            self,
            "Resource",
            resource_type=f"Custom::{kind}",
            service_token=provider.service_token,
            service_timeout=PATIENCE,
            properties=properties,
        )
        # A reference to the function alone would let its policy and log group be deleted before the last call.
        resource.node.add_dependency(function, provider, *self._around)

    def _provider(self, function: Function, retention_days: int) -> Provider:
        logs = log_group(self, retention_days)
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            description=f"Calls {function.name} for CloudFormation",
        )
        target = [function.function.function_arn]
        for actions, resources in (
            (["logs:CreateLogStream", "logs:PutLogEvents"], [logs.log_group_arn]),
            # The framework asks for the function's state when it is not ready yet.
            (["lambda:InvokeFunction", "lambda:GetFunction"], target),
        ):
            role.add_to_policy(iam.PolicyStatement(actions=actions, resources=resources))
        self._around = (role, logs)
        return Provider(
            self,
            "Provider",
            on_event_handler=function.function,
            # The framework would also allow every version of the function.
            framework_on_event_role=role.without_policy_updates(),
            log_group=logs,
        )
