"""Alarms that say what to do, on one topic."""

from collections.abc import Sequence

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.function import Function
from trainops.telemetry import NAMESPACE, Metric

RUNBOOK = "docs/runbook.md"


class Alarms(Construct):
    """Makes alarms whose text says what is wrong, what to do and where the runbook has more.

    None of them is raised by missing data: a queue or function that nobody used reports nothing.
    """

    def __init__(self, scope: Construct, construct_id: str, *, emails: Sequence[str]) -> None:
        super().__init__(scope, construct_id)
        self.topic = sns.Topic(self, "Topic", display_name="trainops alarms", enforce_ssl=True)
        # A topic with a policy of its own loses the default one, under which CloudWatch may publish.
        self.topic.add_to_resource_policy(
            iam.PolicyStatement(
                actions=["sns:Publish"],
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                resources=[self.topic.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Stack.of(self).account}},
            )
        )
        for address in emails:
            self.topic.add_subscription(subscriptions.EmailSubscription(address))

    def dead_letters(self, purpose: str, queue: sqs.IQueue) -> None:
        """As soon as one message lies in a dead-letter queue."""
        self._alarm(
            f"{purpose}_dead_letters",
            queue.metric_approximate_number_of_messages_visible(period=Duration.minutes(5), statistic="Maximum"),
            f"Messages of {purpose} were given up. Read one, repair the cause, then redrive",
            "dead-letters",
        )

    def waiting(self, purpose: str, queue: sqs.IQueue) -> None:
        """When a message has waited for an hour, although nothing was given up yet."""
        self._alarm(
            f"{purpose}_waiting",
            queue.metric_approximate_age_of_oldest_message(period=Duration.minutes(5), statistic="Maximum"),
            f"A message of {purpose} has waited for more than an hour. See what the function's log says of it",
            "messages-wait",
            threshold=Duration.hours(1).to_seconds() + 1,
        )

    def errors(self, function: Function) -> None:
        """When an invocation failed as a whole."""
        self._alarm(
            f"{function.name}_errors",
            function.function.metric_errors(period=Duration.minutes(5), statistic="Sum"),
            f"{function.name} failed. Read the trace in its log",
            "function-errors",
        )

    def published(self, function: Function, metric: Metric, text: str, anchor: str) -> None:
        """When a function published a metric of its own in a quarter of an hour."""
        self._alarm(
            f"{function.name}_{metric.value}",
            cloudwatch.Metric(
                namespace=NAMESPACE,
                metric_name=metric.value,
                dimensions_map={"service": function.name},
                period=Duration.minutes(15),
                statistic="Sum",
            ),
            text,
            anchor,
        )

    def _alarm(self, name: str, metric: cloudwatch.Metric, text: str, anchor: str, *, threshold: float = 1) -> None:
        alarm = cloudwatch.Alarm(
            self,
            "".join(part[:1].upper() + part[1:] for part in name.split("_")),
            metric=metric,
            threshold=threshold,
            evaluation_periods=1,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
            alarm_description=f"{text}: {RUNBOOK}#{anchor}",
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
