"""The values that stories are written with: durations, names, and numbers that may be bounded instead of exact."""

import re
from collections.abc import Callable
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError, to_jsonable_python

from local.sagemaker.model import service_model

ISO_DURATION = re.compile(r"P(?=.)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?")
NAME = r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"
"""API shape TrainingJobName."""


class Part(BaseModel):
    """A mapping of a story: every key is known, nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def accepted(form: str) -> PydanticCustomError:
    """The fault of a value that has another form than this one."""
    return PydanticCustomError("accepted", form)


def said(fault: str) -> PydanticCustomError:
    """A fault that explains itself."""
    return PydanticCustomError("said", fault)


def _duration(value: Any) -> Any:
    if isinstance(value, timedelta) or (isinstance(value, str) and ISO_DURATION.fullmatch(value)):
        return value
    raise accepted("an ISO-8601 duration such as PT10M, PT1H30M or P1D")


def _instance_type(value: Any) -> Any:
    if value in service_model().shape_for("TrainingInstanceType").metadata["enum"]:
        return value
    raise accepted("an instance type for training such as ml.g5.xlarge")


def _like(pattern: str, form: str) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        raise accepted(form)

    return check


Duration = Annotated[timedelta, BeforeValidator(_duration)]
InstanceType = Annotated[str, BeforeValidator(_instance_type)]
Handle = Annotated[str, BeforeValidator(_like(r"[a-z0-9]+(-[a-z0-9]+)+", "a handle with a hyphen: vision-oncall"))]
JobName = Annotated[str, BeforeValidator(_like(NAME, "a training job's name: letters, digits and hyphens, at most 63"))]
ManyNames = Annotated[
    str, BeforeValidator(_like(r"[a-zA-Z0-9-]*\{n\}[a-zA-Z0-9-]*", "a name with {n} where the number goes: storm-{n}"))
]
SomeJobs = Annotated[str, BeforeValidator(_like(r"[a-zA-Z0-9*-]+", "a job's name, or a pattern of names: storm-*"))]
ErrorCode = Annotated[str, BeforeValidator(_like(r"[A-Z]\w+", "an AWS error code such as ResourceLimitExceeded"))]

T = TypeVar("T", int, Duration)


class Range(Part, Generic[T]):
    """A number or duration: written plainly it is exact, else `{at_least: …, at_most: …}` with one or both.

    `unknown` is what SageMaker does not say, which is never zero.
    """

    at_least: T | None = None
    at_most: T | None = None
    unknown: bool = False

    @model_validator(mode="before")
    @classmethod
    def _exact(cls, value: Any) -> Any:
        if value == {}:
            raise accepted("a value, or at_least and at_most")
        if value == "unknown":
            return {"unknown": True}
        return value if isinstance(value, dict | cls) else {"at_least": value, "at_most": value}

    def holds(self, found: Any) -> bool:
        """Whether a known value lies within, or an unknown one is expected."""
        if self.unknown or found is None:
            return self.unknown and found is None
        return (self.at_least is None or found >= self.at_least) and (self.at_most is None or found <= self.at_most)

    def __str__(self) -> str:
        if self.at_least == self.at_most:  # also of an unknown one, where neither is given
            return shown(self.at_least)
        sides = {"at least": self.at_least, "at most": self.at_most}
        return " and ".join(f"{side} {shown(value)}" for side, value in sides.items() if value is not None)


def shown(value: Any) -> str:
    """A value as a story writes it."""
    if isinstance(value, timedelta):
        return str(to_jsonable_python(value))
    return "unknown" if value is None else str(value)


def matching(pattern: str, names: Any) -> list[str]:
    """The names that are meant by a name or a pattern, in their order."""
    return [name for name in names if fnmatchcase(name, pattern)]
