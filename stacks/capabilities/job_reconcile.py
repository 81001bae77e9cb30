"""On a schedule: jobs whose events were lost, put on the intake's queue."""

from datetime import timedelta

from aws_cdk import Duration
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.schedule import schedule
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX, FoundationStack
from trainops.environment import JobReconcile as Environment
from trainops.telemetry import Metric

LIST_SPACING = timedelta(seconds=2)
"""Half a ListTrainingJobs call per second: a quarter of the account's limit, which is not adjustable."""


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
        schedule(
            self,
            function,
            every=settings.reconcile.every,
            description="Looks for training jobs that events missed",
            dead_letters=foundation.dead_letter_queues.job_reconcile,
        )
        alarms.scheduled(function, foundation.dead_letter_queues.job_reconcile)
        alarms.published(
            function,
            Metric.WALK_CUT_SHORT,
            "For an hour no search for missed jobs came to its end. Its log says what stopped it",
            "walk-cut-short",
            periods=4,
        )
        alarms.heartbeat(
            function,
            settings.reconcile.every,
            "No search for missed jobs was made in two intervals, so jobs whose events are lost stay unknown",
            "reconciler-silent",
        )


def _permit(function: Function, foundation: FoundationStack, job_events: WorkQueue) -> None:
    ledger = foundation.ledger.table_arn
    function.may(["sagemaker:ListTrainingJobs"], ["*"])
    function.may(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem"], [ledger])
    function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
    function.may(["sqs:SendMessage"], [job_events.queue.queue_arn])
