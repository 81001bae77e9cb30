"""On a schedule: what training costs in this Region, from the Price List into the ledger."""

from datetime import timedelta

from aws_cdk import Duration
from constructs import Construct

from stacks.building_blocks.function import Function
from stacks.building_blocks.schedule import schedule
from stacks.capabilities.shared import Shared
from trainops.environment import PriceRefresh as Environment

EVERY = timedelta(hours=1)
"""A new deployment has prices after that time; how often they are read is the settings' choice."""


class PriceRefresh(Construct):
    """Schedule → `price_refresh` → the ledger, where `job_intake` and `warm_pool_control` find the table."""

    def __init__(self, scope: Construct, construct_id: str, shared: Shared) -> None:
        super().__init__(scope, construct_id)
        foundation, alarms = shared.foundation, shared.alarms
        dead_letters = foundation.dead_letter_queues.price_refresh
        function = Function(
            self,
            "Function",
            name="price_refresh",
            description="Reads what training costs in this Region from the Price List",
            environment=Environment(
                ledger_table=foundation.ledger.table_name, refresh_every=shared.settings.price_list.refresh_every
            ),
            runtime=shared.runtime,
            timeout=Duration.minutes(2),
        )
        function.may(["pricing:GetProducts"], ["*"])
        function.may(["dynamodb:GetItem", "dynamodb:PutItem"], [foundation.ledger.table_arn])
        schedule(self, function, every=EVERY, description="Looks whether prices are old", dead_letters=dead_letters)
        alarms.scheduled(function, dead_letters)
        alarms.silent(
            function,
            EVERY,
            "Prices were not looked after in two hours, so they grow old, and new types stay without one",
            "price-refresh-silent",
        )
