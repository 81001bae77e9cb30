"""Jobs that another resource launched: the trials of a tuning job, the steps of a pipeline, the candidates of AutoML.

People hear of the whole, once, and not of its parts. Used by `job_intake`, which notes who belongs to whom, and by
`job_notification`, which waits for the end of the whole. A tuning job's and a pipeline's end are events of their own;
AutoML has none (EventBridge reference), and any event can be lost: a family whose jobs have all ended and that has
been silent for a while is told as it stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from trainops.domain.job_records import JobRecord
from trainops.domain.training_jobs import TrainingJob

PIPELINE_TAG = "sagemaker:pipeline-execution-arn"
"""SageMaker puts it on what the steps of a pipeline create."""
SETTLE = timedelta(minutes=2)
"""How long the ends of its last jobs are waited for after a family's own end: theirs may come later."""
SILENCE = timedelta(minutes=15)
"""After so long without a running job a family without an end event counts as over; the longest delay of SQS."""
STEP_OVER = frozenset({"Succeeded", "Failed", "Stopped"})


class FamilyKind(StrEnum):
    """What launches training jobs, as people call it."""

    TUNING = "Tuning job"
    AUTOML = "AutoML job"
    PIPELINE = "Pipeline"


@dataclass(frozen=True, slots=True)
class Step:
    """What a pipeline said of one of its steps. `seen` is when; `job` the ARN of what it created."""

    name: str
    type: str
    status: str
    seen: datetime
    reason: str | None = None
    job: str | None = None

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.status in STEP_OVER


@dataclass(frozen=True, slots=True)
class FamilyChange:
    """The end of a tuning job or of a pipeline's execution, as its event tells it."""

    arn: str
    name: str
    status: str
    ended: datetime
    created: datetime | None = None
    reason: str | None = None
    launched: int | None = None
    """How many training jobs a tuning job started; None when that is not said."""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The ledger's item of a tuning job, an AutoML job or a pipeline's execution. Without `end` nothing told of its
    end; `last_end` is that of the job of it that ended last. `version` is 0 for an item that is not yet written.
    """

    arn: str
    end: FamilyChange | None = None
    last_end: datetime | None = None
    version: int = 0

    @property
    def kind(self) -> FamilyKind:
        """By the form of its ARN."""
        return kind_of(self.arn) or FamilyKind.PIPELINE


@dataclass(frozen=True, slots=True)
class Members:
    """What is known of a family's parts. `outer` is the family that it is itself a part of."""

    jobs: Sequence[JobRecord] = ()
    steps: Sequence[Step] = ()
    outer: str | None = None

    @property
    def running(self) -> int:
        """How many are not known to have ended."""
        steps = sum(not step.over for step in self.steps if ":training-job/" not in (step.job or ""))
        return steps + sum(not record.job.terminal for record in self.jobs)


def kind_of(arn: str) -> FamilyKind | None:
    """The kind of family that an ARN names; None when it names none."""
    if ":hyper-parameter-tuning-job/" in arn:
        return FamilyKind.TUNING
    if ":automl-job/" in arn:
        return FamilyKind.AUTOML
    return FamilyKind.PIPELINE if ":pipeline/" in arn and "/execution/" in arn else None


def families_of(job: TrainingJob) -> tuple[str, ...]:
    """The ARNs, in lower case, of what launched a job, from the nearest outwards; empty for a job of its own. A tuning
    job hands its tags on to its jobs, so those of a pipeline's tuning step belong to both.
    """
    named = (job.tuning_job, job.automl_job, job.tags.get(PIPELINE_TAG))
    return tuple(arn.lower() for arn in named if arn and kind_of(arn.lower()))


def with_end(family: Family, change: FamilyChange) -> Family | None:
    """The item once its end is known; None when that was known. A name that is used again, and a pipeline's execution
    that is retried, end once more, later.
    """
    known = family.end
    if known is None or (change.ended > known.ended and _another_end(family, known, change)):
        return replace(family, end=change)
    return None


def _another_end(family: Family, known: FamilyChange, change: FamilyChange) -> bool:
    return family.kind is FamilyKind.PIPELINE or known.created != change.created


def with_child_end(family: Family, ended: datetime) -> Family | None:
    """The item once another of its jobs has ended: the same when that is known, None when a later one has ended."""
    return None if family.last_end and family.last_end > ended else replace(family, last_end=ended)


@dataclass(frozen=True, slots=True)
class Telling:
    """Whether a family is told now, and why. `key` tells the message from every other about it."""

    key: str | None
    reason: str


def after_its_end(family: Family, members: Members, scope: Mapping[str, str]) -> Telling:
    """Whether the end of a family is told: not that of a part of another, nor of one outside `scope.tags`, whose jobs
    are not in the ledger.
    """
    end = family.end
    if end is None:
        return Telling(None, "the ledger has no end of it")
    if outer := members.outer or end.tags.get(PIPELINE_TAG):
        return Telling(None, f"folded into {outer}")
    if scope and not members.jobs and any(end.tags.get(tag) != value for tag, value in scope.items()):
        return Telling(None, "outside scope.tags: none of its jobs is looked after")
    began = f"{end.created:%Y-%m-%dT%H:%M:%SZ}" if end.created else "-"
    return Telling(f"{family.arn}|{began}|{end.ended:%Y-%m-%dT%H:%M:%SZ}", f"its end was seen: {end.status}")


def after_silence(family: Family, members: Members, since: datetime) -> Telling:
    """Whether a family is told without an end event, so long after a job of it ended at `since`."""
    if family.end and family.end.ended >= since - SETTLE:
        return Telling(None, "its own end is told")
    if family.last_end and family.last_end > since:
        return Telling(None, "another job of it has ended since")
    if members.running:
        return Telling(None, f"{members.running} of its jobs and steps still run")
    minutes = SILENCE // timedelta(minutes=1)
    return Telling(
        f"{family.arn}|silent|{since:%Y-%m-%dT%H:%M:%SZ}", f"no job of it ran for {minutes} min, and no end was seen"
    )
