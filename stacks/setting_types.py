"""The kinds of value a settings file holds, and what each accepts; `settings` puts them together."""

import re
from datetime import timedelta
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

MAP_BYTES = 1500
"""What one map or list may take of a function's 4 KB of environment variables."""

_DURATION = re.compile(r"P(?=\d|T\d)(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?")
_Sized = TypeVar("_Sized", dict[str, str], dict[str, Decimal], tuple[str, ...])


def refusal(accepted: str) -> PydanticCustomError:
    """The error of a value that is not accepted; `accepted` says what is."""
    return PydanticCustomError("refused", "{accepted}", {"accepted": accepted})


class Choices(BaseModel):
    """A mapping in the file: unknown keys are errors, values are text, numbers and flags as written."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False)


def section(value: object) -> object:
    """YAML reads a key whose lines are all commented out as null."""
    return {} if value is None else value


def form(pattern: str, accepted: str) -> AfterValidator:
    """Text of one form, named in the words of who writes it."""
    compiled = re.compile(pattern)

    def check(value: str) -> str:
        if not compiled.fullmatch(value):
            raise refusal(accepted)
        return value

    return AfterValidator(check)


def _iso_duration(value: object) -> object:
    """Only text in weeks, days, hours, minutes and seconds: a bare number has no unit, a month no length."""
    if isinstance(value, timedelta) or (isinstance(value, str) and _DURATION.fullmatch(value)):
        return value
    raise refusal("an ISO-8601 duration such as PT15M (minutes), PT6H (hours) or P400D (days)")


def _text(value: object) -> object:
    """YAML reads 0123, 1e5, yes and 2024-01-01 as something else than text."""
    if isinstance(value, str):
        return value
    raise refusal("text; put it in quotes")


def _amount(value: object) -> object:
    if isinstance(value, bool):
        raise refusal("a number of US dollars per instance-hour above 0")
    return value


def _known_zone(value: str) -> str:
    """In the database that ships with the functions; a machine's own may know other names."""
    if value not in _zones():
        raise refusal("a time zone of the IANA database, such as UTC or Europe/Berlin")
    return value


@cache
def _zones() -> frozenset[str]:
    return frozenset(files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())


def unique(values: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse an entry that is given twice."""
    if twice := {value for value in values if values.count(value) > 1}:
        raise refusal(f"each entry once; more than once: {', '.join(sorted(twice))}")
    return values


def between(
    shortest: timedelta, longest: timedelta, accepted: str, step: timedelta = timedelta.resolution
) -> AfterValidator:
    """A length of time within these bounds and in whole steps; `accepted` says so to who writes it."""

    def check(value: timedelta) -> timedelta:
        if not shortest <= value <= longest or value % step:
            raise refusal(accepted)
        return value

    return AfterValidator(check)


def _fits_environment(value: _Sized) -> _Sized:
    items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    size = sum(len(f'"{item}",'.encode()) for item in items)
    if size > MAP_BYTES:
        raise refusal(f"at most {MAP_BYTES} bytes in all, since Lambda takes 4 KB of environment; these are {size}")
    return value


Text = Annotated[str, BeforeValidator(_text)]
Duration = Annotated[timedelta, BeforeValidator(_iso_duration)]
"""A length of time with its unit: `PT15M`, `PT6H`, `P400D`."""
Interval = Annotated[
    Duration,
    between(
        timedelta(minutes=5),
        timedelta(days=1),
        "whole minutes from PT5M (one run takes up to five minutes) to P1D",
        step=timedelta(minutes=1),
    ),
]
"""How often a schedule runs."""
Name = Annotated[Text, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,30}[a-z0-9]$")]
Region = Annotated[Text, StringConstraints(pattern=r"^[a-z]{2}(-[a-z]+)+-[0-9]+$")]
Account = Annotated[Text, StringConstraints(pattern=r"^[0-9]{12}$")]
InstanceType = Annotated[Text, StringConstraints(pattern=r"^ml\.[a-z0-9-]+\.[a-z0-9-]+$")]
InstancePattern = Annotated[
    Text, form(r"ml\.[a-z0-9-]+\.(\*|[a-z0-9-]+)", "an instance type such as ml.g5.xlarge, or a family such as ml.g5.*")
]
Address = Annotated[Text, StringConstraints(pattern=r"^[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>]+$", max_length=254)]
Addresses = Annotated[
    tuple[Address, ...], Field(max_length=50), AfterValidator(unique), AfterValidator(_fits_environment)
]
"""At most 50, as many as one SES message takes (SendEmail)."""
EmailDomain = Annotated[
    Text, form(r"([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}", "a domain in lower case such as example.com, without @ and *")
]
EmailDomains = Annotated[tuple[EmailDomain, ...], AfterValidator(unique), AfterValidator(_fits_environment)]
OwnerName = Annotated[Text, StringConstraints(min_length=1, max_length=256)]
OwnerAddresses = Annotated[dict[OwnerName, Address], AfterValidator(_fits_environment)]
"""Owner as the tag or the identity has it → e-mail address."""
SlackChannel = Annotated[
    Text, form(r"[CG][A-Z0-9]{8,}|#[a-z0-9_-]{1,80}", 'a channel\'s ID (C…) or its name in quotes, such as "#training"')
]
SecretName = Annotated[Text, StringConstraints(pattern=r"^[A-Za-z0-9/_+=.@-]{1,512}$")]
TagKey = Annotated[Text, StringConstraints(min_length=1, max_length=128)]
TagValue = Annotated[Text, StringConstraints(max_length=256)]
HttpsUrl = Annotated[
    Text, form(r"https://[^\s()<>#]{1,500}", "an address such as https://wiki.example.com/trainops/runbook, without #")
]
Tags = Annotated[dict[TagKey, TagValue], AfterValidator(_fits_environment)]
Price = Annotated[Decimal, BeforeValidator(_amount), Field(gt=0)]
Prices = Annotated[dict[InstanceType, Price], AfterValidator(_fits_environment)]
TimeZone = Annotated[Text, AfterValidator(_known_zone)]
Status = Literal[
    "Started",
    "StartWarning",
    "Interrupted",
    "Restarted",
    "CheckpointsOld",
    "Completed",
    "Failed",
    "Stopped",
    "WarmPoolEnding",
    "WarmPoolEnded",
    "WarmPoolHeld",
    "WarmPoolSweep",
    "QuotaChanged",
    "QuotaRefusal",
    "WeeklyReport",
]


def with_warned(values: tuple[str, ...]) -> tuple[str, ...]:
    """Who wants to hear of starts wants those with a warning too."""
    return (*values, "StartWarning") if "Started" in values and "StartWarning" not in values else values


Statuses = Annotated[tuple[Status, ...], Field(min_length=1), AfterValidator(unique), AfterValidator(with_warned)]
RetentionDays = Literal[
    1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653
]
"""What CloudWatch Logs accepts (PutRetentionPolicy)."""
