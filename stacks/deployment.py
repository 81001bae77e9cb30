"""One deployment: its stacks, made from settings."""

from typing import NamedTuple

from aws_cdk import App, Environment, Stack

from stacks.access_stack import AccessStack
from stacks.alarm_limits import check_alarms
from stacks.foundation_stack import FoundationStack
from stacks.operations_stack import OperationsStack
from stacks.running_cost import RunningCost, running_cost
from stacks.settings import Settings


class Stacks(NamedTuple):
    """What a deployment consists of; without teams nobody is given access."""

    foundation: FoundationStack
    operations: OperationsStack
    access: AccessStack | None

    @property
    def made(self) -> list[Stack]:
        """Those that there are."""
        return [stack for stack in self if stack]


def add_stacks(app: App, settings: Settings) -> Stacks:
    """Make `<name>-foundation`, `<name>-operations` and, for teams, `<name>-access`; without region and account they
    deploy to the caller's.
    """
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
    return Stacks(foundation, operations, _access(app, foundation, settings, env))


def synthesise(app: App, settings: Settings) -> RunningCost:
    """Make the stacks and write the cloud assembly. Raises RefusedAlarm for what CloudWatch would not take, OverBudget
    for what it would charge too much for.
    """
    made = add_stacks(app, settings).made
    assembly = app.synth()
    templates = [assembly.get_stack_artifact(stack.artifact_id).template for stack in made]
    check_alarms(templates)
    cost = running_cost(templates, settings.teams)
    cost.hold_to(settings.metrics.monthly_budget_usd)
    return cost


def _access(app: App, foundation: FoundationStack, settings: Settings, env: Environment) -> AccessStack | None:
    if not settings.teams:
        return None
    return AccessStack(
        app,
        f"{settings.name}-access",
        foundation=foundation,
        settings=settings,
        description="trainops: roles of training jobs, policies of the people who run them",
        env=env,
    )
