"""From a rule to a queue, with a place for what EventBridge could not deliver."""

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.work_queue import WorkQueue

RETRY_FOR = Duration.hours(24)
RETRIES = 185
"""Both the most that EventBridge takes (RetryPolicy)."""


def rule_to_queue(
    scope: Construct,
    *,
    description: str,
    pattern: events.EventPattern,
    work: WorkQueue,
    undeliverable: sqs.IQueue,
    bus: events.IEventBus | None = None,
) -> events.Rule:
    """A rule (on the default bus, without `bus`) whose events go to a work queue."""
    target = targets.SqsQueue(
        work.queue,
        dead_letter_queue=across_stacks(scope, undeliverable),
        max_event_age=RETRY_FOR,
        retry_attempts=RETRIES,
    )
    return events.Rule(scope, "Rule", description=description, event_bus=bus, event_pattern=pattern, targets=[target])


def across_stacks(scope: Construct, queue: sqs.IQueue) -> sqs.IQueue:
    """The other stack's queue as one that this stack only refers to.

    The target would otherwise write the rule's ARN into that queue's policy, and each stack would need the other. The
    queue's own policy lets the account's rules in.
    """
    return sqs.Queue.from_queue_arn(scope, "Undeliverable", queue.queue_arn)
