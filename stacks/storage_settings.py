"""Where checkpoints and artifacts lie, and for how long; `settings` puts it together with the rest."""

from datetime import timedelta
from typing import Annotated, Self

from pydantic import BeforeValidator, model_validator

from stacks.setting_types import Choices, Duration, Text, between, form, refusal, section
from stacks.team_settings import KeyArn

BucketName = Annotated[
    Text,
    form(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", "a bucket's name: 3 to 63 lower-case letters, digits, dots and hyphens"),
]
DAY = timedelta(days=1)
"""S3 counts lifecycles in days (LifecycleRule)."""
Expiry = Annotated[
    Duration,
    between(
        60 * DAY,
        3650 * DAY,
        "whole days from P60D, since a job may live 30 days and be resumed after that, to P3650D",
        step=DAY,
    ),
]
Archive = Annotated[Duration, between(DAY, 3650 * DAY, "whole days from P1D to P3650D", step=DAY)]
Staleness = Annotated[
    Duration, between(timedelta(minutes=30), 7 * DAY, "from PT30M to P7D; checkpoints are looked at once an hour")
]


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

    expire_after: Expiry = 90 * DAY
    stale_after: Staleness = timedelta(hours=2)

    @model_validator(mode="after")
    def _own(self) -> Self:
        self._refuse_lifecycle("expire_after")
        return self


class Artifacts(Bucket):
    """`archive_after` moves objects to Glacier Instant Retrieval, from where they are read as before; none expire."""

    archive_after: Archive = 90 * DAY

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
