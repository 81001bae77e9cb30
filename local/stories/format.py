"""A story as it is written: the account it needs, the people in it, the day, and what is expected of it."""

from datetime import timedelta
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, field_validator, model_validator

from local.sagemaker.quota_admission import SPOT, TRAINING, WARM_POOL
from local.sagemaker.switches import Switches
from local.service_quotas.catalogue import by_code, by_name
from local.stories.expectations import Expectation, Moment
from local.stories.jobs import AtLeastOne, Count, Create, CreateMany
from local.stories.values import Duration, ErrorCode, Handle, JobName, Part, accepted, said
from stacks.notification_settings import Notifications
from stacks.setting_types import Status as Told

Chance = Annotated[float, Field(ge=0, le=1)]
ROLE = "training"


class Clock(Part):
    """How time passes on the laptop; without either field it jumps from one entry to the next.

    `step` is the farthest that it jumps before the product has worked off what happened, which keeps the order of
    what is told. With `rate` it runs instead: so many simulated seconds in a second.
    """

    step: Duration | None = None
    rate: Annotated[float, Field(gt=0)] | None = None


class Person(Part):
    """Who creates jobs: the execution role they use and the tags they give."""

    role: Annotated[str, Field(pattern=r"^[\w+=,.@-]{1,64}$")] = ROLE
    tags: dict[str, str] = Field(default_factory=dict)


class Quota(Part):
    """Instances of one type that the account may use; or, written plainly, the value of a quota by code or name."""

    training: Count | None = None
    spot: Count | None = None
    warm_pool: Count | None = None
    value: Annotated[float, Field(ge=0)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"value": value} if isinstance(value, str) else value

    def values(self, name: str) -> dict[str, float]:
        """Values by the quotas' names or codes; `name` is what the story writes before them."""
        if self.value is not None:
            return {name: self.value}
        usages = {TRAINING: self.training, SPOT: self.spot, WARM_POOL: self.warm_pool}
        return {usage.format(name): float(value) for usage, value in usages.items() if value is not None}


class DeliveryFaults(Part):
    """What becomes of SageMaker's events (local/event_faults.py); `{}` is exact delivery."""

    seed: int = 0
    loss: Chance = 0
    duplicates: Chance = 0
    shuffle_window: Duration = timedelta(0)
    delay: Duration = timedelta(0)

    def fields(self) -> dict[str, Any]:
        """The fields of `local.account_control.FaultFields`."""
        seconds = {"shuffle_window": self.shuffle_window, "delay_seconds": self.delay}
        chances = {"seed": self.seed, "loss": self.loss, "duplicates": self.duplicates}
        return chances | {name: value.total_seconds() for name, value in seconds.items()}


class SlackFault(Part):
    """Slack's answer to the next messages, such as 429 or 500."""

    answers: Annotated[int, Field(ge=300, le=599)]
    times: AtLeastOne = 1
    retry_after: Duration | None = None


class Faults(Part):
    """What goes wrong from now on."""

    events: DeliveryFaults | None = None
    slack: SlackFault | None = None
    kill_switch: bool | None = None


class Account(Part):
    """The state of the account, from the start or from a moment of the day."""

    quotas: dict[str, Quota] = Field(default_factory=dict)
    limits: bool | None = None
    switches: dict[str, Any] = Field(default_factory=dict)
    faults: Faults | None = None

    @field_validator("switches", mode="before")
    @classmethod
    def _positions(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            raise accepted("a mapping of switches of local/sagemaker/switches.py")
        positions = {name: yaml.safe_load(position) for name, position in value.items()}
        try:
            Switches.from_json(positions)
        except ValueError as error:
            raise said(str(error)) from error
        return positions

    @field_validator("quotas")
    @classmethod
    def _known(cls, value: dict[str, Quota]) -> dict[str, Quota]:
        for written, quota in value.items():
            for name in quota.values(written):
                if name not in by_name() and name not in by_code():
                    raise said(f"there is no quota {name!r}; write an instance type, or a quota's code or exact name")
        return value


class KeepAlive(Part):
    """UpdateTrainingJob: another period for a job's pool."""

    job: JobName
    keep_alive: Duration


class Tagging(Part):
    """AddTags and DeleteTags. `hold` is the moment of the story until which a person holds the job's warm pool."""

    job: JobName
    add: dict[str, str] = Field(default_factory=dict)
    hold: Duration | None = None
    remove: tuple[str, ...] = ()


class Entry(Account):
    """One action at a moment of the day; `refused` is the code that it is expected to be refused with."""

    at: Duration
    create: Create | None = None
    create_many: CreateMany | None = None
    stop: JobName | None = None
    update: KeepAlive | None = None
    delete: JobName | None = None
    tag: Tagging | None = None
    run: Literal["reconciler", "sweep"] | None = None
    mode: dict[str, Literal["observe", "enforce"]] | None = None
    """By team, what the deployed product may do to warm pools from then on."""
    refused: ErrorCode | None = None

    @model_validator(mode="after")
    def _one_action(self) -> "Entry":
        actions = [name for name in type(self).model_fields if name not in {"at", "refused"}]
        if len(self.model_fields_set & set(actions)) != 1:
            raise said(f"needs exactly one action; accepted: {', '.join(actions)}")
        return self


class Story(Account):
    """A whole story. `tells` are the statuses that the deployed product announces (notifications.statuses).

    Entries of `expect` hold at their moment, those of `finally` at `ends`, by default the last moment named.
    """

    story: str
    clock: Clock = Clock()
    people: dict[Handle, Person]
    teams: dict[str, Any] = Field(default_factory=dict)
    """What the deployed product's settings say of teams."""
    tells: tuple[Told, ...] = Notifications().statuses
    day: tuple[Entry, ...]
    expect: tuple[Moment, ...] = ()
    at_the_end: Annotated[tuple[Expectation, ...], Field(alias="finally")] = ()
    ends: Duration | None = None

    @field_validator("day", mode="before")
    @classmethod
    def _something_happens(cls, value: Any) -> Any:
        if not value:
            raise accepted("a list with at least one entry")
        return value
