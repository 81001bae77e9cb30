"""The environment contract: what the stack writes is what the handler reads."""

from datetime import timedelta
from decimal import Decimal

import pytest

from trainops import environment, notification_environment
from trainops.environment_codec import Environment

QUEUE = {"queue_url": "https://q", "dead_letter_queue_url": "https://d", "ledger_table": "t"}
SWITCH = {"kill_switch_parameter": "/trainops/kill-switch"}
EVERY = [
    environment.JobIntake(
        **QUEUE,
        bus_name="b",
        describe_spacing=timedelta(seconds=1.5),
        ledger_retention=timedelta(days=400),
        scope_tags={"team": "vision"},
        price_overrides={"ml.g5.xlarge": Decimal("1.408")},
    ),
    environment.JobReconcile(
        ledger_table="t",
        job_events_queue_url="https://q",
        list_spacing=timedelta(seconds=2),
        overlap=timedelta(hours=6),
    ),
    notification_environment.JobNotification(
        **QUEUE,
        **SWITCH,
        statuses=("Failed",),
        time_zone="UTC",
        children="folded",
        scope_tags={"team": "vision"},
        slack_queue_url=None,
        email_queue_url="https://e",
        topic_queue_url=None,
        routes=({"teams": ["vision"], "to": ["#vision", "owner"]}, {"mute_until": "2026-04-01"}),
        default_channels=("slack", "email"),
        team_channels={"vision": "#vision"},
        allowed_email_domains=("example.com",),
        owners={"alpha-oncall": "alpha-oncall@example.com"},
    ),
    notification_environment.SlackDelivery(
        **QUEUE,
        **SWITCH,
        secret_name="trainops/slack",
        channel=None,
        post_spacing=timedelta(seconds=2),
        fallback_queue_url=None,
    ),
    notification_environment.EmailDelivery(
        **QUEUE, **SWITCH, sender=None, recipients=("a@example.com",), topic_arn="arn", fallback_queue_url=None
    ),
    notification_environment.TopicDelivery(
        **QUEUE, **SWITCH, sns_topic_arn="arn", amazon_q_topic_arn=None, fallback_queue_url=None
    ),
]


@pytest.mark.parametrize("env", EVERY, ids=lambda env: type(env).__name__)
def test_what_is_written_is_read_back(env: Environment) -> None:
    assert type(env).from_env(env.to_env()) == env


def test_an_absent_optional_value_is_not_written() -> None:
    assert "SLACK_QUEUE_URL" not in EVERY[2].to_env()
    assert EVERY[2].to_env()["TIME_ZONE"] == "UTC"


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(ValueError, match=r"JobReconcile: JOB_EVENTS_QUEUE_URL is missing; LIST_SPACING: .*soon"):
        environment.JobReconcile.from_env({"LEDGER_TABLE": "t", "LIST_SPACING": "soon", "OVERLAP": "1"})


@pytest.mark.parametrize("variable", ["SCOPE_TAGS", "PRICE_OVERRIDES", "DESCRIBE_SPACING"])
def test_an_empty_value_is_a_fault_not_a_default(variable: str) -> None:
    with pytest.raises(ValueError, match=variable):
        environment.JobIntake.from_env({**EVERY[0].to_env(), variable: ""})


def test_more_than_lambda_takes_is_refused_with_the_largest_named() -> None:
    prices = {f"ml.g5.{number}xlarge": Decimal(1) for number in range(400)}
    big = environment.JobIntake(
        **QUEUE,
        bus_name="b",
        describe_spacing=timedelta(seconds=1),
        ledger_retention=timedelta(days=1),
        scope_tags={},
        price_overrides=prices,
    )
    with pytest.raises(ValueError, match=r"Lambda takes 4096; the largest is PRICE_OVERRIDES"):
        big.to_env()
