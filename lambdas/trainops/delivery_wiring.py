"""Puts a delivery function together, whatever its channel: unless stopped, once, with a channel to fall back on."""

from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.once import Once
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.environment import EmailDelivery, SlackDelivery
from trainops.ports import Channel
from trainops.workflows.delivery import Delivery
from trainops.workflows.kill_switch import UnlessStopped


def delivery_to(channel: Channel, *, name: str, effect: str, env: SlackDelivery | EmailDelivery) -> SqsConsumer:
    """The consumer of a channel's queue. `name` is what people call it; `effect` is remembered in the ledger."""
    sqs = client("sqs")
    fallback = SqsQueue(sqs, env.fallback_queue_url) if env.fallback_queue_url else None
    once = Once(client("dynamodb"), env.ledger_table, effect, Delivery(name, channel, fallback))
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    return SqsConsumer(env, UnlessStopped(switch, once), sqs, once.register)
