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
from stacks.building_blocks.published import signal
from trainops.telemetry import Metric

RUNBOOK = "docs/runbook.md"
"""Where the runbook is in this repository: what an alarm names while nobody has said where people find it."""
NO_FAULT = cloudwatch.TreatMissingData.NOT_BREACHING
"""Silence is no fault: a queue or function that nobody used, or a team without jobs, reports nothing."""
A_FAULT = cloudwatch.TreatMissingData.BREACHING
"""Silence is the fault."""


class Alarms(Construct):
    """Makes alarms whose text says what is wrong, what to do and where the runbook has more; `runbook` is its address.

    What is watched is kept, for dashboards: `made`, `functions` and `dead_letter_queues`.
    """

    def __init__(self, scope: Construct, construct_id: str, *, emails: Sequence[str], runbook: str | None) -> None:
        super().__init__(scope, construct_id)
        self.made: list[cloudwatch.Alarm] = []
        self.functions: list[Function] = []
        self.dead_letter_queues: dict[str, sqs.IQueue] = {}
        self._runbook = runbook or RUNBOOK
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

    def consumer(self, function: Function, purpose: str, given_up: sqs.IQueue, undeliverable: sqs.IQueue) -> None:
        """What every function that works through a rule's queue is watched for; `purpose` names what is given up."""
        self.errors(function)
        self.waiting(function)
        self.dead_letters(purpose, given_up)
        self.dead_letters(f"{purpose}_rule", undeliverable)

    def scheduled(self, function: Function, dead_letters: sqs.IQueue) -> None:
        """What every function that a schedule invokes is watched for: a tick that fails, or that cannot be delivered,
        becomes a dead letter, so that an alarm on errors would only say the same again.
        """
        self.functions.append(function)
        self.dead_letters(function.name, dead_letters)

    def dead_letters(self, purpose: str, queue: sqs.IQueue) -> None:
        """As soon as one message lies in a dead-letter queue."""
        self.dead_letter_queues[purpose] = queue
        self.ring(
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
        self.functions.append(function)
        self.ring(
            f"{function.name}_errors",
            function.function.metric_errors(period=Duration.minutes(5), statistic="Sum"),
            f"{function.name} failed. Read the trace in its log",
            "function-errors",
        )

    def published(
        self, function: Function, metric: Metric, text: str, anchor: str, *, threshold: float = 1, periods: int = 1
    ) -> None:
        """When a function published at least so much of a metric of its own in each of the last quarters of an hour."""
        self.ring(
            f"{function.name}_{metric.value}",
            signal(metric, function.name, Duration.minutes(15)),
            text,
            anchor,
            threshold=threshold,
            periods=periods,
        )

    def highest(self, function: Function, metric: Metric, threshold: float, text: str, anchor: str) -> None:
        """When the largest value that a function published within a quarter of an hour reaches the threshold: of what
        is a level, such as a quota in use.
        """
        self.ring(
            f"{function.name}_{metric.value}",
            signal(metric, function.name, Duration.minutes(15), "Maximum"),
            text,
            anchor,
            threshold=threshold,
        )

    def missing_from_sums(self, function: Function) -> None:
        """When a function left a job or pool out of the sums on this day: one call a day, however many there are."""
        self.ring(
            f"{function.name}_unknown",
            signal(Metric.UNKNOWN, function.name, Duration.days(1)),
            f"{function.name} left something out of the sums today, most often for want of a price. The field unknown "
            "of its lines says why",
            "unknown-figures",
        )

    def heartbeat(
        self, function: Function, every: timedelta, text: str, anchor: str, *, complete: bool = False
    ) -> None:
        """When a scheduled function has not run for two intervals, or, if it must come to its end, none of its runs
        has: here silence is the fault. Each run says whether it was cut short, so this takes no metric of its own.
        """
        period = Duration.seconds(every // timedelta(seconds=1))
        self.ring(
            f"{function.name}_silent",
            signal(Metric.WALK_CUT_SHORT, function.name, period, "Minimum" if complete else "SampleCount"),
            text,
            anchor,
            below=not complete,
            periods=2,
            missing=A_FAULT,
        )

    def silent(self, function: Function, every: timedelta, text: str, anchor: str) -> None:
        """When a schedule did not invoke a function in two intervals. Its invocations are Lambda's own metric, which
        costs nothing: enough for a function that comes to its end or fails, and what fails rings by itself.
        """
        self.ring(
            f"{function.name}_silent",
            function.function.metric_invocations(
                period=Duration.seconds(every // timedelta(seconds=1)), statistic="Sum"
            ),
            text,
            anchor,
            below=True,
            periods=2,
            missing=A_FAULT,
        )

    def ring(
        self,
        name: str,
        metric: cloudwatch.IMetric,
        text: str,
        anchor: str,
        *,
        threshold: float = 1,
        below: bool = False,
        periods: int = 1,
        missing: cloudwatch.TreatMissingData = NO_FAULT,
    ) -> None:
        """When a metric was at or above the threshold, or `below` it, in each of the last periods."""
        comparison = cloudwatch.ComparisonOperator
        alarm = cloudwatch.Alarm(
            self,
            "".join(part[:1].upper() + part[1:] for part in name.split("_")),
            metric=metric,
            threshold=threshold,
            evaluation_periods=periods,
            comparison_operator=comparison.LESS_THAN_THRESHOLD
            if below
            else comparison.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=missing,
            alarm_description=f"{text}: {self._runbook}#{anchor}",
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
        self.made.append(alarm)
