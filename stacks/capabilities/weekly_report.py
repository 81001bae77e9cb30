"""Once a week: what each team's jobs and warm pools came to, and what would have been cheaper."""

from datetime import timedelta

from aws_cdk import Duration
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.schedule import schedule
from stacks.capabilities.job_logs import log_group_arn
from stacks.capabilities.shared import Shared
from stacks.foundation_stack import LOOK_INDEX
from stacks.settings import Settings
from trainops.environment import WeeklyReport as Environment
from trainops.telemetry import OTHER_TEAMS

EVERY = timedelta(minutes=15)
"""Rules know UTC only, and some time zones end in half hours: the function knows when its hour has come."""
WORD = "WeeklyReport"


def wants_reports(settings: Settings) -> bool:
    """Whether anybody would read them."""
    chosen = settings.notifications
    there = (chosen.slack.secret_name, chosen.email.recipients, chosen.sns_topic, chosen.amazon_q)
    return WORD in chosen.told and any(there)


class WeeklyReport(Construct):
    """Schedule → `weekly_report`, which reads the ledger → the trainops bus → `job_notification`."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation = shared.foundation
        dead_letters = foundation.dead_letter_queues.weekly_report
        function = Function(
            self,
            "Function",
            name="weekly_report",
            description="Tells each team what its week came to, and what would have been cheaper",
            environment=_environment(shared),
            runtime=shared.runtime,
            timeout=Duration.minutes(10),
            memory_mb=1024,
        )
        ledger = foundation.ledger.table_arn
        function.may(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem"], [ledger])
        function.may(["dynamodb:Query"], [f"{ledger}/index/{LOOK_INDEX}"])
        function.may(["events:PutEvents"], [foundation.bus.event_bus_arn])
        if shared.settings.notifications.weekly_report.read_logs:
            function.may(["logs:FilterLogEvents"], [f"{log_group_arn(self)}:*"])
        schedule(self, function, every=EVERY, description="Tells teams of their week", dead_letters=dead_letters)
        shared.alarms.scheduled(function, dead_letters)
        shared.alarms.silent(
            function,
            timedelta(hours=1),
            "Nobody looked in two hours whether a weekly report is due; one that is late for a day is not made up for",
            "weekly-report-silent",
        )


def _environment(shared: Shared) -> Environment:
    settings, chosen = shared.settings, shared.settings.notifications.weekly_report
    own = {name: team.warm_pools or settings.warm_pools for name, team in sorted(settings.teams.items())}
    every = {OTHER_TEAMS: settings.warm_pools, **own}
    return Environment(
        ledger_table=shared.foundation.ledger.table_name,
        bus_name=shared.foundation.bus.event_bus_name,
        teams=tuple(sorted(settings.teams)),
        day=chosen.weekday,
        hour=chosen.hour,
        time_zone=chosen.time_zone or settings.notifications.time_zone,
        waiting_usd_per_hour={name: choices.waiting_usd_per_hour for name, choices in every.items()},
        read_logs=chosen.read_logs,
    )
