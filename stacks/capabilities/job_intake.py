"""Every state change of a training job, recorded once and announced once."""

from datetime import timedelta

from aws_cdk import Annotations, Duration, Stack
from aws_cdk import aws_events as events
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.rule_to_queue import rule_to_queue
from stacks.building_blocks.work_queue import CONCURRENCY, WorkQueue
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX, DeadLetterQueues, FoundationStack
from stacks.settings import FAIR_DESCRIBES, Settings
from trainops.environment import JobIntake as Environment

PATTERN = events.EventPattern(
    source=["aws.sagemaker"],
    detail_type=["SageMaker Training Job State Change"],
    detail={
        "$or": [
            {"TrainingJobStatus": ["Completed", "Failed", "Stopped"]},
            {"TrainingJobStatus": ["InProgress"], "SecondaryStatus": ["Starting", "Interrupted"]},
        ]
    },
)
"""Exactly the changes that are recorded: the start, each interruption and the end."""
CALLS = events.EventPattern(
    source=["aws.sagemaker"],
    detail_type=["AWS API Call via CloudTrail"],
    detail={
        "eventSource": ["sagemaker.amazonaws.com"],
        "eventName": ["CreateTrainingJob", "StartPipelineExecution"],
        "errorCode": [{"exists": False}],
    },
)
"""Who created a job or started a pipeline; only where the account has a trail of management events."""
TIMEOUT = Duration.minutes(1)
BATCH_SIZE = 10
SHARE = 0.75
"""Of the Describe calls that trainops may take; `warm_pool_control` has the rest."""


class JobIntake(Construct):
    """Rule on the default bus → queue → `job_intake` → ledger and trainops bus."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, settings = shared.foundation, shared.settings
        dead_letters = foundation.dead_letter_queues
        self.work = WorkQueue(self, "JobEvents", dead_letter_queue=dead_letters.job_events, timeout=TIMEOUT)
        rule_to_queue(
            self,
            description="State changes of SageMaker training jobs",
            pattern=PATTERN,
            work=self.work,
            undeliverable=dead_letters.job_events_rule,
        )
        rule_to_queue(
            Construct(self, "Calls"),
            description="Who created training jobs and started pipelines, as the account's trail tells",
            pattern=CALLS,
            work=self.work,
            undeliverable=dead_letters.job_events_rule,
        )
        function = Function(
            self,
            "Function",
            name="job_intake",
            description="Records each state change of a training job and announces what is new",
            environment=self._environment(foundation, settings),
            runtime=shared.runtime,
            timeout=TIMEOUT,
        )
        self._permit(function, foundation)
        self.work.feed(function, batch_size=BATCH_SIZE)
        self._watch(function, shared.alarms, dead_letters)
        _warn_above_fair_share(self, settings.limits.describe_per_second)

    def _environment(self, foundation: FoundationStack, settings: Settings) -> Environment:
        return Environment(
            queue_url=self.work.queue.queue_url,
            dead_letter_queue_url=self.work.dead_letter_queue.queue_url,
            ledger_table=foundation.ledger.table_name,
            bus_name=foundation.bus.event_bus_name,
            # Each of the concurrent invocations spaces its own calls; together they keep to the limit.
            describe_spacing=timedelta(seconds=CONCURRENCY / (settings.limits.describe_per_second * SHARE)),
            ledger_retention=settings.ledger.retention,
            scope_tags=settings.scope.tags,
            team_owners={name: team.owners[0] for name, team in settings.teams.items() if team.owners},
            price_overrides=settings.prices,
        )

    def _permit(self, function: Function, foundation: FoundationStack) -> None:
        ledger = foundation.ledger.table_arn
        reads = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"]
        function.may([*reads, "dynamodb:PutItem"], [ledger])
        function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
        jobs = Stack.of(self).format_arn(service="sagemaker", resource="training-job", resource_name="*")
        function.may(["sagemaker:DescribeTrainingJob", "sagemaker:ListTags"], [jobs])
        function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])

    def _watch(self, function: Function, alarms: Alarms, dead_letters: DeadLetterQueues) -> None:
        alarms.consumer(function, "job_events", dead_letters.job_events, dead_letters.job_events_rule)


def _warn_above_fair_share(scope: Construct, describe_per_second: float) -> None:
    if describe_per_second > FAIR_DESCRIBES:
        Annotations.of(scope).add_warning_v2(
            "trainops:describe-share",
            f"limits.describe_per_second is {describe_per_second:g}: above {FAIR_DESCRIBES:g} of the account's 5 per "
            "second, people's own DescribeTrainingJob calls begin to be throttled",
        )
