"""Training jobs in a story: what is asked for, and what will become of it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from local.stories.values import Duration, Handle, InstanceType, JobName, ManyNames, Part, shown

Failure = Literal["AlgorithmError", "ClientError", "CapacityError", "InternalServerError"]
Phase = Literal["Starting", "Downloading", "Training"]
Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]


class Plan(Part):
    """A job's fate in the words of local/sagemaker/plans.py; what is not given keeps the simulator's default.

    `reason` is the FailureReason of a job that fails, `failure` one of the simulator's kinds of failure.
    """

    failure: Failure | None = None
    exit_code: int | None = None
    reason: str | None = None
    fails_in: Phase | None = None
    interruptions: Count | None = None
    internal_errors: Count | None = None
    interruptions_per_hour: Annotated[float, Field(ge=0)] | None = None
    startup: Literal["scripted", "measured"] | None = None
    keep_pool: bool | None = None
    seed: int | None = None
    objective: float | None = None
    starting: Duration | None = None
    downloading: Duration | None = None
    training: Duration | None = None
    uploading: Duration | None = None
    interrupted: Duration | None = None
    stopping: Duration | None = None
    billable: Duration | None = None
    capacity_wait: Duration | None = None
    warm_starting: Duration | None = None
    spot_wait_mean: Duration | None = None
    pool_patched_after: Duration | None = None
    pool_ends_after: Duration | None = None

    def fields(self) -> dict[str, Any]:
        """The fields of `local.control.PlanFields`, durations in seconds."""
        given = self.model_dump(exclude_none=True)
        fields = {
            f"{name}_seconds" if isinstance(value, timedelta) else name: _seconds(value)
            for name, value in given.items()
        }
        if reason := fields.pop("reason", None):
            fields |= {"failure_reason": reason, "outcome": "Failed"}
        return fields


def _seconds(value: Any) -> Any:
    if not isinstance(value, timedelta):
        return value
    seconds = value.total_seconds()
    return int(seconds) if seconds == int(seconds) else seconds


class Request(Part):
    """What a person asks SageMaker for; managed spot waits at most twice `max_run` unless `max_wait` says otherwise."""

    by: Handle
    type: InstanceType
    instances: AtLeastOne = 1
    volume_gb: AtLeastOne = 30
    spot: bool = False
    keep_alive: Duration | None = None
    max_run: Duration = timedelta(hours=2)
    max_wait: Duration | None = None
    input: Literal["File", "FastFile", "Pipe"] = "FastFile"
    checkpoints: bool = False
    retries: Count = 0
    tags: dict[str, str] = Field(default_factory=dict)
    plan: Plan = Plan()

    def __str__(self) -> str:
        period = f", keep-alive {shown(self.keep_alive)}" if self.keep_alive else ""
        return f"{self.instances} {self.type}{' spot' if self.spot else ''}{period}"


class Create(Request):
    """CreateTrainingJob."""

    job: JobName

    def api_request(self, role_arn: str, account_tags: dict[str, str]) -> dict[str, Any]:
        """The request of the API; the job's own tags win over those of the person."""
        seconds = {"MaxRuntimeInSeconds": _seconds(self.max_run)}
        resources: dict[str, Any] = {"InstanceType": self.type, "InstanceCount": self.instances}
        resources["VolumeSizeInGB"] = self.volume_gb
        request: dict[str, Any] = {
            "TrainingJobName": self.job,
            "RoleArn": role_arn,
            "AlgorithmSpecification": {
                "TrainingImage": "000000000000.dkr.ecr.us-east-1.amazonaws.com/train:1",
                "TrainingInputMode": self.input,
            },
            "ResourceConfig": resources,
            "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/output/"},
            "StoppingCondition": seconds,
            "Tags": [{"Key": key, "Value": value} for key, value in {**account_tags, **self.tags}.items()],
        }
        if self.keep_alive is not None:
            resources["KeepAlivePeriodInSeconds"] = _seconds(self.keep_alive)
        if self.spot:
            request["EnableManagedSpotTraining"] = True
            seconds["MaxWaitTimeInSeconds"] = _seconds(self.max_wait or 2 * self.max_run)
        if self.checkpoints:
            request["CheckpointConfig"] = {"S3Uri": f"s3://example-artifacts/checkpoints/{self.job}/"}
        if self.retries:
            request["RetryStrategy"] = {"MaximumRetryAttempts": self.retries}
        return request


class CreateMany(Request):
    """The same job `number` times, `every` so often; `{n}` in `jobs` is the number, with leading zeros."""

    jobs: ManyNames
    number: AtLeastOne
    every: Duration = timedelta(0)

    def each(self) -> Iterator[tuple[timedelta, Create]]:
        """Every job with its distance from the first."""
        asked = {name: getattr(self, name) for name in Request.model_fields}
        for count in range(1, self.number + 1):
            name = self.jobs.replace("{n}", f"{count:0{len(str(self.number))}}")
            yield (count - 1) * self.every, Create(job=name, **asked)
