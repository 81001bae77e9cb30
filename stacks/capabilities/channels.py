"""The channels a message can go to: Slack by bot or incoming webhook, e-mail by SES or SNS, and SNS topics."""

from datetime import timedelta

from aws_cdk import ArnFormat, CfnOutput, Duration, Stack
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function, Runtime
from stacks.building_blocks.work_queue import CONCURRENCY, WorkQueue
from stacks.capabilities.topics import Topics
from stacks.foundation_stack import FoundationStack
from stacks.notification_settings import Email, Slack
from trainops.environment_codec import Environment
from trainops.notification_environment import EmailDelivery, SlackDelivery, TopicDelivery
from trainops.telemetry import Metric

TIMEOUT = Duration.minutes(1)
BATCH_SIZE = 5
"""Each message may wait for the channel's own time-out."""

OWN_ITEMS = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["ONCE#*"]}}
"""Of the ledger, only the items by which a message is delivered once: no delivery can rewrite a job."""
CONVERSATIONS = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["THREAD#*", "PERSON#*"]}}
"""Of the ledger, what a bot remembers: the first message of each conversation, and who is who."""


class Channel(Construct):
    """A queue of cards and the function that delivers them, once each; `kind` is `slack`, `email` or `topic`."""

    def __init__(
        self, scope: Construct, construct_id: str, *, kind: str, foundation: FoundationStack, dead_letters: sqs.IQueue
    ) -> None:
        super().__init__(scope, construct_id)
        self.kind = kind
        self.foundation = foundation
        self.topic: sns.Topic | None = None
        self.work = WorkQueue(self, "Cards", dead_letter_queue=dead_letters, timeout=TIMEOUT)

    def deliver_to_slack(
        self, slack: Slack, fallback: "Channel | None", posts_per_second: float, runtime: Runtime, alarms: Alarms
    ) -> None:
        """Post with the token, or to the webhook, in a secret that people made; only its name is known here."""
        environment = SlackDelivery(
            queue_url=self.work.queue.queue_url,
            dead_letter_queue_url=self.work.dead_letter_queue.queue_url,
            ledger_table=self.foundation.ledger.table_name,
            kill_switch_parameter=self.foundation.kill_switch.parameter_name,
            secret_name=str(slack.secret_name),
            channel=slack.channel,
            post_spacing=timedelta(seconds=CONCURRENCY / posts_per_second),
            fallback_queue_url=fallback.work.queue.queue_url if fallback else None,
        )
        function = self._function(environment, runtime, alarms)
        # Secrets Manager ends a secret's ARN with six random characters.
        secret = Stack.of(self).format_arn(
            service="secretsmanager",
            resource="secret",
            resource_name=f"{slack.secret_name}-??????",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        function.may(["secretsmanager:GetSecretValue"], [secret])
        if slack.channel:
            function.may(["dynamodb:GetItem", "dynamodb:PutItem"], [self.foundation.ledger.table_arn], CONVERSATIONS)
        self._hand_on(function, fallback)

    def deliver_by_email(self, email: Email, fallback: "Channel | None", runtime: Runtime, alarms: Alarms) -> None:
        """Send by SES when there is a sender, else publish to a topic that the recipients subscribe to."""
        self.topic = topic = None if email.sender else self._topic(email)
        environment = EmailDelivery(
            queue_url=self.work.queue.queue_url,
            dead_letter_queue_url=self.work.dead_letter_queue.queue_url,
            ledger_table=self.foundation.ledger.table_name,
            kill_switch_parameter=self.foundation.kill_switch.parameter_name,
            sender=email.sender,
            recipients=email.recipients if email.sender else (),
            topic_arn=topic.topic_arn if topic else None,
            fallback_queue_url=fallback.work.queue.queue_url if fallback else None,
        )
        function = self._function(environment, runtime, alarms)
        if topic:
            function.may(["sns:Publish"], [topic.topic_arn])
        else:
            # SES also asks for the recipients' identities in its sandbox, and for a default configuration set.
            function.may(
                ["ses:SendEmail"],
                [Stack.of(self).format_arn(service="ses", resource="*")],
                conditions={"StringEquals": {"ses:FromAddress": email.sender}},
            )
        self._hand_on(function, fallback)

    def deliver_to_topics(self, topics: Topics, fallback: "Channel | None", runtime: Runtime, alarms: Alarms) -> None:
        """Publish to the topics that there are."""
        environment = TopicDelivery(
            queue_url=self.work.queue.queue_url,
            dead_letter_queue_url=self.work.dead_letter_queue.queue_url,
            ledger_table=self.foundation.ledger.table_name,
            kill_switch_parameter=self.foundation.kill_switch.parameter_name,
            sns_topic_arn=topics.sns.topic_arn if topics.sns else None,
            amazon_q_topic_arn=topics.amazon_q.topic_arn if topics.amazon_q else None,
            fallback_queue_url=fallback.work.queue.queue_url if fallback else None,
        )
        function = self._function(environment, runtime, alarms)
        function.may(["sns:Publish"], [topic.topic_arn for topic in (topics.sns, topics.amazon_q) if topic])
        self._hand_on(function, fallback)

    def _hand_on(self, function: Function, fallback: "Channel | None") -> None:
        if fallback:
            function.may(["sqs:SendMessage"], [fallback.work.queue.queue_arn])

    def _topic(self, email: Email) -> sns.Topic:
        topic = sns.Topic(self, "Topic", display_name="trainops", enforce_ssl=True)
        for address in email.recipients:
            topic.add_subscription(subscriptions.EmailSubscription(address))
        CfnOutput(Stack.of(self), "NotificationTopicArn", value=topic.topic_arn)
        return topic

    def _function(self, environment: Environment, runtime: Runtime, alarms: Alarms) -> Function:
        function = Function(
            self,
            "Function",
            name=f"{self.kind}_delivery",
            description=f"Delivers messages about training jobs ({self.kind})",
            environment=environment,
            runtime=runtime,
            timeout=TIMEOUT,
        )
        function.may(
            ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"],
            [self.foundation.ledger.table_arn],
            OWN_ITEMS,
        )
        function.may(["ssm:GetParameter"], [self.foundation.kill_switch.parameter_arn])
        self.work.feed(function, batch_size=BATCH_SIZE)
        self._watch(function, alarms)
        return function

    def _watch(self, function: Function, alarms: Alarms) -> None:
        alarms.errors(function)
        alarms.dead_letters(self.kind, self.work.dead_letter_queue)
        alarms.waiting(function)
        alarms.published(
            function,
            Metric.NOT_CONFIGURED,
            f"A secret, setting or permission of {function.name} needs a repair. Its log names it; messages go to "
            "another channel, or wait if there is none",
            "not-configured",
        )
        alarms.published(
            function,
            Metric.DELIVERY_FAILED,
            f"{function.name} was refused for good, and the message went to the other channel. Its log has the answer",
            "delivery-failed",
        )
