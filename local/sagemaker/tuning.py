"""Hyperparameter tuning jobs: they launch ordinary training jobs, a few at a time, until they have tried enough.

Follows the API model's CreateHyperParameterTuningJob and the guide's page on tuning. The simulator tells of every
training job that moved on; the place of one that ended is taken at that moment, also when time is caught up.
"""

import hashlib
from datetime import datetime
from typing import Any

from local.sagemaker.errors import ServiceError, in_use, not_found, validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.simulator import Scope, Simulator
from local.sagemaker.tuning_job import TuningJob, tuning_arn
from local.sagemaker.tuning_progress import cut_short_at, tried_enough
from local.sagemaker.tuning_shapes import state_change
from local.sagemaker.tuning_values import definition_of, objective_of, training_request

ALL_FAILED = "All training jobs failed. Please look in the training job failures to identify the reason."


class Tunings:
    """All tuning jobs of one simulator."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._jobs: dict[Scope, dict[str, TuningJob]] = {}
        simulator.followers.append(self._follow)

    @property
    def now(self) -> datetime:
        """The simulated moment."""
        return self._simulator.clock.now()

    def create(self, scope: Scope, request: dict[str, Any]) -> TuningJob:
        """Start a tuning job and its first training jobs; a name in use, in any case, is ResourceInUse."""
        self._simulator.tick()
        name = request["HyperParameterTuningJobName"]
        arn, jobs = tuning_arn(scope, name), self._jobs.setdefault(scope, {})
        if arn in jobs:
            raise in_use(f"Hyper-parameter tuning job names must be unique within an AWS account and region: {arn}")
        parents = self._parents(scope, request)
        tags = {tag["Key"]: tag["Value"] for tag in request.get("Tags", [])}
        stored = {member: value for member, value in request.items() if member != "Tags"}
        job = jobs[arn] = TuningJob(arn, stored, self._simulator.clock.now(), tags, parents=parents)
        self._simulator.send(scope, state_change(job))
        self._go_on(scope, job, job.created)
        self._simulator.tick()
        return job

    def _parents(self, scope: Scope, request: dict[str, Any]) -> list[TuningJob]:
        """The tuning jobs of a warm start: ended, not failed, and after the same metric (warm-start config)."""
        named = request.get("WarmStartConfig", {}).get("ParentHyperParameterTuningJobs", [])
        parents = [self.get(scope, one["HyperParameterTuningJobName"]) for one in named]
        for parent in parents:
            if parent.status not in {"Completed", "Stopped"}:
                raise validation(f"The parent tuning job {parent.name} is {parent.status}, not Completed or Stopped")
            if _metric(parent.request) != _metric(request):
                raise validation(f"The parent tuning job {parent.name} has another objective metric")
        return parents

    def jobs(self, scope: Scope) -> list[TuningJob]:
        """Every tuning job of the scope as it is now."""
        self._simulator.tick()
        return list(self._jobs.get(scope, {}).values())

    def find(self, scope: Scope, name: str) -> TuningJob | None:
        """The tuning job of that name as it is now, or None."""
        return next((job for job in self.jobs(scope) if job.arn == tuning_arn(scope, name)), None)

    def get(self, scope: Scope, name: str) -> TuningJob:
        """The tuning job of that name; ResourceNotFound when there is none."""
        job = self.find(scope, name)
        if job is None:
            raise not_found(tuning_arn(scope, name))
        return job

    def stop(self, scope: Scope, job: TuningJob) -> None:
        """Launch nothing more and stop what runs; Stopped when the last training job has ended."""
        now = self._simulator.clock.now()
        self._become(scope, job, "Stopping", now)
        for child in job.running:
            self._simulator.stop(child, now)
        self._go_on(scope, job, now)
        self._simulator.tick()

    def _follow(self, scope: Scope, child: TrainingJob) -> None:
        """A training job moved on: when it ended or is stopped, its tuning job looks where it stands at that moment."""
        job = self._jobs.get(scope, {}).get(child.request.get("TuningJobArn", ""))
        if job is not None and job.ended is None and child.status != "InProgress":
            self._go_on(scope, job, child.modified)

    def _go_on(self, scope: Scope, job: TuningJob, at: datetime) -> None:
        """Launch what there is room for, or end."""
        if job.status == "InProgress" and not job.finishing and tried_enough(job, at):
            self._finish(scope, job, at)
        while job.wanted:
            self._launch(scope, job, at)
        if not job.running:
            self._end(scope, job, at)

    def _finish(self, scope: Scope, job: TuningJob, at: datetime) -> None:
        """A completion criterion is met: nothing more is launched, and what runs is stopped."""
        job.finishing = True
        if self._simulator.switches.tuning_criteria_end_in == "Stopped":
            self._become(scope, job, "Stopping", at)
        for child in job.running:
            self._simulator.stop(child, at)

    def _launch(self, scope: Scope, job: TuningJob, at: datetime) -> None:
        """Start the next training job, under a plan for `<tuning job>-<number>` or for the tuning job if there is one.

        What the account refuses (a quota, say) ends the tuning job as failed once the others have ended.
        """
        number = len(job.children) + 1
        stem = f"{job.name}-{number:03}"
        digest = hashlib.sha256(f"{stem} {job.created.isoformat()}".encode()).hexdigest()[:8]
        request = training_request(job.request, f"{stem}-{digest}", job.arn, number)
        plans = self._simulator.plans
        if plan := plans.get(stem, plans.get(job.name)):
            plans.setdefault(request["TrainingJobName"], plan)
        tags = [{"Key": key, "Value": value} for key, value in job.tags.items()]
        try:
            child = self._simulator.start(scope, {**request, "Tags": tags}, at)
        except ServiceError as error:
            job.failure = error.message
            return
        for moment in (cut_short_at(job, child), job.deadline):
            if moment is not None:
                self._simulator.stop(child, moment)
        job.children.append(child)

    def _end(self, scope: Scope, job: TuningJob, at: datetime) -> None:
        if job.failure is None and all(child.status == "Failed" for child in job.children):
            job.failure = ALL_FAILED
        finished = "Completed" if job.failure is None else "Failed"
        status = "Stopped" if job.status == "Stopping" else finished
        job.ended = at
        self._become(scope, job, status, at)

    def _become(self, scope: Scope, job: TuningJob, status: str, at: datetime) -> None:
        job.status, job.modified = status, at
        self._simulator.send(scope, state_change(job))


def _metric(request: dict[str, Any]) -> str | None:
    """The name of the objective metric."""
    objective = objective_of(request, definition_of(request, 1))
    return None if objective is None else str(objective["MetricName"])
