"""What people hear of their training jobs, and where."""

from collections.abc import Sequence

from aws_cdk import Annotations, Duration
from aws_cdk import aws_events as events
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function, Runtime
from stacks.building_blocks.rule_to_queue import rule_to_queue
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.channels import Channel
from stacks.capabilities.shared import Shared
from stacks.settings import Settings
from trainops.environment import JobNotification as Environment
from trainops.telemetry import Metric

TIMEOUT = Duration.minutes(1)
BATCH_SIZE = 10
DETAIL_TYPES = {
    "Started": "Training Job Started",
    "Interrupted": "Training Job Interrupted",
    "CheckpointsOld": "Training Job CheckpointsOld",
    "WarmPoolEnding": "Warm Pool Ending",
    "WarmPoolEnded": "Warm Pool Ended",
    "WarmPoolHeld": "Warm Pool Held",
    "WarmPoolSweep": "Warm Pool Sweep",
    "QuotaChanged": "Quota Changed",
    "QuotaRefusal": "Quota Refusal",
    "WeeklyReport": "Weekly Report",
}
"""Every other status is told by `FINISHED`."""
FINISHED = "Training Job Finished"


class JobNotifications(Construct):
    """Rule on the trainops bus → queue → `job_notification` → a queue per channel → delivery."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, settings = shared.foundation, shared.settings
        self._foundation = foundation
        self._email, self._slack = self._channels(settings, shared.runtime, shared.alarms)
        self._work = WorkQueue(
            self, "Announced", dead_letter_queue=foundation.dead_letter_queues.job_notification, timeout=TIMEOUT
        )
        rule_to_queue(
            self,
            description="Announcements that people may want to hear of",
            bus=foundation.bus,
            pattern=events.EventPattern(source=["trainops"], detail_type=detail_types(settings.notifications.statuses)),
            work=self._work,
            undeliverable=foundation.dead_letter_queues.job_notification_rule,
        )
        self._decide(settings, shared.runtime, shared.alarms)

    def _channels(self, settings: Settings, runtime: Runtime, alarms: Alarms) -> tuple[Channel, Channel | None]:
        """E-mail always, Slack when there is a secret; each hands on to the other what it can never deliver."""
        queues = self._foundation.dead_letter_queues
        email = Channel(self, "Email", kind="email", foundation=self._foundation, dead_letters=queues.email)
        slack = None
        if secret_name := settings.notifications.slack.secret_name:
            slack = Channel(self, "Slack", kind="slack", foundation=self._foundation, dead_letters=queues.slack)
            # A topic that nobody subscribes to would swallow what Slack refuses.
            fallback = email if settings.notifications.email.recipients else None
            slack.deliver_to_slack(secret_name, fallback, settings.limits.slack_posts_per_second, runtime, alarms)
        if not (slack or settings.notifications.email.recipients):
            Annotations.of(self).add_warning_v2(
                "trainops:nobody",
                "nobody hears of any job: set notifications.slack.secret_name or notifications.email.recipients, or "
                "subscribe to the topic NotificationTopicArn",
            )
        email.deliver_by_email(settings.notifications.email, slack, runtime, alarms)
        return email, slack

    def _decide(self, settings: Settings, runtime: Runtime, alarms: Alarms) -> None:
        foundation = self._foundation
        function = Function(
            self,
            "Function",
            name="job_notification",
            description="Decides who hears of an announcement and puts a card on each channel's queue",
            environment=Environment(
                queue_url=self._work.queue.queue_url,
                dead_letter_queue_url=self._work.dead_letter_queue.queue_url,
                ledger_table=foundation.ledger.table_name,
                kill_switch_parameter=foundation.kill_switch.parameter_name,
                statuses=settings.notifications.statuses,
                time_zone=settings.notifications.time_zone,
                slack_queue_url=self._slack.work.queue.queue_url if self._slack else None,
                email_queue_url=self._email.work.queue.queue_url,
            ),
            runtime=runtime,
            timeout=TIMEOUT,
        )
        function.may(["dynamodb:GetItem"], [foundation.ledger.table_arn])
        function.may(["ssm:GetParameter"], [foundation.kill_switch.parameter_arn])
        channels = [channel for channel in (self._email, self._slack) if channel]
        function.may(["sqs:SendMessage"], [channel.work.queue.queue_arn for channel in channels])
        self._work.feed(function, batch_size=BATCH_SIZE)
        self._watch(function, alarms)

    def _watch(self, function: Function, alarms: Alarms) -> None:
        queues = self._foundation.dead_letter_queues
        alarms.consumer(function, function.name, queues.job_notification, queues.job_notification_rule)
        alarms.published(
            function,
            Metric.NOT_CONFIGURED,
            "The kill switch cannot be read, so nobody is told anything. Messages wait",
            "not-configured",
        )


def detail_types(statuses: Sequence[str]) -> list[str]:
    """The bus's detail types that tell of these statuses, each once and in a fixed order."""
    return sorted({DETAIL_TYPES.get(status, FINISHED) for status in statuses})
