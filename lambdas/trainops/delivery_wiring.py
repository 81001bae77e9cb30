"""Puts a delivery function together, whatever its channel: unless stopped, once, with a channel to fall back on."""

from trainops.adapters.amazon_q import notification
from trainops.adapters.aws import client
from trainops.adapters.kill_switch import SsmKillSwitch
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.messaging import SqsQueue
from trainops.adapters.once import Once
from trainops.adapters.pace import Pace, Paces
from trainops.adapters.queue_consumer import SqsConsumer
from trainops.adapters.slack_api import SlackApi
from trainops.adapters.slack_bot import SlackBot
from trainops.adapters.slack_memory import People, Threads
from trainops.adapters.slack_webhook import SlackSecret, SlackWebhook
from trainops.adapters.sns_topic import SnsTopic, Topics
from trainops.domain.routes import AMAZON_Q, SNS
from trainops.notification_environment import Delivery as Environment
from trainops.notification_environment import SlackDelivery, TopicDelivery
from trainops.ports import Channel
from trainops.workflows.delivery import Delivery
from trainops.workflows.kill_switch import UnlessStopped


def delivery_to(channel: Channel, *, name: str, effect: str, env: Environment) -> SqsConsumer:
    """The consumer of a channel's queue. `name` is what people call it; `effect` is remembered in the ledger."""
    sqs = client("sqs")
    fallback = SqsQueue(sqs, env.fallback_queue_url) if env.fallback_queue_url else None
    once = Once(client("dynamodb"), env.ledger_table, effect, Delivery(name, channel, fallback))
    switch = SsmKillSwitch.of(client("ssm"), env.kill_switch_parameter)
    return SqsConsumer(env, UnlessStopped(switch, once), sqs, once.register)


def slack(env: SlackDelivery) -> Channel:
    """A bot when there is a channel for it, else the incoming webhook."""
    secret = SlackSecret.of(client("secretsmanager"), env.secret_name)
    if env.channel is None:
        return SlackWebhook(env.secret_name, secret, pace=Pace(env.post_spacing))
    table = LedgerTable(client("dynamodb"), env.ledger_table)
    api = SlackApi(env.secret_name, secret, Paces(env.post_spacing))
    return SlackBot(api, Threads(table), People(table), env.channel)


def topics(env: TopicDelivery) -> Channel:
    """The topics that were deployed, each written to as its readers need it."""
    sns, found = client("sns", attempts=1), dict[str, SnsTopic]()
    if env.sns_topic_arn:
        found[SNS] = SnsTopic(sns, env.sns_topic_arn)
    if env.amazon_q_topic_arn:
        found[AMAZON_Q] = SnsTopic(sns, env.amazon_q_topic_arn, notification)
    if not found:
        raise ValueError("TopicDelivery: neither SNS_TOPIC_ARN nor AMAZON_Q_TOPIC_ARN is set; one of them is needed")
    return Topics(found)
