"""On a schedule: jobs whose events were lost, put on the intake's queue."""

from datetime import timedelta

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.rule_to_queue import RETRIES, across_stacks
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX, FoundationStack
from trainops.environment import JobReconcile as Environment
from trainops.telemetry import Metric

LIST_SPACING = timedelta(seconds=2)
"""Half a ListTrainingJobs call per second: a quarter of the account's limit, which is not adjustable."""

MOST_AGE = timedelta(hours=6)
"""How long Lambda keeps an asynchronous invocation at most (EventInvokeConfig)."""


class JobReconcile(Construct):
    """Schedule → `job_reconcile` → the queue of `job_intake`."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared, *, job_events: WorkQueue) -> None:
        super().__init__(scope, construct_id)
        foundation, settings, alarms = shared.foundation, shared.settings, shared.alarms
        function = Function(
            self,
            "Function",
            name="job_reconcile",
            description="Finds training jobs that events missed and asks job_intake to look at them",
            environment=Environment(
                ledger_table=foundation.ledger.table_name,
                job_events_queue_url=job_events.queue.queue_url,
                list_spacing=LIST_SPACING,
                overlap=settings.reconcile.overlap,
            ),
            runtime=shared.runtime,
            timeout=Duration.minutes(5),
        )
        _permit(function, foundation, job_events)
        self._keep_failures(function, foundation.dead_letter_queues.job_reconcile, settings.reconcile.every)
        self._schedule(function, foundation, settings.reconcile.every)
        alarms.errors(function)
        alarms.published(
            function,
            Metric.WALK_CUT_SHORT,
            "For an hour no search for missed jobs came to its end. Its log says what stopped it",
            "walk-cut-short",
            periods=4,
        )
        alarms.dead_letters("job_reconcile", foundation.dead_letter_queues.job_reconcile)

    def _keep_failures(self, function: Function, dead_letters: sqs.IQueue, every: timedelta) -> None:
        """A tick that fails is kept to be read, not repeated: the next one does the same work."""
        function.may(["sqs:SendMessage"], [dead_letters.queue_arn])
        # CDK's own destination would also allow GetQueueUrl and GetQueueAttributes, which nobody calls.
        lambda_.CfnEventInvokeConfig(
            self,
            "Failed",
            function_name=function.function.function_name,
            qualifier="$LATEST",
            maximum_retry_attempts=0,
            maximum_event_age_in_seconds=min(MOST_AGE, every) // timedelta(seconds=1),
            destination_config=lambda_.CfnEventInvokeConfig.DestinationConfigProperty(
                on_failure=lambda_.CfnEventInvokeConfig.OnFailureProperty(destination=dead_letters.queue_arn)
            ),
        )

    def _schedule(self, function: Function, foundation: FoundationStack, every: timedelta) -> None:
        interval = Duration.minutes(every // timedelta(minutes=1))
        target = targets.LambdaFunction(
            function.function,
            dead_letter_queue=across_stacks(self, foundation.dead_letter_queues.job_reconcile),
            max_event_age=interval,
            retry_attempts=RETRIES,
        )
        events.Rule(
            self,
            "Schedule",
            description="Looks for training jobs that events missed",
            schedule=events.Schedule.rate(interval),
            targets=[target],
        )


def _permit(function: Function, foundation: FoundationStack, job_events: WorkQueue) -> None:
    ledger = foundation.ledger.table_arn
    function.may(["sagemaker:ListTrainingJobs"], ["*"])
    function.may(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem"], [ledger])
    function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
    function.may(["sqs:SendMessage"], [job_events.queue.queue_arn])
