"""How far a tuning job has come: objectives so far, whether it has tried enough, and which training job to cut short.

Source: the guide's pages on completion criteria and on early stopping, and the API model's TuningJobCompletionCriteria.
Objectives are made up or scripted, so convergence and early stopping are decided by simple rules of our own on them.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.tuning_job import TuningJob
from local.sagemaker.tuning_values import measured

SIGNIFICANT = 0.01  # an improvement of 1 % or more counts (BestObjectiveNotImproving)
CONVERGED = 10  # training jobs in a row without one; our choice, AWS' algorithm is not published


def tried_enough(job: TuningJob, at: datetime) -> bool:
    """Whether a completion criterion other than the number of training jobs is met."""
    criteria = job.config.get("TuningJobCompletionCriteria", {})
    target, limit = criteria.get("TargetObjectiveMetricValue"), criteria.get("BestObjectiveNotImproving", {})
    patience = limit.get("MaxNumberOfTrainingJobsNotImproving")
    by_convergence = criteria.get("ConvergenceDetected", {}).get("CompleteOnConvergence") == "Enabled"
    return (
        (job.deadline is not None and at >= job.deadline)
        or (target is not None and any(value >= job.sign * target for _, value in _objectives(job)))
        or (patience is not None and not_improving(job) >= patience)
        or (by_convergence and converged_at(job) is not None)
    )


def not_improving(job: TuningJob) -> int:
    """How many training jobs in a row, up to the latest, have not improved the best objective significantly."""
    counts = [count for _, count in _not_improving(job)]
    return counts[-1] if counts else 0


def converged_at(job: TuningJob) -> datetime | None:
    """When so many training jobs had brought nothing that the tuning job counts as converged."""
    return next((child.ended for child, count in _not_improving(job) if count == CONVERGED), None)


def completion_details(job: TuningJob) -> dict[str, Any]:
    """HyperParameterTuningJobCompletionDetails."""
    found: dict[str, Any] = {"NumberOfTrainingJobsObjectiveNotImproving": not_improving(job)}
    moment = converged_at(job)
    return found if moment is None else {**found, "ConvergenceDetectedTime": moment}


def cut_short_at(job: TuningJob, child: TrainingJob) -> datetime | None:
    """With early stopping: the middle of a training that will be worse than the median of those before; else None."""
    earlier = [value for _, value in _objectives(job)]
    if job.config.get("TrainingJobEarlyStoppingType") != "Auto" or not earlier:
        return None
    if job.sign * measured(child) >= median(earlier):
        return None
    steps = pairwise(child.pending)
    return next((step.at + (after.at - step.at) / 2 for step, after in steps if step.status == "Training"), None)


def _not_improving(job: TuningJob) -> Iterator[tuple[TrainingJob, int]]:
    best, count = float("-inf"), 0
    for child, value in _objectives(job):
        improved = best == float("-inf") or value - best >= SIGNIFICANT * abs(best)
        best, count = max(best, value), 0 if improved else count + 1
        yield child, count


def _objectives(job: TuningJob) -> list[tuple[TrainingJob, float]]:
    """Training jobs with an objective in the order of their ends; the higher the better, whatever the direction."""
    found = [(child, job.sign * float(metric["Value"])) for child in job.children if (metric := job.objective(child))]
    return sorted(found, key=lambda pair: (pair[0].modified, pair[0].name))
