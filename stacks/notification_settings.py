"""Who hears of what, and through which channels; `settings` puts it together with the rest."""

import json
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, field_validator, model_validator

from stacks.report_settings import ReportSettings
from stacks.setting_types import (
    MAP_BYTES,
    Address,
    Addresses,
    Choices,
    EmailDomains,
    OwnerAddresses,
    SecretName,
    SlackChannel,
    Status,
    Statuses,
    Text,
    TimeZone,
    form,
    refusal,
    section,
    unique,
    with_warned,
)

RouteTarget = Annotated[
    Text,
    form(
        r"slack|email|sns|amazon_q|owner|[CG][A-Z0-9]{8,}|#[a-z0-9_-]{1,80}|[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>]+",
        "slack, email, sns, amazon_q, owner, a Slack channel's ID (C…) or name in quotes, or an e-mail address",
    ),
]
WorkspaceId = Annotated[Text, form(r"[TE][A-Z0-9]{8,}", "a Slack workspace's ID (T…)")]
ChannelId = Annotated[Text, form(r"[CG][A-Z0-9]{8,}", "a Slack channel's ID (C…)")]


class Slack(Choices):
    """The secret's name; with a `channel` its token is used, as a bot, else its webhook. Without a secret nothing is
    made for Slack.
    """

    secret_name: SecretName | None = None
    channel: SlackChannel | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.channel and not self.secret_name:
            raise refusal("secret_name together with channel: the bot's token is in the secret")
        return self


class Email(Choices):
    """With a `sender`, SES sends to `recipients`; without one, they subscribe to an SNS topic."""

    sender: Address | None = None
    recipients: Addresses = ()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.sender and not self.recipients:
            raise refusal("recipients together with sender; without recipients nobody would get the e-mail")
        return self


class AmazonQ(Choices):
    """The Slack channel that Amazon Q Developer in chat applications posts to."""

    workspace_id: WorkspaceId
    channel_id: ChannelId


class Route(Choices):
    """What goes where; either `to`, or a day on which a mute is over."""

    teams: Annotated[tuple[Text, ...], AfterValidator(unique)] = ()
    statuses: Annotated[tuple[Status, ...], AfterValidator(unique), AfterValidator(with_warned)] = ()
    to: Annotated[tuple[RouteTarget, ...], AfterValidator(unique)] | None = None
    mute_until: Text | None = None

    @field_validator("mute_until")
    @classmethod
    def _day(cls, value: str | None) -> str | None:
        try:
            return value and date.fromisoformat(value).isoformat()
        except ValueError as error:
            raise refusal('a day in quotes, such as "2026-04-01"') from error

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.to is None) == (self.mute_until is None):
            raise refusal("either to (a list; empty means nobody) or mute_until")
        return self


class Notifications(Choices):
    """Who hears of what."""

    statuses: Statuses = (
        *("StartWarning", "CheckpointsOld", "Completed", "Failed", "Stopped"),
        *("WarmPoolEnding", "WarmPoolEnded", "WarmPoolHeld", "WarmPoolSweep"),
        *("QuotaChanged", "QuotaRefusal", "WeeklyReport"),
    )
    time_zone: TimeZone = "UTC"
    weekly_report: Annotated[ReportSettings, BeforeValidator(section)] = ReportSettings()
    children: Literal["folded", "single"] = "folded"
    slack: Annotated[Slack, BeforeValidator(section)] = Slack()
    email: Annotated[Email, BeforeValidator(section)] = Email()
    sns_topic: StrictBool = False
    amazon_q: AmazonQ | None = None
    allowed_email_domains: EmailDomains = ()
    """Where owners may be written to directly; nowhere without any."""
    owners: Annotated[OwnerAddresses, BeforeValidator(section)] = Field(default_factory=dict)
    routes: tuple[Route, ...] = ()

    @model_validator(mode="after")
    def _inside(self) -> Self:
        for name, address in self.owners.items():
            if address.rpartition("@")[2].lower() not in self.allowed_email_domains:
                raise refusal(f"owners.{name} with an address inside allowed_email_domains")
        return self

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        for number, route in enumerate(self.routes):
            for target in route.to or ():
                if missing := self.missing(target):
                    raise refusal(f"routes[{number}].to with {target} only together with {missing}")
        if len(json.dumps(self.route_table)) > MAP_BYTES:
            raise refusal(f"routes of at most {MAP_BYTES} bytes as JSON, since Lambda takes 4 KB of environment")
        return self

    @property
    def route_table(self) -> tuple[dict[str, object], ...]:
        """The routes as the function reads them."""
        return tuple(route.model_dump(exclude_defaults=True) for route in self.routes)

    @property
    def default_channels(self) -> tuple[str, ...]:
        """Where cards go that no route is for: everywhere there is."""
        there = {"slack": self.slack.secret_name, "email": True, "sns": self.sns_topic, "amazon_q": self.amazon_q}
        return tuple(name for name, is_there in there.items() if is_there)

    @property
    def told(self) -> tuple[str, ...]:
        """Every status that somebody may hear of."""
        return tuple(dict.fromkeys([*self.statuses, *(status for route in self.routes for status in route.statuses)]))

    def missing(self, target: str) -> str | None:
        """What a target needs and the settings do not have."""
        needs = {
            "slack": (self.slack.secret_name, "slack.secret_name"),
            "email": (self.email.recipients, "email.recipients"),
            "sns": (self.sns_topic, "sns_topic: true"),
            "amazon_q": (self.amazon_q, "amazon_q"),
            "owner": (
                self.allowed_email_domains and (self.slack.channel or self.email.sender),
                "allowed_email_domains and slack.channel or email.sender",
            ),
        }
        other = (self.email.sender, "email.sender") if "@" in target else (self.slack.channel, "slack.channel")
        there, name = needs.get(target, other)
        return None if there else name
