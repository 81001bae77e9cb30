"""Channels as they are deployed: only what the settings name, and nothing that a chat service would drop."""

import json
from pathlib import Path

import pytest

from stacks.settings import Settings
from tests.infrastructure.conftest import Deployment, synthesise
from tests.infrastructure.test_functions import variables
from trainops import notification_environment
from trainops.notification_environment import SlackDelivery


@pytest.mark.case("NO-11")
def test_amazon_qs_topic_gets_nothing_but_what_the_delivery_writes(full: Deployment) -> None:
    [chat] = full.properties("AWS::Chatbot::SlackChannelConfiguration")
    [topic] = [full.target(arn) for arn in chat["SnsTopicArns"]]
    targets = [target for rule in full.properties("AWS::Events::Rule") for target in rule["Targets"]]
    assert topic not in {full.target(target["Arn"]) for target in targets}, "no rule sends it events"
    assert not [target for target in targets if "InputTransformer" in target]
    publishing = [item for item in full.statements("topic_delivery") if item["Action"] == "sns:Publish"]
    assert topic in {full.target(arn) for item in publishing for arn in item["Resource"]}
    assert full.target(full.function("topic_delivery")["Environment"]["Variables"]["AMAZON_Q_TOPIC_ARN"]) == topic


@pytest.mark.case("NO-11")
def test_what_can_be_done_from_the_chat_channel_is_bounded_by_name_and_reads_only(full: Deployment) -> None:
    [chat] = full.properties("AWS::Chatbot::SlackChannelConfiguration")
    [guardrail] = chat["GuardrailPolicies"]
    assert "policy/CloudWatchReadOnlyAccess" in json.dumps(guardrail), "unset, it would be AdministratorAccess"
    assert (chat["SlackWorkspaceId"], chat["SlackChannelId"]) == ("T0123456789", "C0123456789")
    assert chat["LoggingLevel"] == "ERROR", "what it drops is only said there"
    role = full.target(chat["IamRoleArn"])
    attached = [item for item in full.properties("AWS::IAM::Policy") if role in map(full.target, item["Roles"])]
    assert not attached
    assert "ManagedPolicyArns" not in full.resources("AWS::IAM::Role")[role]["Properties"]


def test_routes_reach_the_notification_function(full: Deployment) -> None:
    told = notification_environment.JobNotification.from_env(variables(full, "job_notification"))
    assert [sorted(route) for route in told.routes] == [
        ["mute_until", "statuses", "teams"],
        ["statuses", "teams", "to"],
        ["statuses", "to"],
    ]
    assert told.default_channels == ("slack", "email", "sns", "amazon_q")
    assert told.team_channels == {"vision": "#vision-training"}
    assert told.allowed_email_domains == ("example.com",)
    assert SlackDelivery.from_env(variables(full, "slack_delivery")).channel == "#ml-training"


def test_a_webhook_without_a_bot_has_none_of_its_permissions(tmp_path: Path) -> None:
    chosen = {"notifications": {"slack": {"secret_name": "s"}}, "teams": {"vision": {"slack_channel": "#vision"}}}
    deployment = synthesise(Settings.model_validate(chosen), tmp_path)
    assert "THREAD#" not in json.dumps(deployment.statements("slack_delivery"))
    assert "dynamodb:GetItem" not in json.dumps(deployment.statements("slack_delivery"))
    told = notification_environment.JobNotification.from_env(variables(deployment, "job_notification"))
    assert (told.team_channels, told.default_channels) == (None, ("slack", "email"))
    assert not list(deployment.properties("AWS::Chatbot::SlackChannelConfiguration"))
    assert "topic_delivery" not in json.dumps(deployment.operations)
