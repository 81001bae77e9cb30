"""SNS topics that cards are published to: one for programs and phones, one that Amazon Q Developer reads."""

from dataclasses import dataclass

from aws_cdk import CfnOutput, Stack
from aws_cdk import aws_chatbot as chatbot
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk.aws_sns import ITopic
from constructs import Construct

from stacks.notification_settings import AmazonQ, Notifications

GUARDRAIL = "CloudWatchReadOnlyAccess"
"""The most that anybody can do through the chat channel, whatever its role allows. Unset, the service takes
AdministratorAccess."""


@dataclass(frozen=True, kw_only=True)
class Topics:
    """Those that the settings ask for."""

    sns: ITopic | None
    amazon_q: ITopic | None


def make_topics(scope: Construct, *, name: str, chosen: Notifications) -> Topics:
    """The topics, within `scope`; `name` is the deployment's."""
    return Topics(
        sns=_for_anybody(scope) if chosen.sns_topic else None,
        amazon_q=_for_amazon_q(scope, name, chosen.amazon_q) if chosen.amazon_q else None,
    )


def _for_anybody(scope: Construct) -> ITopic:
    topic = sns.Topic(scope, "Topic", display_name="trainops", enforce_ssl=True)
    CfnOutput(Stack.of(scope), "CardTopicArn", value=topic.topic_arn)
    return topic


def _for_amazon_q(scope: Construct, name: str, chosen: AmazonQ) -> ITopic:
    """A topic of its own, since Amazon Q drops whatever is not in its schema. Its role may do nothing but be there."""
    topic = sns.Topic(scope, "AmazonQTopic", display_name="trainops for Amazon Q Developer", enforce_ssl=True)
    role = iam.Role(
        scope,
        "AmazonQRole",
        assumed_by=iam.ServicePrincipal("chatbot.amazonaws.com"),
        description="What Amazon Q Developer may do in the channel: nothing, it only posts",
    )
    chatbot.SlackChannelConfiguration(
        scope,
        "AmazonQ",
        slack_channel_configuration_name=name,
        slack_workspace_id=chosen.workspace_id,
        slack_channel_id=chosen.channel_id,
        notification_topics=[topic],
        guardrail_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(GUARDRAIL)],
        logging_level=chatbot.LoggingLevel.ERROR,
        role=role,
    )
    return topic
