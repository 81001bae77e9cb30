"""Each warm pool from its job's end to its own: kept, held, extended or ended."""

from collections.abc import Sequence
from datetime import timedelta

from aws_cdk import Duration, Stack
from aws_cdk import aws_events as events
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.job_updates import permit_holds, permit_updates
from stacks.building_blocks.rule_to_queue import rule_to_queue
from stacks.building_blocks.work_queue import CONCURRENCY, WorkQueue
from stacks.capabilities.job_intake import SHARE
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX, DeadLetterQueues, FoundationStack
from trainops.environment import WarmPoolControl as Environment
from trainops.telemetry import Metric

UPDATES_PER_SECOND = 0.4
"""Of one UpdateTrainingJob per second that the account has; not adjustable, and people use it too."""
TIMEOUT = Duration.minutes(2)
BATCH_SIZE = 5
"""Each message may wait for two Describes, their tags and an Update."""
UNREADABLE = "Settings of warm pools are missing or malformed, so those teams' pools are left alone. The log names them"
PATTERN = events.EventPattern(source=["trainops"], detail_type=["Training Job Finished", "Training Job Started"])
"""An end may leave a pool, a start may take one."""


class WarmPoolControl(Construct):
    """Rule on the trainops bus → queue → `warm_pool_control`, which sends looks ahead to the same queue.

    Unless somebody's settings are `enforced`, or people may press buttons, it may change nothing.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        shared: Shared,
        *,
        prefix: str,
        readable: Sequence[str],
        enforced: bool,
        presses: WorkQueue | None,
    ) -> None:
        super().__init__(scope, construct_id)
        foundation = shared.foundation
        dead_letters = foundation.dead_letter_queues
        self.work = WorkQueue(self, "Looks", dead_letter_queue=dead_letters.warm_pool_control, timeout=TIMEOUT)
        rule_to_queue(
            self,
            description="Jobs that leave or take warm pools",
            bus=foundation.bus,
            pattern=PATTERN,
            work=self.work,
            undeliverable=dead_letters.warm_pool_control_rule,
        )
        function = Function(
            self,
            "Function",
            name="warm_pool_control",
            description="Decides how long warm pools are kept, and ends them where a team enforces that",
            environment=self._environment(shared, prefix, presses),
            runtime=shared.runtime,
            timeout=TIMEOUT,
        )
        self._permit(function, foundation, readable)
        if enforced or presses:
            permit_updates(function, shared.settings.teams, of_teams_only=not enforced)
        if presses:
            permit_holds(function, shared.settings.teams)
            function.may(["sqs:SendMessage"], [presses.queue.queue_arn])
        self.work.feed(function, batch_size=BATCH_SIZE)
        _watch(function, shared.alarms, dead_letters)

    def _environment(self, shared: Shared, prefix: str, presses: WorkQueue | None) -> Environment:
        foundation, settings = shared.foundation, shared.settings
        return Environment(
            queue_url=self.work.queue.queue_url,
            dead_letter_queue_url=self.work.dead_letter_queue.queue_url,
            ledger_table=foundation.ledger.table_name,
            bus_name=foundation.bus.event_bus_name,
            kill_switch_parameter=foundation.kill_switch.parameter_name,
            settings_prefix=prefix,
            # Each of the concurrent invocations spaces its own calls; together they keep to the limit.
            describe_spacing=timedelta(seconds=CONCURRENCY / (settings.limits.describe_per_second * (1 - SHARE))),
            update_spacing=timedelta(seconds=CONCURRENCY / UPDATES_PER_SECOND),
            ledger_retention=settings.ledger.retention,
            scope_tags=settings.scope.tags,
            price_overrides=settings.prices,
            presses_queue_url=presses.queue.queue_url if presses else None,
        )

    def _permit(self, function: Function, foundation: FoundationStack, readable: Sequence[str]) -> None:
        ledger = foundation.ledger.table_arn
        function.may(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem"], [ledger])
        function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
        function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])
        function.may(["sqs:SendMessage"], [self.work.queue.queue_arn])
        function.may(["ssm:GetParameter"], [*readable, foundation.kill_switch.parameter_arn])
        jobs = Stack.of(self).format_arn(service="sagemaker", resource="training-job", resource_name="*")
        function.may(["sagemaker:DescribeTrainingJob", "sagemaker:ListTags"], [jobs])


def _watch(function: Function, alarms: Alarms, dead_letters: DeadLetterQueues) -> None:
    alarms.consumer(function, function.name, dead_letters.warm_pool_control, dead_letters.warm_pool_control_rule)
    alarms.missing_from_sums(function)
    alarms.published(function, Metric.NOT_CONFIGURED, UNREADABLE, "not-configured")
    alarms.published(
        function,
        Metric.POOLS_REFUSED,
        "SageMaker would not end or extend a warm pool, which stays and is billed. The log names it",
        "warm-pool-refused",
    )
