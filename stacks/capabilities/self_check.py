"""Once a day: a synthetic event through the whole path to a test channel, and a look at the topics' subscribers."""

from datetime import timedelta

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_sns as sns
from constructs import Construct

from stacks.building_blocks.alarms import A_FAULT, Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.published import signal
from stacks.building_blocks.schedule import schedule
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.shared import Shared
from stacks.self_check_settings import delivery_of
from trainops.chat_environment import SelfCheck as Environment
from trainops.telemetry import Metric

DAY = timedelta(days=1)
OWN_ITEM = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["SELF-CHECK"]}}
"""Of the ledger it writes only what it found, for the weekly report."""


class SelfCheck(Construct):
    """Schedule → `self_check` → the intake's queue, and from there like any job; made when there is something to check.

    The alarm is on the delivery's own count of arrivals: whatever fails between the schedule and the channel, a paused
    deployment included, is silence there.
    """

    def __init__(
        self, scope: Construct, construct_id: str, shared: Shared, *, job_events: WorkQueue, topic: sns.ITopic | None
    ) -> None:
        super().__init__(scope, construct_id)
        settings, alarms = shared.settings, shared.alarms
        subscribers = len(settings.notifications.email.recipients) if topic else 0
        if not (settings.self_check.to or subscribers or settings.alarms.emails):
            return
        dead_letters = shared.foundation.dead_letter_queues.self_check
        function = Function(
            self,
            "Function",
            name="self_check",
            description="Sends a synthetic event through the whole path, and looks who is subscribed to the topics",
            environment=Environment(
                job_events_queue_url=job_events.queue.queue_url if settings.self_check.to else None,
                scope_tags=settings.scope.tags,
                topic_arn=topic.topic_arn if topic else None,
                subscribers=subscribers,
                alarm_topic_arn=alarms.topic.topic_arn,
                alarm_subscribers=len(settings.alarms.emails),
                ledger_table=shared.foundation.ledger.table_name,
            ),
            runtime=shared.runtime,
            timeout=Duration.minutes(1),
        )
        heard = [alarms.topic.topic_arn] if settings.alarms.emails else []
        if topic and subscribers:
            heard.append(topic.topic_arn)
        if heard:
            function.may(["sns:ListSubscriptionsByTopic"], heard)
            function.may(["dynamodb:PutItem"], [shared.foundation.ledger.table_arn], OWN_ITEM)
        if settings.self_check.to:
            function.may(["sqs:SendMessage"], [job_events.queue.queue_arn])
            _watch_arrival(alarms, settings.self_check.to)
        schedule(self, function, every=DAY, description="Checks the whole path of messages", dead_letters=dead_letters)
        alarms.scheduled(function, dead_letters)
        alarms.ring(
            "self_check_subscriptions",
            signal(Metric.SUBSCRIPTIONS_MISSING, function.name, Duration.days(1)),
            "Fewer subscriptions are confirmed than the settings name. The log of self_check says on which topic",
            "subscriptions-missing",
        )


def _watch_arrival(alarms: Alarms, to: str) -> None:
    arrived: cloudwatch.IMetric = signal(Metric.SELF_CHECKED, delivery_of(to), Duration.days(1))
    alarms.ring(
        "self_check_silent",
        arrived,
        "For two days no synthetic message arrived in the test channel, so real ones may not either",
        "self-check-silent",
        below=True,
        periods=2,
        missing=A_FAULT,
    )
