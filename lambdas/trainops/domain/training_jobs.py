"""What is known of one training job, read from the API's answer.

Shapes: DescribeTrainingJobResponse, SecondaryStatusTransition, WarmPoolStatus (botocore, service `sagemaker`). Every
field the API marks optional is optional here, and absent means unknown, never zero.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from trainops.domain.job_phases import Phases, input_mode_of, phases_of
from trainops.domain.pool_matching import match_fields, match_fingerprint

TERMINAL_STATUSES = frozenset({"Completed", "Failed", "Stopped"})


@dataclass(frozen=True, slots=True)
class JobKey:
    """One run of a training job. A name may be used again after its job was deleted, so the creation time is part of
    the key; in whole seconds, because the event and the API write the same instant with different precision. The ARN
    is in lower case, because SageMaker writes the name in an ARN sometimes as given and sometimes in lower case.
    """

    arn: str
    created: datetime

    @classmethod
    def of(cls, arn: str, created: datetime) -> "JobKey":
        """The key for a creation time of any precision and time zone."""
        return cls(arn.lower(), created.astimezone(UTC).replace(microsecond=0))

    @property
    def text(self) -> str:
        """The key as one text, in keys of messages and of their threads."""
        return f"{self.arn}|{self.created:%Y-%m-%dT%H:%M:%SZ}"

    @property
    def lower_case_name(self) -> str:
        """The job's name as far as an ARN tells."""
        return self.arn.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class WarmPool:
    """WarmPoolStatus: `retained_billable` is only there once the pool was reused or released."""

    status: str
    retained_billable: timedelta | None = None
    reused_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingJob:
    """The facts of one run. Times are UTC; `training_time` and `billable_time` are wall-clock and count once per job,
    whatever the number of instances (money multiplies by `instance_count`).
    """

    key: JobKey
    status: str
    given_name: str | None = None
    """The name as its creator wrote it; None while only an ARN is known."""
    secondary_status: str | None = None
    failure_reason: str | None = None
    started: datetime | None = None
    ended: datetime | None = None
    last_modified: datetime | None = None
    instance_type: str | None = None
    instance_count: int | None = None
    heterogeneous: bool | None = None
    """Whether it runs on groups of instances of several types, and then names no type of its own."""
    groups: Mapping[str, int] = field(default_factory=dict)
    """Of such a job: how many instances of each type."""
    spot: bool | None = None
    max_runtime: timedelta | None = None
    max_wait: timedelta | None = None
    training_time: timedelta | None = None
    billable_time: timedelta | None = None
    keep_alive: timedelta | None = None
    warm_pool: WarmPool | None = None
    interruptions: tuple[datetime, ...] = ()
    phases: Phases | None = None
    input_mode: str | None = None
    image: str | None = None
    """The training image; None for an algorithm of the Marketplace."""
    checkpoint_uri: str | None = None
    checkpoint_directory: str | None = None
    """In the container; None also when the job leaves it to SageMaker's default."""
    output_uri: str | None = None
    match_fingerprint: str | None = None
    match: Mapping[str, str] = field(default_factory=dict)
    """What the fingerprint is made of, readable: for the question why a warm pool was not reused."""
    tuning_job: str | None = None
    """The ARN of the tuning job that made it; such a job never leaves a warm pool."""
    automl_job: str | None = None  # the ARN of the AutoML job that made it
    experiment: str | None = None
    """The experiment it is a trial of, with its run when that has a name (ExperimentConfig)."""
    described: bool = False
    """True when the API answered; False when only the event is known (the job is gone, or its name is in new use)."""
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name to call the API with and to show to people."""
        return self.given_name or self.key.lower_case_name

    @property
    def terminal(self) -> bool:
        """True when the job has ended (Completed, Failed or Stopped)."""
        return self.status in TERMINAL_STATUSES

    @property
    def instances(self) -> int | None:
        """How many instances it runs on, of whatever type."""
        return self.instance_count or sum(self.groups.values()) or None

    @property
    def duration(self) -> timedelta | None:
        """Wall clock from creation to the end, or None while either is unknown."""
        return self.ended - self.key.created if self.ended else None


def from_description(answer: Mapping[str, Any], tags: Mapping[str, str]) -> TrainingJob:
    """The facts in a DescribeTrainingJobResponse; the tags come from elsewhere, the response has none."""
    resources: Mapping[str, Any] = answer.get("ResourceConfig") or {}
    stopping: Mapping[str, Any] = answer.get("StoppingCondition") or {}
    checkpoints: Mapping[str, Any] = answer.get("CheckpointConfig") or {}
    transitions: Sequence[Mapping[str, Any]] = answer.get("SecondaryStatusTransitions") or ()
    return TrainingJob(
        key=JobKey.of(answer["TrainingJobArn"], answer["CreationTime"]),
        status=answer["TrainingJobStatus"],
        given_name=answer.get("TrainingJobName"),
        secondary_status=answer.get("SecondaryStatus"),
        failure_reason=answer.get("FailureReason"),
        started=_utc(answer.get("TrainingStartTime")),
        ended=_utc(answer.get("TrainingEndTime")),
        last_modified=_utc(answer.get("LastModifiedTime")),
        instance_type=resources.get("InstanceType") or answer.get("SelectedInstanceType"),
        instance_count=resources.get("InstanceCount") or answer.get("SelectedInstanceCount"),
        heterogeneous=bool(resources.get("InstanceGroups")),
        groups=_groups(resources.get("InstanceGroups") or ()),
        spot=answer.get("EnableManagedSpotTraining"),
        max_runtime=_seconds(stopping.get("MaxRuntimeInSeconds")),
        max_wait=_seconds(stopping.get("MaxWaitTimeInSeconds")),
        training_time=_seconds(answer.get("TrainingTimeInSeconds")),
        billable_time=_seconds(answer.get("BillableTimeInSeconds")),
        keep_alive=_seconds(resources.get("KeepAlivePeriodInSeconds")),
        warm_pool=_warm_pool(answer.get("WarmPoolStatus")),
        interruptions=tuple(
            when
            for transition in transitions
            if transition.get("Status") == "Interrupted" and (when := _utc(transition.get("StartTime")))
        ),
        phases=phases_of(transitions, _utc(answer.get("TrainingEndTime"))),
        input_mode=input_mode_of(answer),
        image=(answer.get("AlgorithmSpecification") or {}).get("TrainingImage"),
        checkpoint_uri=checkpoints.get("S3Uri"),
        checkpoint_directory=checkpoints.get("LocalPath"),
        output_uri=(answer.get("ModelArtifacts") or {}).get("S3ModelArtifacts"),
        match_fingerprint=match_fingerprint(answer),
        match=match_fields(answer),
        tuning_job=answer.get("TuningJobArn"),
        automl_job=answer.get("AutoMLJobArn"),
        experiment=_experiment(answer.get("ExperimentConfig") or {}),
        described=True,
        tags=tags,
    )


def _experiment(config: Mapping[str, Any]) -> str | None:
    return " / ".join(name for part in ("ExperimentName", "RunName") if (name := config.get(part))) or None


def _groups(groups: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Instances by type; empty, which is unknown, unless each group says both."""
    counts: Counter[str] = Counter()
    for group in groups:
        if not (group.get("InstanceType") and group.get("InstanceCount")):
            return {}
        counts[group["InstanceType"]] += group["InstanceCount"]
    return dict(counts)


def _warm_pool(answer: Mapping[str, Any] | None) -> WarmPool | None:
    if not answer:
        return None
    return WarmPool(
        answer["Status"],
        _seconds(answer.get("ResourceRetainedBillableTimeInSeconds")),
        answer.get("ReusedByJob"),
    )


def _seconds(value: int | None) -> timedelta | None:
    return None if value is None else timedelta(seconds=value)


def _utc(value: datetime | None) -> datetime | None:
    return None if value is None else value.astimezone(UTC)
