"""A queue that one function works through, and what happens to messages that it cannot handle."""

from aws_cdk import Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from stacks.building_blocks.function import Function

RECEIVES = 40
"""Before a message is given up. Back-off grows to 15 minutes, so that an outage of hours is waited out."""
CONCURRENCY = 2
"""The least that Lambda takes. Eight queues and six schedules are twenty-two executions at most; a new account, which
has ten, makes some of them wait for seconds, and 40 receives are far from used up by that.
"""


class WorkQueue(Construct):
    """Encrypted, TLS only. A message that was received `RECEIVES` times goes to the dead-letter queue.

    It is invisible for six times the function's time-out while it is worked on (Lambda's advice for SQS sources). It
    lives four days, less than in the dead-letter queue, because there it keeps its first time stamp.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, dead_letter_queue: sqs.IQueue, timeout: Duration
    ) -> None:
        super().__init__(scope, construct_id)
        self.timeout = timeout
        self.dead_letter_queue = dead_letter_queue
        self.queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            retention_period=Duration.days(4),
            visibility_timeout=Duration.seconds(6 * timeout.to_seconds()),
            dead_letter_queue=sqs.DeadLetterQueue(queue=dead_letter_queue, max_receive_count=RECEIVES),
        )

    def feed(self, consumer: Function, *, batch_size: int) -> None:
        """Let the function work through the queue, report single failures and park what no retry can help."""
        consumer.may(
            ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ChangeMessageVisibility"],
            [self.queue.queue_arn],
        )
        consumer.may(["sqs:SendMessage"], [self.dead_letter_queue.queue_arn])
        lambda_.EventSourceMapping(
            consumer,
            "Source",
            target=consumer.function,
            event_source_arn=self.queue.queue_arn,
            batch_size=batch_size,
            max_concurrency=CONCURRENCY,
            report_batch_item_failures=True,
        )
