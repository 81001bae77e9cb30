"""A function that a schedule invokes, and what becomes of a run that fails."""

from datetime import timedelta

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.rule_to_queue import RETRIES, across_stacks

MOST_AGE = timedelta(hours=6)
"""How long Lambda keeps an asynchronous invocation at most (EventInvokeConfig)."""
EVENT_AGE = timedelta(hours=24)
"""How long EventBridge tries to deliver at most (RetryPolicy)."""


def schedule(
    scope: Construct, function: Function, *, every: timedelta, description: str, dead_letters: sqs.IQueue
) -> None:
    """Invoke the function at each interval. A tick that fails is kept to be read, not repeated: the next one does the
    same work.
    """
    function.may(["sqs:SendMessage"], [dead_letters.queue_arn])
    # CDK's own destination would also allow GetQueueUrl and GetQueueAttributes, which nobody calls.
    lambda_.CfnEventInvokeConfig(
        scope,
        "Failed",
        function_name=function.function.function_name,
        qualifier="$LATEST",
        maximum_retry_attempts=0,
        maximum_event_age_in_seconds=min(MOST_AGE, every) // timedelta(seconds=1),
        destination_config=lambda_.CfnEventInvokeConfig.DestinationConfigProperty(
            on_failure=lambda_.CfnEventInvokeConfig.OnFailureProperty(destination=dead_letters.queue_arn)
        ),
    )
    interval = Duration.minutes(every // timedelta(minutes=1))
    target = targets.LambdaFunction(
        function.function,
        dead_letter_queue=across_stacks(scope, dead_letters),
        max_event_age=Duration.seconds(min(EVENT_AGE, every) // timedelta(seconds=1)),
        retry_attempts=RETRIES,
    )
    events.Rule(scope, "Schedule", description=description, schedule=events.Schedule.rate(interval), targets=[target])
