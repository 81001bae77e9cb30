"""Every hour: running spot jobs whose last checkpoint is old."""

from datetime import timedelta

from aws_cdk import Duration
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.schedule import schedule
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX
from trainops.environment import CheckpointWatch as Environment
from trainops.telemetry import Metric

EVERY = timedelta(hours=1)


class CheckpointWatch(Construct):
    """Schedule → `checkpoint_watch`, which lists the checkpoint bucket and no other → the trainops bus."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, alarms = shared.foundation, shared.alarms
        bucket, dead_letters = foundation.storage.checkpoints, foundation.dead_letter_queues.checkpoint_watch
        function = Function(
            self,
            "Function",
            name="checkpoint_watch",
            description="Tells which running spot jobs have not written a checkpoint for long",
            environment=Environment(
                ledger_table=foundation.ledger.table_name,
                ledger_retention=shared.settings.ledger.retention,
                bus_name=foundation.bus.event_bus_name,
                checkpoint_bucket=bucket.bucket_name,
                stale_after=shared.settings.storage.checkpoints.stale_after,
            ),
            runtime=shared.runtime,
            timeout=Duration.minutes(5),
        )
        ledger = foundation.ledger.table_arn
        function.may(["dynamodb:BatchGetItem", "dynamodb:PutItem"], [ledger])
        function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
        function.may(["s3:ListBucket"], [bucket.bucket_arn])
        function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])
        schedule(self, function, every=EVERY, description="Looks for old checkpoints", dead_letters=dead_letters)
        alarms.scheduled(function, dead_letters)
        alarms.published(
            function,
            Metric.CHECKPOINTS_OLD,
            "A running spot job has not written a checkpoint for long; its owner was told. The log names both",
            "checkpoints-old",
        )
        alarms.silent(
            function,
            EVERY,
            "Nobody looked for old checkpoints in two hours, so careless spot jobs are not noticed",
            "checkpoint-watch-silent",
        )
