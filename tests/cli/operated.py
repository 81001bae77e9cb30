"""A deployed trainops as the operator's commands see it: queues and a switch in moto, and CloudFormation's answers."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from moto import mock_aws

from tests.builders import REGION

SWITCH = "/trainops/kill-switch"
QUEUES = {
    "trainops-foundation": {
        "SlackDeadLetters498F1610": "slack-dead",
        "JobEventsRuleDeadLetters4B7CA563": "rule-dead",
        "JobReconcileDeadLetters184D8989": "reconcile-dead",
    },
    "trainops-operations": {
        "JobNotificationsSlackCardsQueue1A2B3C4D": "slack-cards",
        "JobNotificationsEmailCardsQueue9ABCDEF0": "email-cards",
    },
}


class Session:
    """boto3's session; CloudFormation is the one service that moto needs more packages for."""

    region_name = REGION

    def __init__(self, session: Any, urls: Mapping[str, str]) -> None:
        self._session, self._urls = session, urls

    def client(self, service: str) -> Any:
        return self if service == "cloudformation" else self._session.client(service)

    def describe_stacks(self, StackName: str) -> Any:  # noqa: N803
        outputs = [{"OutputKey": "KillSwitchName", "OutputValue": SWITCH}]
        return {"Stacks": [{"StackId": f"arn:{StackName}", "Outputs": outputs}]}

    def get_paginator(self, name: str) -> Any:
        assert name == "list_stack_resources"
        return self

    def paginate(self, StackName: str) -> Any:  # noqa: N803
        for logical, queue in QUEUES[StackName].items():
            item = {
                "LogicalResourceId": logical,
                "PhysicalResourceId": self._urls[queue],
                "ResourceType": "AWS::SQS::Queue",
            }
            yield {"StackResourceSummaries": [item]}
        yield {"StackResourceSummaries": [{"LogicalResourceId": "Policy", "ResourceType": "AWS::SQS::QueuePolicy"}]}


@contextmanager
def operated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """The account behind boto3; the Slack queue gives up into its dead-letter queue."""
    with mock_aws():
        real = boto3.Session(region_name=REGION, aws_access_key_id="a", aws_secret_access_key="b")
        sqs = real.client("sqs")
        names = [queue for queues in QUEUES.values() for queue in queues.values()]
        urls = {name: sqs.create_queue(QueueName=name)["QueueUrl"] for name in names}
        given_up = {"deadLetterTargetArn": f"arn:aws:sqs:{REGION}:123456789012:slack-dead", "maxReceiveCount": 40}
        sqs.set_queue_attributes(QueueUrl=urls["slack-cards"], Attributes={"RedrivePolicy": json.dumps(given_up)})
        real.client("ssm").put_parameter(Name=SWITCH, Value="off", Type="String")
        session = Session(real, urls)
        monkeypatch.setattr(boto3, "Session", lambda region_name: session)
        yield session
