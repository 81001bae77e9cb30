"""Everything without state: the capabilities, put together."""

from typing import Any

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from stacks.building_blocks.alarms import Alarms
from stacks.building_blocks.function import Runtime
from stacks.building_blocks.layer_version import Layer
from stacks.capabilities.checkpoint_watch import CheckpointWatch
from stacks.capabilities.dashboards import Dashboards
from stacks.capabilities.job_intake import JobIntake
from stacks.capabilities.job_notifications import JobNotifications
from stacks.capabilities.job_reconcile import JobReconcile
from stacks.capabilities.metrics_recount import MetricsRecount
from stacks.capabilities.money_alarms import watch_money
from stacks.capabilities.price_refresh import PriceRefresh
from stacks.capabilities.quotas import Quotas
from stacks.capabilities.self_check import SelfCheck
from stacks.capabilities.shared import Shared
from stacks.capabilities.spot_savings import SpotSavings
from stacks.capabilities.warm_pools import WarmPools
from stacks.capabilities.weekly_report import WeeklyReport, wants_reports
from stacks.foundation_stack import FoundationStack
from stacks.settings import Settings
from trainops.telemetry import OTHER_TEAMS


class OperationsStack(Stack):
    """Can be destroyed and deployed again; only messages that wait in its queues at that moment are lost."""

    def __init__(
        self, scope: Construct, construct_id: str, *, foundation: FoundationStack, settings: Settings, **stack: Any
    ) -> None:
        super().__init__(scope, construct_id, **stack)
        shared = Shared(
            foundation=foundation,
            settings=settings,
            runtime=Runtime(layer=Layer(self, "Layer"), log_retention_days=settings.log_retention_days),
            alarms=Alarms(self, "Alarms", emails=settings.alarms.emails, runbook=settings.alarms.runbook_url),
        )
        intake = JobIntake(self, "JobIntake", shared)
        JobReconcile(self, "JobReconcile", shared, job_events=intake.work)
        notifications = JobNotifications(self, "JobNotifications", shared)
        SelfCheck(self, "SelfCheck", shared, job_events=intake.work, topic=notifications.mail_topic)
        WarmPools(self, "WarmPools", shared)
        SpotSavings(self, "SpotSavings", shared)
        MetricsRecount(self, "MetricsRecount", shared)
        PriceRefresh(self, "PriceRefresh", shared)
        CheckpointWatch(self, "CheckpointWatch", shared)
        if wants_reports(settings):
            WeeklyReport(self, "WeeklyReport", shared)
        Quotas(self, "Quotas", shared)
        watch_money(shared.alarms, [*sorted(settings.teams), OTHER_TEAMS], settings.alarms)
        Dashboards(self, "Dashboards", settings=settings, alarms=shared.alarms)
        CfnOutput(self, "AlarmTopicArn", value=shared.alarms.topic.topic_arn)
