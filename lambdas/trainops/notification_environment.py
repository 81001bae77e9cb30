"""The environment of the functions that decide who hears of what, and deliver it; the others' is in `environment`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from trainops.environment import QueueConsumer
from trainops.environment_codec import Environment


@dataclass(frozen=True, kw_only=True)
class JobNotification(QueueConsumer):
    """`handlers.job_notification`: decides who hears of an event, and puts a card on each channel's queue."""

    kill_switch_parameter: str
    statuses: tuple[str, ...]
    """Which words, such as Started or Failed, are told where no route says otherwise."""
    time_zone: str
    children: str
    """`folded` or `single`: how the jobs of tuning jobs, AutoML jobs and pipelines are told."""
    scope_tags: Mapping[str, str]
    slack_queue_url: str | None
    email_queue_url: str
    topic_queue_url: str | None
    routes: tuple[Mapping[str, Any], ...]
    default_channels: tuple[str, ...]
    team_channels: Mapping[str, str] | None
    """The Slack channels of teams, which only a bot can post to; None without one."""
    allowed_email_domains: tuple[str, ...]
    owners: Mapping[str, str]
    """Addresses of owners who are known by another name."""


@dataclass(frozen=True, kw_only=True)
class Delivery(QueueConsumer):
    """What every function that delivers cards needs."""

    kill_switch_parameter: str
    fallback_queue_url: str | None
    """The queue of the channel that gets what this one will never take."""


@dataclass(frozen=True, kw_only=True)
class SlackDelivery(Delivery):
    """`handlers.slack_delivery`: posts cards as the bot, or to the incoming webhook, of the secret."""

    secret_name: str
    channel: str | None
    """The bot's default channel; without one the webhook is used."""
    post_spacing: timedelta
    """Time between two messages of one invocation; concurrency is limited on the queue."""


@dataclass(frozen=True, kw_only=True)
class EmailDelivery(Delivery):
    """`handlers.email_delivery`: sends cards through SES when there is a sender, else to the SNS topic."""

    sender: str | None
    recipients: tuple[str, ...]
    topic_arn: str | None


@dataclass(frozen=True, kw_only=True)
class MailCheck(Environment):
    """`handlers.mail_check`: asks SES whether mail can arrive; the addresses come with the request."""


@dataclass(frozen=True, kw_only=True)
class TopicDelivery(Delivery):
    """`handlers.topic_delivery`: publishes cards to SNS topics."""

    sns_topic_arn: str | None
    amazon_q_topic_arn: str | None
