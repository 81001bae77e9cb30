"""One deployment: both stacks, made from settings."""

from aws_cdk import App, Environment

from stacks.foundation_stack import FoundationStack
from stacks.operations_stack import OperationsStack
from stacks.settings import Settings


def add_stacks(app: App, settings: Settings) -> tuple[FoundationStack, OperationsStack]:
    """Make `<name>-foundation` and `<name>-operations`; without region and account they deploy to the caller's."""
    env = Environment(account=settings.account, region=settings.region)
    foundation = FoundationStack(
        app,
        f"{settings.name}-foundation",
        settings=settings,
        description="trainops: ledger, buckets, bus, dead-letter queues, kill switch",
        env=env,
        termination_protection=settings.termination_protection,
    )
    operations = OperationsStack(
        app,
        f"{settings.name}-operations",
        foundation=foundation,
        settings=settings,
        description="trainops: functions, queues, rules and alarms",
        env=env,
    )
    return foundation, operations
