"""Every choice a person can make when deploying, as frozen models; `settings_file` reads them from YAML.

All defaults together are deployable, so an empty file is valid. A section that is there but empty means its defaults.
"""

from datetime import timedelta
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, Field, StrictBool, ValidationInfo, field_validator

from stacks.action_settings import ActionSettings
from stacks.monitoring_settings import AlarmSettings, MetricSettings
from stacks.notification_settings import Notifications
from stacks.price_settings import PriceListSettings
from stacks.quota_settings import QuotaSettings
from stacks.self_check_settings import SelfCheckSettings
from stacks.setting_types import (
    Account,
    Choices,
    Duration,
    Interval,
    Name,
    Prices,
    Region,
    RetentionDays,
    Tags,
    between,
    refusal,
    section,
)
from stacks.storage_settings import StorageSettings
from stacks.team_settings import Teams
from stacks.warm_pool_settings import WarmPoolChoices

DESCRIBE_LIMIT = 5.0
"""DescribeTrainingJob calls per second, account and Region; not adjustable (AWS General Reference)."""
FAIR_DESCRIBES = 2.0
"""Forty percent of the limit: above it, people's own calls begin to be throttled."""
LONGEST_JOB = timedelta(days=30)
"""A training job with its retries ends within 30 days (StoppingCondition)."""

TEN_YEARS = timedelta(days=3650)


class Scope(Choices):
    """Which jobs are looked after: those that carry all `tags`; every job when there are none."""

    tags: Annotated[Tags, BeforeValidator(section)] = Field(default_factory=dict)


class LedgerSettings(Choices):
    """How long the ledger remembers a job."""

    retention: Annotated[
        Duration, between(LONGEST_JOB, TEN_YEARS, "from P30D, so that no job is forgotten while it runs, to P3650D")
    ] = timedelta(days=400)


class Limits(Choices):
    """How much is taken of what others use too: SageMaker's control plane, and the Slack channel's patience."""

    describe_per_second: Annotated[float, Field(strict=True, ge=1, le=DESCRIBE_LIMIT)] = FAIR_DESCRIBES
    slack_posts_per_second: Annotated[float, Field(strict=True, ge=0.5, le=50)] = 1.0


class Reconcile(Choices):
    """How often jobs are sought that events missed, and how far back each search starts."""

    every: Interval = timedelta(minutes=15)
    overlap: Annotated[
        Duration,
        between(
            timedelta(minutes=15),
            LONGEST_JOB,
            "from PT15M, since what is younger than five minutes is left to its event, to P30D",
        ),
    ] = timedelta(hours=6)


class WarmPoolSettings(WarmPoolChoices):
    """The choices of every job without a team of its own, and how often pools are sought that events missed."""

    sweep_every: Interval = timedelta(minutes=15)


class Settings(Choices):
    """One deployment."""

    name: Name = "trainops"
    region: Region | None = None
    account: Account | None = None
    scope: Annotated[Scope, BeforeValidator(section)] = Scope()
    teams: Annotated[Teams, BeforeValidator(section)] = Field(default_factory=dict)
    storage: Annotated[StorageSettings, BeforeValidator(section)] = StorageSettings()
    prices: Annotated[Prices, BeforeValidator(section)] = Field(default_factory=dict)
    price_list: Annotated[PriceListSettings, BeforeValidator(section)] = PriceListSettings()
    ledger: Annotated[LedgerSettings, BeforeValidator(section)] = LedgerSettings()
    notifications: Annotated[Notifications, BeforeValidator(section)] = Notifications()
    limits: Annotated[Limits, BeforeValidator(section)] = Limits()
    reconcile: Annotated[Reconcile, BeforeValidator(section)] = Reconcile()
    warm_pools: Annotated[WarmPoolSettings, BeforeValidator(section)] = WarmPoolSettings()
    quotas: Annotated[QuotaSettings, BeforeValidator(section)] = QuotaSettings()
    actions: Annotated[ActionSettings, BeforeValidator(section)] = ActionSettings()
    self_check: Annotated[SelfCheckSettings, BeforeValidator(section)] = SelfCheckSettings()
    alarms: Annotated[AlarmSettings, BeforeValidator(section)] = AlarmSettings()
    metrics: Annotated[MetricSettings, BeforeValidator(section)] = MetricSettings()
    log_retention_days: RetentionDays = 90
    termination_protection: StrictBool = True

    @field_validator("name")
    @classmethod
    def _allowed_prefix(cls, value: str) -> str:
        # The kill switch is the SSM parameter /<name>/kill-switch, and SSM reserves these beginnings (PutParameter).
        if value.startswith(("aws", "ssm")):
            raise refusal("a name that begins with neither aws nor ssm")
        return value

    @field_validator("notifications")
    @classmethod
    def _known_teams(cls, value: Notifications, info: ValidationInfo) -> Notifications:
        # Only a team of the settings: a typing error would send its messages to the default channels unnoticed.
        teams = info.data.get("teams", {})
        for number, route in enumerate(value.routes):
            if unknown := set(route.teams) - set(teams):
                known = f"among the deployment's teams: {', '.join(sorted(teams)) or 'there are none'}"
                raise refusal(f"routes[{number}].teams {known}; unknown: {', '.join(sorted(unknown))}")
        return value

    @field_validator("self_check")
    @classmethod
    def _able_to_arrive(cls, value: SelfCheckSettings, info: ValidationInfo) -> SelfCheckSettings:
        notifications = info.data.get("notifications", Notifications())
        if value.to and (missing := notifications.missing(value.to)):
            raise refusal(f"self_check.to with {value.to} only together with notifications.{missing}")
        if value.to and "team" in info.data.get("scope", Scope()).tags:
            raise refusal("self_check.to only without the tag team in scope.tags: the synthetic job has its own team")
        return value

    @field_validator("actions")
    @classmethod
    def _able_to_act(cls, value: ActionSettings, info: ValidationInfo) -> ActionSettings:
        notifications = info.data.get("notifications", Notifications())
        if missing := value.missing(notifications.slack.secret_name, info.data.get("teams")):
            raise refusal(missing)
        return value


def fields_at(path: tuple[Any, ...]) -> list[str]:
    """The keys that the mapping at a path of keys takes; empty when people choose them, as in prices."""
    model: type[BaseModel] | None = Settings
    chosen: type[BaseModel] | None = None
    """What lies under keys that people choose."""
    for key in [key for key in path if not isinstance(key, int)]:
        if chosen is not None:
            model, chosen = chosen, None
            continue
        field = model.model_fields.get(str(key)) if model else None
        model, chosen = _models(field.annotation) if field else (None, None)
    return list(model.model_fields) if model else []


def _models(annotation: Any) -> tuple[type[BaseModel] | None, type[BaseModel] | None]:
    """The model that an annotation is or may be, and the one that its values are when it is a mapping of models."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, None
    arguments = get_args(annotation)
    found = next((model for part in arguments if (model := _models(part)[0])), None)
    return (None, found) if get_origin(annotation) is dict else (found, None)
