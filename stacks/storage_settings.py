"""Where checkpoints and artifacts lie, and for how long; `settings` puts it together with the rest."""

from datetime import timedelta
from typing import Annotated, Self

from pydantic import BeforeValidator, field_validator, model_validator

from stacks.setting_types import Choices, Duration, Text, form, refusal, section
from stacks.team_settings import KeyArn

BucketName = Annotated[
    Text,
    form(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", "a bucket's name: 3 to 63 lower-case letters, digits, dots and hyphens"),
]
SHORTEST_EXPIRY = timedelta(days=60)
"""A job may live 30 days, and may be resumed from its last checkpoint some weeks later."""
SHORTEST_ARCHIVE = timedelta(days=1)
LONGEST = timedelta(days=3650)


def _whole_days(value: timedelta, shortest: timedelta, why: str) -> timedelta:
    """S3 counts lifecycles in days (LifecycleRule)."""
    if not shortest <= value <= LONGEST or value % timedelta(days=1):
        raise refusal(f"whole days from P{shortest.days}D{why} to P{LONGEST.days}D")
    return value


class Bucket(Choices):
    """`bucket` names one that exists and keeps its own policy and lifecycle; without it, one is made. `key_arn` is
    the key of what is written without naming one. Neither can be changed later without the runbook's procedure.
    """

    bucket: BucketName | None = None
    key_arn: KeyArn | None = None

    def _refuse_lifecycle(self, choice: str) -> None:
        if self.bucket and choice in self.model_fields_set:
            raise refusal(f"{choice} without bucket: a bucket that exists keeps the lifecycle it has")


class Checkpoints(Bucket):
    """`expire_after` counts from the last write of each object, `stale_after` from a running job's last checkpoint."""

    expire_after: Duration = timedelta(days=90)
    stale_after: Duration = timedelta(hours=2)

    @field_validator("stale_after")
    @classmethod
    def _longer_than_a_watch(cls, value: timedelta) -> timedelta:
        if not timedelta(minutes=30) <= value <= timedelta(days=7):
            raise refusal("from PT30M to P7D; checkpoints are looked at once an hour")
        return value

    @field_validator("expire_after")
    @classmethod
    def _outlives_jobs(cls, value: timedelta) -> timedelta:
        return _whole_days(value, SHORTEST_EXPIRY, ", since a job may live 30 days and be resumed after that,")

    @model_validator(mode="after")
    def _own(self) -> Self:
        self._refuse_lifecycle("expire_after")
        return self


class Artifacts(Bucket):
    """`archive_after` moves objects to Glacier Instant Retrieval, from where they are read as before; none expire."""

    archive_after: Duration = timedelta(days=90)

    @field_validator("archive_after")
    @classmethod
    def _lifecycle(cls, value: timedelta) -> timedelta:
        return _whole_days(value, SHORTEST_ARCHIVE, "")

    @model_validator(mode="after")
    def _own(self) -> Self:
        self._refuse_lifecycle("archive_after")
        return self


class StorageSettings(Choices):
    """Two buckets, since both use the teams' names as prefixes and only one of them forgets."""

    checkpoints: Annotated[Checkpoints, BeforeValidator(section)] = Checkpoints()
    artifacts: Annotated[Artifacts, BeforeValidator(section)] = Artifacts()

    @model_validator(mode="after")
    def _two(self) -> Self:
        if self.checkpoints.bucket and self.checkpoints.bucket == self.artifacts.bucket:
            raise refusal("two different buckets: in one, a team's checkpoints and artifacts would have one prefix")
        return self
