"""Buttons about warm pools in Slack: a function URL that only verifies, and the function that knows people."""

from collections.abc import Sequence

from aws_cdk import ArnFormat, CfnOutput, Duration, Stack
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Function
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.shared import Shared
from trainops.chat_environment import ChatAction as UrlEnvironment
from trainops.chat_environment import ChatActionWork as WorkEnvironment
from trainops.telemetry import Metric

TIMEOUT = Duration.minutes(1)
ACKNOWLEDGE_WITHIN = Duration.seconds(10)
"""Slack waits three seconds; what takes longer is shown to the person as a failure, and still queued."""
MEMORY_MB = 1769
"""With so much Lambda gives one whole processor (Lambda, memory), and the start is mostly processor time."""
BATCH_SIZE = 5
KNOCKS = 20
"""Refusals in a quarter of an hour that are more than a mistyped secret or a curious person."""
OWN_ITEMS = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["PRESS#*"]}}
"""Of the ledger it writes only who pressed what."""


class ChatActions(Construct):
    """Function URL → `chat_action` → queue → `chat_action_work` → the queue of `warm_pool_control`, and answers back.

    Anybody can call the URL: the one permission for that is Lambda's own for URLs without IAM. What is not signed by
    Slack for our workspace goes no further than the first function, which may read the secret and queue.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        shared: Shared,
        *,
        presses: WorkQueue,
        control: WorkQueue,
        prefix: str,
        readable: Sequence[str],
    ) -> None:
        super().__init__(scope, construct_id)
        self._shared, self._presses = shared, presses
        settings = shared.settings
        secret_name, workspace = settings.notifications.slack.secret_name, settings.actions.slack_workspace
        assert secret_name is not None  # noqa: S101 - the settings want both
        assert workspace is not None  # noqa: S101
        self._secret = Stack.of(self).format_arn(
            service="secretsmanager",
            resource="secret",
            resource_name=f"{secret_name}-??????",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        self._verify(secret_name, workspace)
        self._work(secret_name, workspace, control, prefix, readable)

    def _verify(self, secret_name: str, workspace: str) -> None:
        function = Function(
            self,
            "UrlFunction",
            name="chat_action",
            description="Verifies that a request is a press of a button in our Slack workspace, and queues it",
            environment=UrlEnvironment(
                presses_queue_url=self._presses.queue.queue_url, secret_name=secret_name, workspace=workspace
            ),
            runtime=self._shared.runtime,
            timeout=ACKNOWLEDGE_WITHIN,
            memory_mb=MEMORY_MB,
        )
        function.may(["secretsmanager:GetSecretValue"], [self._secret])
        function.may(["sqs:SendMessage"], [self._presses.queue.queue_arn])
        url = function.function.add_function_url(auth_type=lambda_.FunctionUrlAuthType.NONE)
        CfnOutput(Stack.of(self), "ChatActionUrl", value=url.url)
        _watch_url(function, self._shared.alarms)

    def _work(self, secret_name: str, workspace: str, control: WorkQueue, prefix: str, readable: Sequence[str]) -> None:
        ledger, settings = self._shared.foundation.ledger, self._shared.settings
        function = Function(
            self,
            "WorkFunction",
            name="chat_action_work",
            description="Finds out who pressed a button and whether they may, and answers them in Slack",
            environment=WorkEnvironment(
                queue_url=self._presses.queue.queue_url,
                dead_letter_queue_url=self._presses.dead_letter_queue.queue_url,
                ledger_table=ledger.table_name,
                secret_name=secret_name,
                workspace=workspace,
                settings_prefix=prefix,
                warm_pools_queue_url=control.queue.queue_url,
                ledger_retention=settings.ledger.retention,
            ),
            runtime=self._shared.runtime,
            timeout=TIMEOUT,
        )
        function.may(["dynamodb:GetItem"], [ledger.table_arn])
        function.may(["dynamodb:PutItem"], [ledger.table_arn], OWN_ITEMS)
        function.may(["secretsmanager:GetSecretValue"], [self._secret])
        function.may(["ssm:GetParameter"], readable)
        function.may(["sqs:SendMessage"], [control.queue.queue_arn])
        self._presses.feed(function, batch_size=BATCH_SIZE)
        _watch_work(function, self._presses, self._shared.alarms)


def _watch_url(function: Function, alarms: Alarms) -> None:
    alarms.errors(function)
    alarms.published(
        function,
        Metric.NOT_CONFIGURED,
        "The Slack app's secret cannot be read or lacks signing_secret, so no button works. The log says which",
        "not-configured",
    )
    alarms.published(
        function,
        Metric.PRESSES_REFUSED,
        "Many requests to the buttons' address were refused. The log says why each was",
        "buttons",
        threshold=KNOCKS,
    )


def _watch_work(function: Function, presses: WorkQueue, alarms: Alarms) -> None:
    alarms.errors(function)
    alarms.waiting(function)
    alarms.dead_letters(function.name, presses.dead_letter_queue)
    alarms.published(
        function,
        Metric.NOT_CONFIGURED,
        "The Slack app's secret or scopes are not as actions need them, so presses wait. The log names what is missing",
        "not-configured",
    )
