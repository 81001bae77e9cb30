"""What each role may do, statement by statement."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.infrastructure.conftest import Deployment

QUEUE_CONSUMER = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ChangeMessageVisibility"}
LOGGING = {"logs:CreateLogStream", "logs:PutLogEvents"}
ONCE = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"}
ASKING = {
    "servicequotas:GetServiceQuota",
    "servicequotas:GetAWSDefaultServiceQuota",
    "servicequotas:GetRequestedServiceQuotaChange",
    "servicequotas:ListServiceQuotas",
    "servicequotas:ListAWSDefaultServiceQuotas",
    "servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota",
    "servicequotas:RequestServiceQuotaIncrease",
    "iam:CreateServiceLinkedRole",
}
ACTIONS = {
    "job_intake": {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem"}
    | {"sagemaker:DescribeTrainingJob", "sagemaker:ListTags", "events:PutEvents", "sqs:SendMessage"}
    | QUEUE_CONSUMER
    | LOGGING,
    "job_reconcile": {"sagemaker:ListTrainingJobs", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem"}
    | {"dynamodb:Query", "sqs:SendMessage"}
    | LOGGING,
    "warm_pool_control": {"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
    | {"sagemaker:DescribeTrainingJob", "sagemaker:ListTags", "sagemaker:UpdateTrainingJob", "ssm:GetParameter"}
    | {"sagemaker:AddTags", "events:PutEvents", "sqs:SendMessage"}
    | QUEUE_CONSUMER
    | LOGGING,
    "warm_pool_sweep": {"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
    | {"sagemaker:ListTrainingJobs", "ssm:GetParameter", "events:PutEvents", "sqs:SendMessage", "s3:PutObject"}
    | LOGGING,
    "spot_savings": {"dynamodb:GetItem", "dynamodb:PutItem", "sqs:SendMessage"} | QUEUE_CONSUMER | LOGGING,
    "metrics_recount": {"dynamodb:BatchGetItem", "dynamodb:Query", "sqs:SendMessage"} | LOGGING,
    "checkpoint_watch": {"dynamodb:BatchGetItem", "dynamodb:PutItem", "dynamodb:Query", "s3:ListBucket"}
    | {"events:PutEvents", "sqs:SendMessage"}
    | LOGGING,
    "weekly_report": {"dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
    | {"events:PutEvents", "logs:FilterLogEvents", "sqs:SendMessage"}
    | LOGGING,
    "price_refresh": {"pricing:GetProducts", "dynamodb:GetItem", "dynamodb:PutItem", "sqs:SendMessage"} | LOGGING,
    "job_notification": {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem"}
    | {"ssm:GetParameter", "sqs:SendMessage", "logs:DescribeLogStreams", "logs:GetLogEvents"}
    | QUEUE_CONSUMER
    | LOGGING,
    "slack_delivery": {"secretsmanager:GetSecretValue", "ssm:GetParameter", "sqs:SendMessage", "dynamodb:GetItem"}
    | ONCE
    | QUEUE_CONSUMER
    | LOGGING,
    "mail_check": {"ses:GetAccount", "ses:GetEmailIdentity"} | LOGGING,
    "topic_delivery": {"sns:Publish", "ssm:GetParameter", "sqs:SendMessage"} | ONCE | QUEUE_CONSUMER | LOGGING,
    "email_delivery": {"ses:SendEmail", "ssm:GetParameter", "sqs:SendMessage"} | ONCE | QUEUE_CONSUMER | LOGGING,
    "quota_request": {"dynamodb:GetItem", "dynamodb:PutItem"} | ASKING | LOGGING,
    "quota_tracker": {"dynamodb:Query", "dynamodb:PutItem", "events:PutEvents", "sagemaker:Search", "sqs:SendMessage"}
    | {"ssm:GetParameter"}
    | ASKING
    | LOGGING,
    "quota_refusal": {"dynamodb:GetItem", "dynamodb:PutItem", "events:PutEvents", "sagemaker:Search"}
    | {"sqs:SendMessage"}
    | QUEUE_CONSUMER
    | LOGGING,
    "self_check": {"sns:ListSubscriptionsByTopic", "sqs:SendMessage", "dynamodb:PutItem"} | LOGGING,
    "chat_action": {"secretsmanager:GetSecretValue", "sqs:SendMessage"} | LOGGING,
    "chat_action_work": {"dynamodb:GetItem", "dynamodb:PutItem", "secretsmanager:GetSecretValue", "ssm:GetParameter"}
    | {"sqs:SendMessage"}
    | QUEUE_CONSUMER
    | LOGGING,
    "team_publication": {"s3:PutObject", "s3:DeleteObject"} | LOGGING,
}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def function_roles(deployment: Deployment) -> dict[str, Mapping[str, Any]]:
    """The roles that Lambda may assume, with their properties; jobs and people have others."""
    return {
        name: item["Properties"]
        for name, item in deployment.resources("AWS::IAM::Role").items()
        if "lambda.amazonaws.com" in json.dumps(item["Properties"]["AssumeRolePolicyDocument"])
    }


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_a_role_has_exactly_the_actions_its_function_calls(full: Deployment, name: str) -> None:
    granted = {action for statement in full.statements(name) for action in as_list(statement["Action"])}
    assert granted == ACTIONS[name]


def test_nobody_reads_the_logs_of_jobs_while_no_team_wants_their_end(empty: Deployment) -> None:
    granted = {action for item in empty.statements("job_notification") for action in as_list(item["Action"])}
    assert not granted & {"logs:DescribeLogStreams", "logs:GetLogEvents"}


def test_no_role_has_a_managed_policy_and_no_function_can_pass_a_role(full: Deployment) -> None:
    for role in function_roles(full).values():
        assert not role.get("ManagedPolicyArns")
        assert not role.get("Policies")
        trust = role["AssumeRolePolicyDocument"]["Statement"]
        assert {item["Principal"]["Service"] for item in trust} == {"lambda.amazonaws.com"}
    assert "iam:PassRole" not in json.dumps([full.foundation, full.operations])


def test_each_function_has_a_role_of_its_own(full: Deployment) -> None:
    roles = [full.target(function["Role"]) for function in full.properties("AWS::Lambda::Function")]
    assert len(set(roles)) == len(roles) == len(function_roles(full))


def test_a_function_writes_to_its_own_log_only(full: Deployment) -> None:
    for function in full.functions():
        name = function["Handler"].split(".")[1]
        logging = [item for item in full.statements(name) if "logs:PutLogEvents" in item["Action"]]
        assert [full.target(item["Resource"]) for item in logging] == [full.target(function["LoggingConfig"])]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("slack_delivery", [["ONCE#*"], ["THREAD#*", "PERSON#*"]]),
        ("email_delivery", [["ONCE#*"]]),
        ("topic_delivery", [["ONCE#*"]]),
    ],
)
def test_a_delivery_cannot_touch_the_ledgers_jobs(full: Deployment, name: str, keys: list[list[str]]) -> None:
    statements = [item for item in full.statements(name) if "dynamodb:" in str(item["Action"])]
    conditions = [{"ForAllValues:StringLike": {"dynamodb:LeadingKeys": own}} for own in keys]
    assert [item["Condition"] for item in statements] == conditions


def test_the_notification_writes_only_what_keeps_messages_few(full: Deployment) -> None:
    (statement,) = [item for item in full.statements("job_notification") if "dynamodb:PutItem" in item["Action"]]
    assert statement["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["FAMILY#*", "STORM#*"]}}


def test_every_queue_and_topic_refuses_unencrypted_transport(full: Deployment) -> None:
    for kind, policies, key in (
        ("AWS::SQS::Queue", "AWS::SQS::QueuePolicy", "Queues"),
        ("AWS::SNS::Topic", "AWS::SNS::TopicPolicy", "Topics"),
    ):
        covered = {
            full.target(reference)
            for policy in full.properties(policies)
            for reference in policy[key]
            if any(
                item["Effect"] == "Deny" and item.get("Condition") == {"Bool": {"aws:SecureTransport": "false"}}
                for item in policy["PolicyDocument"]["Statement"]
            )
        }
        assert covered == set(full.resources(kind))


def test_who_may_use_a_resource_policy_is_a_service_of_this_account(full: Deployment) -> None:
    for kind in ("AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"):
        for policy in full.properties(kind):
            for statement in policy["PolicyDocument"]["Statement"]:
                if statement["Effect"] == "Allow":
                    assert set(statement["Principal"]) == {"Service"}
                    assert "aws:Source" in json.dumps(statement["Condition"])


def test_mail_may_only_be_sent_from_the_configured_address(full: Deployment) -> None:
    [sending] = [item for item in full.statements("email_delivery") if item["Action"] == "ses:SendEmail"]
    assert sending["Condition"] == {"StringEquals": {"ses:FromAddress": "trainops@example.com"}}
