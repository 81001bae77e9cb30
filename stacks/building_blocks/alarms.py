"""Alarms that say what to do, on one topic."""

from collections.abc import Sequence
from datetime import timedelta

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.function import Function
from trainops.telemetry import NAMESPACE, SENDERS, SERVICE, Metric

RUNBOOK = "docs/runbook.md"


class Alarms(Construct):
    """Makes alarms whose text says what is wrong, what to do and where the runbook has more.

    None but a heartbeat's is raised by missing data: a queue or function that nobody used reports nothing.
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

    def waiting(self, function: Function) -> None:
        """When messages have been put off for an hour, although nothing was given up yet; and at once when it is our
        fault. The age of a queue's oldest message would not tell: SQS leaves out what was received three times.
        """
        self.published(
            function,
            Metric.POSTPONED,
            f"{function.name} has put messages off for an hour. Its log says what for",
            "messages-wait",
            periods=4,
        )
        self.published(
            function,
            Metric.FAULTS,
            f"{function.name} failed on a message. See the trace in its log",
            "function-errors",
        )

    def errors(self, function: Function) -> None:
        """When an invocation failed as a whole."""
        self._alarm(
            f"{function.name}_errors",
            function.function.metric_errors(period=Duration.minutes(5), statistic="Sum"),
            f"{function.name} failed. Read the trace in its log",
            "function-errors",
        )

    def published(self, function: Function, metric: Metric, text: str, anchor: str, *, periods: int = 1) -> None:
        """When a function published a metric of its own in each of the last quarters of an hour."""
        self._alarm(
            f"{function.name}_{metric.value}",
            _own(function, metric, Duration.minutes(15)),
            text,
            anchor,
            periods=periods,
        )

    def heartbeat(self, function: Function, metric: Metric, every: timedelta, text: str, anchor: str) -> None:
        """When a scheduled function has not published its heartbeat for two intervals: here silence is the fault."""
        alarm = cloudwatch.Alarm(
            self,
            f"{_camel(function.name)}Silent",
            metric=_own(function, metric, Duration.seconds(every // timedelta(seconds=1))),
            threshold=1,
            evaluation_periods=2,
            comparison_operator=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.BREACHING,
            alarm_description=f"{text}: {RUNBOOK}#{anchor}",
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))

    def _alarm(self, name: str, metric: cloudwatch.Metric, text: str, anchor: str, *, periods: int = 1) -> None:
        alarm = cloudwatch.Alarm(
            self,
            _camel(name),
            metric=metric,
            threshold=1,
            evaluation_periods=periods,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
            alarm_description=f"{text}: {RUNBOOK}#{anchor}",
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))


def _own(function: Function, metric: Metric, period: Duration) -> cloudwatch.Metric:
    if function.name not in SENDERS[metric]:
        raise ValueError(f"{function.name} does not publish {metric}: an alarm on it would never ring")
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=metric.value,
        dimensions_map={SERVICE: function.name},
        period=period,
        statistic="Sum",
    )


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
