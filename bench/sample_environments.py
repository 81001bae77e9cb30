"""A valid environment for every function, so that it starts alone: the stacks' dataclasses with sample values."""

from dataclasses import fields
from datetime import timedelta
from decimal import Decimal
from typing import Any

from trainops import chat_environment, environment, notification_environment
from trainops.telemetry import NAMESPACE

REGION, ACCOUNT = "us-east-1", "111122223333"
QUEUES = f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}"
VALUES: dict[str, Any] = {
    "alarm_subscribers": 1,
    "alarm_topic_arn": f"arn:aws:sns:{REGION}:{ACCOUNT}:alarms",
    "subscribers": 0,
    "acting_teams": ("vision",),
    "allowed_email_domains": ("example.com",),
    "amazon_q_topic_arn": None,
    "artifact_bucket": "example-artifacts",
    "bus_name": "trainops",
    "channel": "#ml-training",
    "checkpoint_bucket": "example-checkpoints",
    "dead_letter_queue_url": f"{QUEUES}/dead-letters",
    "day": 0,
    "default_channels": ("slack", "email"),
    "describe_spacing": timedelta(seconds=1),
    "email_queue_url": f"{QUEUES}/email-cards",
    "fallback_queue_url": f"{QUEUES}/fallback",
    "hour": 8,
    "job_events_queue_url": f"{QUEUES}/job-events",
    "kill_switch_parameter": "/trainops/kill-switch",
    "ledger_retention": timedelta(days=400),
    "ledger_table": "ledger",
    "log_lines": {"vision": 20},
    "list_spacing": timedelta(seconds=2),
    "owners": {},
    "overlap": timedelta(hours=1),
    "post_spacing": timedelta(seconds=2),
    "presses_queue_url": f"{QUEUES}/presses",
    "price_overrides": {"ml.g5.12xlarge": Decimal("7.09")},
    "queue_url": f"{QUEUES}/work",
    "quota_spacing": timedelta(seconds=0.25),
    "read_logs": True,
    "recipients": ("ml-team@example.com",),
    "recommendations_name": "{team}/trainops/recommendations.json",
    "refresh_every": timedelta(days=7),
    "routes": (),
    "scope_tags": {"team": "vision"},
    "search_spacing": timedelta(seconds=1),
    "secret_name": "trainops/slack",
    "sender": "trainops@example.com",
    "slack_queue_url": f"{QUEUES}/slack-cards",
    "sns_topic_arn": f"arn:aws:sns:{REGION}:{ACCOUNT}:cards",
    "stale_after": timedelta(hours=2),
    "statuses": ("Completed", "Failed", "Stopped"),
    "time_zone": "Europe/Berlin",
    "children": "folded",
    "settings_prefix": "/trainops/settings/warm-pools",
    "team_owners": {"vision": "vision-oncall@example.com"},
    "team_channels": {"vision": "#vision-training"},
    "teams": ("vision",),
    "topic_arn": None,
    "topic_queue_url": f"{QUEUES}/topic-cards",
    "update_spacing": timedelta(seconds=5),
    "waiting_usd_per_hour": {"vision": Decimal(60), "default": Decimal(60)},
    "warm_pools_queue_url": f"{QUEUES}/warm-pools",
    "workspace": "T0123ABCD",
}
"""By field, for all functions: a field means the same in each."""


def contract_of(handler: str) -> Any:
    """The dataclass of `handlers.<handler>`'s variables."""
    name = handler.title().replace("_", "")
    modules = (environment, notification_environment, chat_environment)
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def sample_environment(handler: str) -> dict[str, str]:
    """All variables of the process of `handlers.<handler>`. Raises KeyError naming a field without a sample value."""
    contract = contract_of(handler)
    values = {field.name: VALUES[field.name] for field in fields(contract)}
    env: dict[str, str] = contract(**values).to_env()
    return env | {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_LAMBDA_FUNCTION_NAME": handler,
        "POWERTOOLS_SERVICE_NAME": handler,
        "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE,
    }
