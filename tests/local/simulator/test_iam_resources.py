"""Calls are evaluated on the resources and condition keys that AWS evaluates."""

import json
from typing import Any

import pytest

from local.authorisations import Authorisations
from local.iam_resources import Call, evaluated

ACCOUNT = "123456789012"


def call(service: str, action: str, body: dict[str, Any], generic: str = "*") -> Call:
    """A JSON request to a service in eu-central-1."""
    identities = frozenset({"sender@mail.example", "verified.example"})
    return Call(
        service, action, "/", json.dumps(body).encode(), {}, "eu-central-1", ACCOUNT, generic, lambda: identities
    )


@pytest.mark.parametrize(
    ("service", "action", "body", "resources"),
    [
        (
            "ses",
            "ses:SendEmail",
            {"FromEmailAddress": "Training <sender@mail.example>"},
            ["ses:identity/sender@mail.example"],
        ),
        (
            "ses",
            "ses:SendEmail",
            {"FromEmailAddress": "any@verified.example", "ConfigurationSetName": "c"},
            ["ses:identity/verified.example", "ses:configuration-set/c"],
        ),
        ("ses", "ses:SendEmail", {"FromEmailAddress": "x@unverified.example"}, ["ses:identity/x@unverified.example"]),
        ("ssm", "ssm:GetParameters", {"Names": ["/a/b", "c"]}, ["ssm:parameter/a/b", "ssm:parameter/c"]),
        ("ssm", "ssm:GetParametersByPath", {"Path": "/a"}, ["ssm:parameter/a"]),
        ("events", "events:PutTargets", {"Rule": "r"}, ["events:rule/r"]),
        ("events", "events:PutRule", {"Name": "r", "EventBusName": "bus"}, ["events:rule/bus/r"]),
        ("logs", "logs:PutLogEvents", {"logGroupName": "g", "logStreamName": "s"}, ["logs:log-group:g:log-stream:s"]),
    ],
)
def test_a_call_is_evaluated_on_what_it_names(
    service: str, action: str, body: dict[str, Any], resources: list[str]
) -> None:
    found = evaluated(call(service, action, body))
    expected = [f"arn:aws:{r.partition(':')[0]}:eu-central-1:{ACCOUNT}:{r.partition(':')[2]}" for r in resources]
    assert [str(found), *found.others] == expected


def test_what_is_not_known_better_stays_as_it_was() -> None:
    generic = f"arn:aws:sqs:eu-central-1:{ACCOUNT}:queue"
    assert str(evaluated(call("sqs", "sqs:SendMessage", {}, generic))) == generic


def test_metrics_are_evaluated_with_their_namespace() -> None:
    found = evaluated(call("monitoring", "cloudwatch:PutMetricData", {"Namespace": "Trainops"}))
    assert (str(found), found.context) == ("*", {"cloudwatch:namespace": "Trainops"})


def test_sessions_of_one_role_are_one_principal_in_the_record() -> None:
    record = Authorisations()
    for session in ("one", "two"):
        record.note(f"arn:aws:sts::{ACCOUNT}:assumed-role/worker/{session}", "sqs:SendMessage", "q", "Allow")
    record.note(f"arn:aws:iam::{ACCOUNT}:root", "sqs:SendMessage", "q", "Allow")
    [entry] = record.listed("worker")
    assert entry == {
        "principal": f"arn:aws:iam::{ACCOUNT}:role/worker",
        "role": "worker",
        "action": "sqs:SendMessage",
        "resource": "q",
        "decision": "Allow",
        "count": 2,
    }
    assert record.listed(entry["principal"]) == [entry]
