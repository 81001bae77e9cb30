"""On a schedule: warm pools that events missed, put on control's queue; the only place that learns and recommends."""

from collections.abc import Sequence
from datetime import timedelta

from aws_cdk import Duration
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.schedule import schedule
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.shared import Shared
from stacks.capabilities.team_prefixes import RECOMMENDATIONS
from stacks.capabilities.warm_pool_control import UNREADABLE
from stacks.foundation_stack import LOOK_INDEX, FoundationStack
from trainops.environment import WarmPoolSweep as Environment
from trainops.telemetry import Metric

LIST_SPACING = timedelta(seconds=2)
"""Half a ListTrainingJobs call per second: a quarter of the account's limit, which is not adjustable."""


class WarmPoolSweep(Construct):
    """Schedule → `warm_pool_sweep` → the queue of `warm_pool_control`."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        shared: Shared,
        *,
        prefix: str,
        readable: Sequence[str],
        looks: WorkQueue,
    ) -> None:
        super().__init__(scope, construct_id)
        foundation, every = shared.foundation, shared.settings.warm_pools.sweep_every
        function = Function(
            self,
            "Function",
            name="warm_pool_sweep",
            description="Finds warm pools that events missed, learns how long pools should be kept, and recommends it",
            environment=Environment(
                ledger_table=foundation.ledger.table_name,
                bus_name=foundation.bus.event_bus_name,
                artifact_bucket=foundation.storage.artifacts.bucket_name,
                recommendations_name=foundation.storage.output_prefix("{team}") + RECOMMENDATIONS,
                settings_prefix=prefix,
                warm_pools_queue_url=looks.queue.queue_url,
                list_spacing=LIST_SPACING,
            ),
            runtime=shared.runtime,
            timeout=Duration.minutes(5),
        )
        _permit(function, foundation, looks, readable)
        schedule(
            self,
            function,
            every=every,
            description="Looks for warm pools that events missed",
            dead_letters=foundation.dead_letter_queues.warm_pool_sweep,
        )
        _watch(function, shared.alarms, foundation, every)


def _permit(function: Function, foundation: FoundationStack, looks: WorkQueue, readable: Sequence[str]) -> None:
    ledger = foundation.ledger.table_arn
    function.may(["sagemaker:ListTrainingJobs"], ["*"])
    function.may(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem"], [ledger])
    function.may(["dynamodb:Query"], [ledger, f"{ledger}/index/{LOOK_INDEX}"])
    function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])
    function.may(["sqs:SendMessage"], [looks.queue.queue_arn])
    function.may(["ssm:GetParameter"], readable)
    storage = foundation.storage
    # Of every team that is in the settings when the sweep runs: a pattern, since a statement takes only so many.
    function.may(["s3:PutObject"], [storage.artifacts.arn_for_objects(storage.output_prefix("*") + RECOMMENDATIONS)])
    if storage.artifacts_key_arn:
        function.may(["kms:GenerateDataKey"], [storage.artifacts_key_arn])


def _watch(function: Function, alarms: Alarms, foundation: FoundationStack, every: timedelta) -> None:
    alarms.scheduled(function, foundation.dead_letter_queues.warm_pool_sweep)
    alarms.published(function, Metric.NOT_CONFIGURED, UNREADABLE, "not-configured")
    alarms.heartbeat(
        function,
        every,
        "No sweep of warm pools came to its end in two intervals, so what events missed idles on",
        "sweep-silent",
        complete=True,
    )
