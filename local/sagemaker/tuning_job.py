"""One hyperparameter tuning job as it is remembered: what was asked, what it launched, where it stands."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.model import partition_of
from local.sagemaker.simulator import Scope
from local.sagemaker.tuning_values import definition_of, how_many, measured, objective_of


def tuning_arn(scope: Scope, name: str) -> str:
    """The ARN of a tuning job of this scope; names are not case sensitive."""
    partition = partition_of(scope.region)
    return f"arn:{partition}:sagemaker:{scope.region}:{scope.account}:hyper-parameter-tuning-job/{name.lower()}"


@dataclass
class TuningJob:
    """One tuning job and the training jobs that it launched; `status` changes only through `Tunings`.

    `parents` are the tuning jobs of a warm start; a job that is `finishing` has met a completion criterion.
    """

    arn: str
    request: dict[str, Any]
    created: datetime
    tags: dict[str, str]
    status: str = "InProgress"
    modified: datetime = field(init=False)
    ended: datetime | None = None
    failure: str | None = None
    children: list[TrainingJob] = field(default_factory=list)
    parents: list["TuningJob"] = field(default_factory=list)
    finishing: bool = False

    def __post_init__(self) -> None:
        self.modified = self.created

    @property
    def name(self) -> str:
        """HyperParameterTuningJobName."""
        return str(self.request["HyperParameterTuningJobName"])

    @property
    def config(self) -> dict[str, Any]:
        """HyperParameterTuningJobConfig."""
        found: dict[str, Any] = self.request["HyperParameterTuningJobConfig"]
        return found

    @property
    def deadline(self) -> datetime | None:
        """When MaxRuntimeInSeconds is over; None without it."""
        limit = self.config["ResourceLimits"].get("MaxRuntimeInSeconds")
        return None if limit is None else self.created + timedelta(seconds=limit)

    @property
    def sign(self) -> int:
        """1 when a higher objective is better, -1 when a lower one is."""
        asked = objective_of(self.request, definition_of(self.request, 1))
        return -1 if asked is not None and asked["Type"] == "Minimize" else 1

    @property
    def running(self) -> list[TrainingJob]:
        """The training jobs that have not ended."""
        return [job for job in self.children if job.ended is None]

    @property
    def wanted(self) -> int:
        """How many training jobs to start now, within both resource limits."""
        if self.status != "InProgress" or self.finishing or self.failure is not None:
            return 0
        parallel: int = self.config["ResourceLimits"]["MaxParallelTrainingJobs"]
        return max(0, min(parallel - len(self.running), how_many(self.request) - len(self.children)))

    def counters(self) -> dict[str, int]:
        """TrainingJobStatusCounters: only a fault of the service counts as retryable."""
        kinds = {"Completed": "Completed", "Stopped": "Stopped", "Failed": "NonRetryableError"}
        counted = Counter(kinds.get(child.status, "InProgress") for child in self.children if not _retryable(child))
        retryable = sum(_retryable(child) for child in self.children)
        return {
            **{name: counted[name] for name in (*kinds.values(), "InProgress")},
            "RetryableError": retryable,
        }

    def objective_counters(self) -> dict[str, int]:
        """ObjectiveStatusCounters."""
        counted = Counter(objective_status(child) for child in self.children)
        return {name: counted[name] for name in ("Succeeded", "Pending", "Failed")}

    def objective(self, child: TrainingJob) -> dict[str, Any] | None:
        """FinalHyperParameterTuningJobObjectiveMetric, of a completed training job only."""
        asked = objective_of(self.request, definition_of(self.request, self.children.index(child) + 1))
        if asked is None or objective_status(child) != "Succeeded":
            return None
        return {"Type": asked["Type"], "MetricName": asked["MetricName"], "Value": measured(child)}

    def best(self) -> TrainingJob | None:
        """The training job with the best objective so far."""
        found = [(float(metric["Value"]), child) for child in self.children if (metric := self.objective(child))]
        return max(found, key=lambda pair: self.sign * pair[0])[1] if found else None

    def overall_best(self) -> tuple["TuningJob", TrainingJob] | None:
        """The best one together with the parents of a warm start, and the tuning job that launched it."""
        found = [(job, child) for job in (self, *self.parents) if (child := job.best()) is not None]
        return max(found, key=lambda pair: self.sign * measured(pair[1]), default=None)


def objective_status(child: TrainingJob) -> str:
    """ObjectiveStatus: known at the end, and only a completed training job has one."""
    if child.ended is None:
        return "Pending"
    return "Succeeded" if child.status == "Completed" else "Failed"


def _retryable(child: TrainingJob) -> bool:
    return child.status == "Failed" and child.plan.failure_reason.startswith("InternalServerError")
