"""Every day: whether every job that finished in the last seven days is in the metrics."""

from datetime import timedelta

from aws_cdk import Duration
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.schedule import schedule
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX
from trainops.environment import MetricsRecount as Environment
from trainops.telemetry import Metric

EVERY = timedelta(days=1)
"""An alarm looks back on seven days at most (PutMetricAlarm): the silence of a weekly schedule could not ring."""


class MetricsRecount(Construct):
    """Schedule → `metrics_recount`, which only reads."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, alarms = shared.foundation, shared.alarms
        dead_letters = foundation.dead_letter_queues.metrics_recount
        function = Function(
            self,
            "Function",
            name="metrics_recount",
            description="Compares the week's finished jobs with the metrics, and says what spot came to",
            environment=Environment(ledger_table=foundation.ledger.table_name),
            runtime=shared.runtime,
            timeout=Duration.minutes(10),
        )
        ledger = foundation.ledger.table_arn
        function.may(["dynamodb:BatchGetItem"], [ledger])
        function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
        schedule(self, function, every=EVERY, description="Counts the week's jobs again", dead_letters=dead_letters)
        alarms.scheduled(function, dead_letters)
        alarms.published(
            function,
            Metric.RECOUNT_DRIFT,
            "Jobs of the last week are not in the metrics. The log of the recount names them",
            "recount-drift",
        )
        alarms.silent(
            function,
            EVERY,
            "Nobody compared the metrics with the ledger in two days, so jobs that are missing there stay so unnoticed",
            "recount-silent",
        )
