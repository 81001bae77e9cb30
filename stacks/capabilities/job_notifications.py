"""What people hear of their training jobs, and where."""

from collections.abc import Sequence

from aws_cdk import Annotations, Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_sns as sns
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function, Runtime
from stacks.building_blocks.rule_to_queue import rule_to_queue
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.channels import Channel
from stacks.capabilities.job_logs import log_group_arn
from stacks.capabilities.mail_check import check_mail
from stacks.capabilities.shared import Shared
from stacks.capabilities.topics import make_topics
from stacks.notification_settings import Notifications
from stacks.self_check_settings import ARRIVES_AS
from stacks.settings import Settings
from trainops.notification_environment import JobNotification as Environment
from trainops.telemetry import Metric

TIMEOUT = Duration.minutes(1)
BATCH_SIZE = 10
DETAIL_TYPES = {
    "Started": "Training Job Started",
    "StartWarning": "Training Job Started",
    "Interrupted": "Training Job Interrupted",
    "Restarted": "Training Job Restarted",
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
DIGESTS = {"Quota Changed": "Quota Digest"}
"""What comes instead when there is much of it at once."""
OVER = ["Completed", "Failed", "Stopped"]
FAMILIES = events.EventPattern(
    source=["aws.sagemaker"],
    detail_type=[
        "SageMaker HyperParameter Tuning Job State Change",
        "SageMaker Model Building Pipeline Execution Status Change",
        "SageMaker Model Building Pipeline Execution Step Status Change",
    ],
    detail={
        "$or": [
            {"HyperParameterTuningJobStatus": OVER},
            {"currentPipelineExecutionStatus": ["Succeeded", "Failed", "Stopped"]},
            {"currentStepStatus": ["Executing", "Succeeded", "Failed", "Stopped"]},
        ]
    },
)
"""The ends of what launches training jobs, and the steps of pipelines. AutoML has no such event."""
OWN_ITEMS = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["FAMILY#*", "STORM#*"]}}
"""Of the ledger it writes only what keeps messages few: no notification can rewrite a job."""
NOBODY = (
    "nobody hears of any job: set notifications.slack.secret_name or notifications.email.recipients, or subscribe to "
    "the topic NotificationTopicArn"
)


class JobNotifications(Construct):
    """Rule on the trainops bus → queue → `job_notification` → a queue per channel → delivery."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, settings = shared.foundation, shared.settings
        self._foundation = foundation
        self._email, self._slack, self._topics = self._channels(settings.notifications, shared)
        self._work = WorkQueue(
            self, "Announced", dead_letter_queue=foundation.dead_letter_queues.job_notification, timeout=TIMEOUT
        )
        rule_to_queue(
            self,
            description="Announcements that people may want to hear of",
            bus=foundation.bus,
            pattern=events.EventPattern(source=["trainops"], detail_type=detail_types(_told(settings))),
            work=self._work,
            undeliverable=foundation.dead_letter_queues.job_notification_rule,
        )
        if settings.notifications.children == "folded":
            rule_to_queue(
                Construct(self, "Families"),
                description="Ends of tuning jobs and pipelines, whose training jobs are told as one",
                pattern=FAMILIES,
                work=self._work,
                undeliverable=foundation.dead_letter_queues.job_notification_rule,
            )
        self._decide(settings, shared.runtime, shared.alarms)

    @property
    def mail_topic(self) -> sns.Topic | None:
        """The topic whose subscribers get mail; None where SES sends it."""
        return self._email.topic

    def _channels(self, chosen: Notifications, shared: Shared) -> tuple[Channel, Channel | None, Channel | None]:
        """E-mail always, Slack when there is a secret, topics when there are any; each hands on to another what it can
        never deliver.
        """
        queues, runtime, alarms = self._foundation.dead_letter_queues, shared.runtime, shared.alarms
        email = Channel(self, "Email", kind="email", foundation=self._foundation, dead_letters=queues.email)
        # A topic that nobody subscribes to would swallow what other channels refuse.
        fallback = email if chosen.email.recipients else None
        slack = topics = None
        if chosen.slack.secret_name:
            slack = Channel(self, "Slack", kind="slack", foundation=self._foundation, dead_letters=queues.slack)
            rate = shared.settings.limits.slack_posts_per_second
            slack.deliver_to_slack(chosen.slack, fallback, rate, runtime, alarms)
        if chosen.sns_topic or chosen.amazon_q:
            topics = Channel(self, "Topics", kind="topic", foundation=self._foundation, dead_letters=queues.topic)
            made = make_topics(topics, name=shared.settings.name, chosen=chosen)
            topics.deliver_to_topics(made, fallback or slack, runtime, alarms)
        if not (slack or topics or fallback):
            Annotations.of(self).add_warning_v2("trainops:nobody", NOBODY)
        email.deliver_by_email(chosen.email, slack, runtime, alarms)
        if chosen.email.sender:
            check_mail(self, chosen.email.sender, chosen.email.recipients, runtime)
        return email, slack, topics

    def _decide(self, settings: Settings, runtime: Runtime, alarms: Alarms) -> None:
        foundation = self._foundation
        function = Function(
            self,
            "Function",
            name="job_notification",
            description="Decides who hears of an announcement and puts a card on each channel's queue",
            environment=self._environment(settings),
            runtime=runtime,
            timeout=TIMEOUT,
        )
        ledger = [foundation.ledger.table_arn]
        function.may(["dynamodb:GetItem", "dynamodb:Query", "dynamodb:BatchGetItem"], ledger)
        function.may(["dynamodb:PutItem"], ledger, OWN_ITEMS)
        function.may(["ssm:GetParameter"], [foundation.kill_switch.parameter_arn])
        channels = [channel for channel in (self._email, self._slack, self._topics) if channel]
        # Looks at families and storms come back to its own queue after a while.
        queues = [*(channel.work for channel in channels), self._work]
        function.may(["sqs:SendMessage"], [work.queue.queue_arn for work in queues])
        if log_lines(settings):
            function.may(["logs:DescribeLogStreams", "logs:GetLogEvents"], [f"{log_group_arn(self)}:*"])
        self._work.feed(function, batch_size=BATCH_SIZE)
        self._watch(function, alarms)

    def _environment(self, settings: Settings) -> Environment:
        chosen = settings.notifications
        channels = {name: team.slack_channel for name, team in settings.teams.items() if team.slack_channel}
        return Environment(
            queue_url=self._work.queue.queue_url,
            dead_letter_queue_url=self._work.dead_letter_queue.queue_url,
            ledger_table=self._foundation.ledger.table_name,
            kill_switch_parameter=self._foundation.kill_switch.parameter_name,
            statuses=chosen.statuses,
            time_zone=chosen.time_zone,
            children=chosen.children,
            scope_tags=settings.scope.tags,
            log_lines=log_lines(settings),
            slack_queue_url=self._slack.work.queue.queue_url if self._slack else None,
            email_queue_url=self._email.work.queue.queue_url,
            topic_queue_url=self._topics.work.queue.queue_url if self._topics else None,
            acting_teams=tuple(sorted(settings.teams)) if settings.actions.slack_workspace else (),
            routes=(*settings.self_check.routes, *chosen.route_table),
            default_channels=chosen.default_channels,
            team_channels=channels if chosen.slack.channel else None,
            allowed_email_domains=chosen.allowed_email_domains,
            owners=chosen.owners,
        )

    def _watch(self, function: Function, alarms: Alarms) -> None:
        queues = self._foundation.dead_letter_queues
        alarms.consumer(function, function.name, queues.job_notification, queues.job_notification_rule)
        alarms.published(
            function,
            Metric.NOT_CONFIGURED,
            "The kill switch cannot be read, so nobody is told anything. Messages wait",
            "not-configured",
        )


def log_lines(settings: Settings) -> dict[str, int]:
    """How many lines of a failed job's log each team wants to see; those that want none are left out."""
    return {name: team.log_lines for name, team in settings.teams.items() if team.log_lines}


def _told(settings: Settings) -> Sequence[str]:
    """What somebody may hear of, the synthetic job's end included."""
    return (*settings.notifications.told, *([ARRIVES_AS] if settings.self_check.to else []))


def detail_types(statuses: Sequence[str]) -> list[str]:
    """The bus's detail types that tell of these statuses, each once and in a fixed order."""
    told = {DETAIL_TYPES.get(status, FINISHED) for status in statuses}
    return sorted(told | {DIGESTS[kind] for kind in told & DIGESTS.keys()})
