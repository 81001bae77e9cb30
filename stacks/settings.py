"""Every choice a person can make when deploying, as frozen models; `settings_file` reads them from YAML.

All defaults together are deployable, so an empty file is valid. A section that is there but empty means its defaults.
"""

from datetime import timedelta
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, Field, StrictBool, ValidationInfo, field_validator

from stacks.monitoring_settings import AlarmSettings, MetricSettings
from stacks.notification_settings import Notifications
from stacks.price_settings import PriceListSettings
from stacks.quota_settings import QuotaSettings
from stacks.setting_types import (
    Account,
    Choices,
    Duration,
    Name,
    Prices,
    Region,
    RetentionDays,
    Tags,
    refusal,
    schedulable,
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

    retention: Duration = timedelta(days=400)

    @field_validator("retention")
    @classmethod
    def _outlives_jobs(cls, value: timedelta) -> timedelta:
        if not LONGEST_JOB <= value <= TEN_YEARS:
            raise refusal("from P30D, so that no job is forgotten while it runs, to P3650D")
        return value


class Limits(Choices):
    """How much is taken of what others use too: SageMaker's control plane, and the Slack channel's patience."""

    describe_per_second: Annotated[float, Field(strict=True, ge=1, le=DESCRIBE_LIMIT)] = FAIR_DESCRIBES
    slack_posts_per_second: Annotated[float, Field(strict=True, ge=0.5, le=50)] = 1.0


class Reconcile(Choices):
    """How often jobs are sought that events missed, and how far back each search starts."""

    every: Duration = timedelta(minutes=15)
    overlap: Duration = timedelta(hours=6)

    @field_validator("every")
    @classmethod
    def _schedulable(cls, value: timedelta) -> timedelta:
        return schedulable(value)

    @field_validator("overlap")
    @classmethod
    def _walkable(cls, value: timedelta) -> timedelta:
        if not timedelta(minutes=15) <= value <= LONGEST_JOB:
            raise refusal("from PT15M, since what is younger than five minutes is left to its event, to P30D")
        return value


class WarmPoolSettings(WarmPoolChoices):
    """The choices of every job without a team of its own, and how often pools are sought that events missed."""

    sweep_every: Duration = timedelta(minutes=15)

    @field_validator("sweep_every")
    @classmethod
    def _schedulable(cls, value: timedelta) -> timedelta:
        return schedulable(value)


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
