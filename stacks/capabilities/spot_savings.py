"""Each finished job's figures, published once: outcome, what spot saved, how long the start took."""

from aws_cdk import Duration
from aws_cdk import aws_events as events
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.rule_to_queue import rule_to_queue
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import DeadLetterQueues, FoundationStack
from trainops.environment import SpotSavings as Environment

TIMEOUT = Duration.minutes(1)
BATCH_SIZE = 10
PATTERN = events.EventPattern(source=["trainops"], detail_type=["Training Job Finished"])


class SpotSavings(Construct):
    """Rule on the trainops bus → queue → `spot_savings`, which writes metrics into its log."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, settings = shared.foundation, shared.settings
        dead_letters = foundation.dead_letter_queues
        work = WorkQueue(self, "Finished", dead_letter_queue=dead_letters.spot_savings, timeout=TIMEOUT)
        rule_to_queue(
            self,
            description="Jobs that finished, to be counted",
            bus=foundation.bus,
            pattern=PATTERN,
            work=work,
            undeliverable=dead_letters.spot_savings_rule,
        )
        function = Function(
            self,
            "Function",
            name="spot_savings",
            description="Publishes each finished job's figures once: outcome, spot savings, start latency",
            environment=Environment(
                queue_url=work.queue.queue_url,
                dead_letter_queue_url=work.dead_letter_queue.queue_url,
                ledger_table=foundation.ledger.table_name,
                ledger_retention=settings.ledger.retention,
                teams=tuple(sorted(settings.teams)),
            ),
            runtime=shared.runtime,
            timeout=TIMEOUT,
        )
        _permit(function, foundation)
        work.feed(function, batch_size=BATCH_SIZE)
        _watch(function, shared.alarms, dead_letters)


def _permit(function: Function, foundation: FoundationStack) -> None:
    ledger = foundation.ledger.table_arn
    function.may(["dynamodb:GetItem", "dynamodb:PutItem"], [ledger])


def _watch(function: Function, alarms: Alarms, dead_letters: DeadLetterQueues) -> None:
    alarms.consumer(function, function.name, dead_letters.spot_savings, dead_letters.spot_savings_rule)
    alarms.missing_from_sums(function)
