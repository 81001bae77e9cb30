"""Quotas: asked for at the deployment, followed on a schedule, and named when a job is refused for want of one."""

from datetime import timedelta

from aws_cdk import Duration
from aws_cdk import aws_events as events
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.rule_to_queue import rule_to_queue
from stacks.building_blocks.schedule import schedule
from stacks.building_blocks.work_queue import WorkQueue
from stacks.capabilities.quota_requests import SPACING, QuotaRequests, permit_asking
from stacks.capabilities.shared import Shared
from trainops.environment import QuotaRefusal, QuotaTracker
from trainops.telemetry import Metric

SEARCH_SPACING = timedelta(seconds=1)
TIMEOUT = Duration.minutes(1)
REFUSED = events.EventPattern(
    source=["aws.sagemaker"],
    detail_type=["AWS API Call via CloudTrail"],
    detail={
        "eventSource": ["sagemaker.amazonaws.com"],
        "eventName": ["CreateTrainingJob"],
        "errorCode": [{"prefix": "ResourceLimitExceeded"}],
    },
)
"""Only where the account has a trail of management events; services differ in whether the code ends in Exception."""


class Quotas(Construct):
    """Without a wanted quota only refusals are told."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        chosen = shared.settings.quotas
        if chosen.wanted:
            QuotaRequests(
                self,
                "Requests",
                by_type=chosen.by_type,
                account=chosen.by_account,
                fail_on_refusal=chosen.fail_on_refusal,
                support_case_allowed=chosen.support_case_allowed,
                requester=chosen.requester,
                ledger=shared.foundation.ledger,
                runtime=shared.runtime,
            )
        Tracker(self, "Tracker", shared)
        Refusals(self, "Refusals", shared)


class Tracker(Construct):
    """Schedule → `quota_tracker`."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, chosen, alarms = shared.foundation, shared.settings.quotas, shared.alarms
        function = Function(
            self,
            "Function",
            name="quota_tracker",
            description="Follows requests for quotas to their end, and counts what is used of them",
            environment=QuotaTracker(
                ledger_table=foundation.ledger.table_name,
                bus_name=foundation.bus.event_bus_name,
                kill_switch_parameter=foundation.kill_switch.parameter_name,
                quota_spacing=SPACING,
                search_spacing=SEARCH_SPACING,
            ),
            runtime=shared.runtime,
            timeout=Duration.minutes(5),
        )
        function.may(["dynamodb:Query", "dynamodb:PutItem"], [foundation.ledger.table_arn])
        function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])
        function.may(["sagemaker:Search"], ["*"])
        function.may(["ssm:GetParameter"], [foundation.kill_switch.parameter_arn])
        permit_asking(function)
        dead_letters = foundation.dead_letter_queues.quota_tracker
        description = "Follows requests for quotas, and counts what is used of them"
        schedule(self, function, every=chosen.track_every, description=description, dead_letters=dead_letters)
        alarms.scheduled(function, dead_letters)
        silent = "No quota was looked at to the end in two intervals. The log of quota_tracker says why"
        alarms.heartbeat(function, chosen.track_every, silent, "quota-tracker-silent", complete=True)
        near = f"A wanted quota is used to {chosen.alarm_at_percent} % or more. The log of quota_tracker names it"
        alarms.highest(function, Metric.QUOTA_USED_PERCENT, chosen.alarm_at_percent, near, "quota-nearly-used-up")


class Refusals(Construct):
    """Rule on the default bus → queue → `quota_refusal` → trainops bus."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, alarms = shared.foundation, shared.alarms
        dead_letters = foundation.dead_letter_queues
        work = WorkQueue(self, "Refused", dead_letter_queue=dead_letters.quota_refusal, timeout=TIMEOUT)
        rule_to_queue(
            self,
            description="Training jobs that were refused for want of quota, as the account's trail tells",
            pattern=REFUSED,
            work=work,
            undeliverable=dead_letters.quota_refusal_rule,
        )
        function = Function(
            self,
            "Function",
            name="quota_refusal",
            description="Tells owners which quota a refused training job needs, and what was asked for",
            environment=QuotaRefusal(
                queue_url=work.queue.queue_url,
                dead_letter_queue_url=work.dead_letter_queue.queue_url,
                ledger_table=foundation.ledger.table_name,
                bus_name=foundation.bus.event_bus_name,
                search_spacing=SEARCH_SPACING,
            ),
            runtime=shared.runtime,
            timeout=TIMEOUT,
        )
        function.may(["dynamodb:GetItem", "dynamodb:PutItem"], [foundation.ledger.table_arn])
        function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])
        function.may(["sagemaker:Search"], ["*"])
        work.feed(function, batch_size=1)  # each may take a Search of many pages
        alarms.consumer(function, function.name, dead_letters.quota_refusal, dead_letters.quota_refusal_rule)
