"""One hyperparameter tuning job as it is remembered: what was asked, what it launched, where it stands."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
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
    """One tuning job and the training jobs that it launched; `status` changes only through `Tunings`."""

    arn: str
    request: dict[str, Any]
    created: datetime
    tags: dict[str, str]
    status: str = "InProgress"
    modified: datetime = field(init=False)
    ended: datetime | None = None
    failure: str | None = None
    children: list[TrainingJob] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.modified = self.created

    @property
    def name(self) -> str:
        """HyperParameterTuningJobName."""
        return str(self.request["HyperParameterTuningJobName"])

    @property
    def running(self) -> list[TrainingJob]:
        """The training jobs that have not ended."""
        return [job for job in self.children if job.ended is None]

    @property
    def wanted(self) -> int:
        """How many training jobs to start now, within both resource limits."""
        if self.status != "InProgress" or self.failure is not None:
            return 0
        parallel: int = self.request["HyperParameterTuningJobConfig"]["ResourceLimits"]["MaxParallelTrainingJobs"]
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
        return {"Type": asked["Type"], "MetricName": asked["MetricName"], "Value": measured(child.name)}

    def best(self) -> TrainingJob | None:
        """The training job with the best objective so far."""
        found = [(metric, child) for child in self.children if (metric := self.objective(child)) is not None]
        if not found:
            return None
        sign = 1 if found[0][0]["Type"] == "Maximize" else -1
        return max(found, key=lambda pair: sign * float(pair[0]["Value"]))[1]


def objective_status(child: TrainingJob) -> str:
    """ObjectiveStatus: known at the end, and only a completed training job has one."""
    if child.ended is None:
        return "Pending"
    return "Succeeded" if child.status == "Completed" else "Failed"


def _retryable(child: TrainingJob) -> bool:
    return child.status == "Failed" and child.plan.failure_reason.startswith("InternalServerError")
