"""Everything without state: the capabilities, put together."""

from typing import Any

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Runtime
from stacks.building_blocks.layer_version import Layer
from stacks.capabilities.job_intake import JobIntake
from stacks.capabilities.job_notifications import JobNotifications
from stacks.capabilities.job_reconcile import JobReconcile
from stacks.foundation_stack import FoundationStack
from stacks.settings import Settings


class OperationsStack(Stack):
    """Can be destroyed and deployed again; only messages that wait in its queues at that moment are lost."""

    def __init__(
        self, scope: Construct, construct_id: str, *, foundation: FoundationStack, settings: Settings, **stack: Any
    ) -> None:
        super().__init__(scope, construct_id, **stack)
        alarms = Alarms(self, "Alarms", emails=settings.alarms.emails)
        runtime = Runtime(layer=Layer(self, "Layer"), log_retention_days=settings.log_retention_days)
        intake = JobIntake(self, "JobIntake", foundation=foundation, settings=settings, runtime=runtime, alarms=alarms)
        JobReconcile(
            self,
            "JobReconcile",
            foundation=foundation,
            settings=settings,
            runtime=runtime,
            job_events=intake.work,
            alarms=alarms,
        )
        JobNotifications(
            self, "JobNotifications", foundation=foundation, settings=settings, runtime=runtime, alarms=alarms
        )
        CfnOutput(self, "AlarmTopicArn", value=alarms.topic.topic_arn)
