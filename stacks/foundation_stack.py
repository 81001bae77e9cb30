"""Everything that holds state: the ledger, the buckets, the bus, the dead-letter queues and the kill switch.

Deploy it before, and keep it longer than, `operations_stack`. What people would miss is retained when the stack goes.
"""

import hashlib
import json
from dataclasses import dataclass, fields

from aws_cdk import CfnOutput, Duration, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from stacks.building_blocks.storage import make_storage
from stacks.settings import Settings

LOOK_INDEX = "look"
SCHEDULED = frozenset(
    {
        *("job_reconcile", "warm_pool_sweep", "metrics_recount", "price_refresh", "checkpoint_watch", "quota_tracker"),
        *("self_check", "weekly_report"),
    }
)
"""Functions whose rule is a schedule; what it cannot deliver, and what fails, goes into one queue."""


@dataclass(frozen=True, kw_only=True)
class DeadLetterQueues:
    """One queue per purpose, so that what lies in it says which step failed. `…_rule` is EventBridge's own."""

    job_events: sqs.Queue
    job_events_rule: sqs.Queue
    job_reconcile: sqs.Queue
    warm_pool_control: sqs.Queue
    warm_pool_control_rule: sqs.Queue
    warm_pool_sweep: sqs.Queue
    spot_savings: sqs.Queue
    spot_savings_rule: sqs.Queue
    metrics_recount: sqs.Queue
    price_refresh: sqs.Queue
    checkpoint_watch: sqs.Queue
    weekly_report: sqs.Queue
    quota_tracker: sqs.Queue
    quota_refusal: sqs.Queue
    quota_refusal_rule: sqs.Queue
    chat_action_work: sqs.Queue
    self_check: sqs.Queue
    job_notification: sqs.Queue
    job_notification_rule: sqs.Queue
    slack: sqs.Queue
    email: sqs.Queue
    topic: sqs.Queue


class FoundationStack(Stack):
    """State of one deployment. It claims its jobs by a parameter with a fixed name, so that CloudFormation refuses a
    second deployment for the same jobs in one account and Region instead of letting both handle each of them.
    """

    def __init__(self, scope: Construct, construct_id: str, *, settings: Settings, **stack: object) -> None:
        super().__init__(scope, construct_id, **stack)  # type: ignore[arg-type]
        self.ledger = self._ledger()
        self.storage = make_storage(
            self, name=settings.name, settings=settings.storage, log_retention_days=settings.log_retention_days
        )
        self.bus = events.EventBus(
            self,
            "Bus",
            description="Training Job Started, Interrupted, Restarted and Finished; events of warm pools and quotas",
        )
        self.dead_letter_queues = DeadLetterQueues(
            **{field.name: self._dead_letter_queue(field.name) for field in fields(DeadLetterQueues)}
        )
        self.kill_switch = self._kill_switch(settings.name)
        self._claim(settings)
        self._keep_exports()
        CfnOutput(self, "LedgerTableName", value=self.ledger.table_name)
        CfnOutput(self, "CheckpointBucketName", value=self.storage.checkpoints.bucket_name)
        CfnOutput(self, "ArtifactBucketName", value=self.storage.artifacts.bucket_name)
        CfnOutput(self, "BusName", value=self.bus.event_bus_name)
        CfnOutput(self, "KillSwitchName", value=self.kill_switch.parameter_name)

    def _ledger(self) -> dynamodb.Table:
        table = dynamodb.Table(
            self,
            "Ledger",
            partition_key=dynamodb.Attribute(name="pk", type=dynamodb.AttributeType.STRING),
            sort_key=dynamodb.Attribute(name="sk", type=dynamodb.AttributeType.STRING),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            time_to_live_attribute="expires_at",
            deletion_protection=True,
            removal_policy=RemovalPolicy.RETAIN,
        )
        # Sparse: only runs that something is waited for, and warm pools, carry these attributes.
        table.add_global_secondary_index(
            index_name=LOOK_INDEX,
            partition_key=dynamodb.Attribute(name="look", type=dynamodb.AttributeType.STRING),
            sort_key=dynamodb.Attribute(name="look_at", type=dynamodb.AttributeType.STRING),
            projection_type=dynamodb.ProjectionType.KEYS_ONLY,
        )
        return table

    def _dead_letter_queue(self, purpose: str) -> sqs.Queue:
        queue = sqs.Queue(
            self,
            "".join(word.capitalize() for word in purpose.split("_")) + "DeadLetters",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(14),
            removal_policy=RemovalPolicy.RETAIN,
        )
        if purpose.endswith("_rule") or purpose in SCHEDULED:
            # The rules are in the other stack, which depends on this one: their names cannot be written here.
            queue.add_to_resource_policy(
                iam.PolicyStatement(
                    actions=["sqs:SendMessage"],
                    principals=[iam.ServicePrincipal("events.amazonaws.com")],
                    resources=[queue.queue_arn],
                    conditions={"ArnLike": {"aws:SourceArn": self.format_arn(service="events", resource="rule/*")}},
                )
            )
        return queue

    def _kill_switch(self, name: str) -> ssm.StringParameter:
        # CloudFormation does not set back a value that was changed outside, as long as the template's stays the same.
        return ssm.StringParameter(
            self,
            "KillSwitch",
            parameter_name=f"/{name}/kill-switch",
            string_value="off",
            description="Any value but off stops every action within half a minute; none is made up for later",
        )

    def _claim(self, settings: Settings) -> None:
        """Two scopes that name the same tags have the same claim; a wider scope over a narrower one is not noticed."""
        tags = json.dumps(settings.scope.tags, sort_keys=True)
        jobs = hashlib.sha256(tags.encode()).hexdigest()[:16] if settings.scope.tags else "every-job"
        ssm.StringParameter(
            self,
            "Claim",
            parameter_name=f"/trainops/claims/{jobs}",
            string_value=settings.name,
            description=f"The deployment that looks after the training jobs with these tags: {tags}"[:1024],
        )

    def _keep_exports(self) -> None:
        """Export the same values whatever the other stack uses at the moment.

        Otherwise turning a channel off, or removing a team, would remove an export that a deployed stack still
        imports, and CloudFormation would refuse the update.
        """
        for queue in (getattr(self.dead_letter_queues, field.name) for field in fields(DeadLetterQueues)):
            for value in (queue.queue_arn, queue.queue_url, queue.queue_name):
                self.export_value(value)
        for bucket in self.storage.own:
            for value in (bucket.bucket_name, bucket.bucket_arn):
                self.export_value(value)
