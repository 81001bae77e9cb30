"""Hyperparameter tuning jobs: they launch ordinary training jobs, a few at a time, until they have tried enough.

Follows the API model's CreateHyperParameterTuningJob and the guide's page on tuning. The simulator tells of every
training job that moved on; the place of one that ended is taken at that moment, also when time is caught up.
"""

import hashlib
from datetime import datetime
from typing import Any

from local.sagemaker.errors import ServiceError, in_use, not_found
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.simulator import Scope, Simulator
from local.sagemaker.tuning_job import TuningJob, tuning_arn
from local.sagemaker.tuning_shapes import state_change
from local.sagemaker.tuning_values import training_request

ALL_FAILED = "All training jobs failed. Please look in the training job failures to identify the reason."


class Tunings:
    """All tuning jobs of one simulator."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._jobs: dict[Scope, dict[str, TuningJob]] = {}
        simulator.followers.append(self._follow)

    def create(self, scope: Scope, request: dict[str, Any]) -> TuningJob:
        """Start a tuning job and its first training jobs; a name in use, in any case, is ResourceInUse."""
        self._simulator.tick()
        name = request["HyperParameterTuningJobName"]
        arn, jobs = tuning_arn(scope, name), self._jobs.setdefault(scope, {})
        if arn in jobs:
            raise in_use(f"Hyper-parameter tuning job names must be unique within an AWS account and region: {arn}")
        tags = {tag["Key"]: tag["Value"] for tag in request.get("Tags", [])}
        stored = {member: value for member, value in request.items() if member != "Tags"}
        job = jobs[arn] = TuningJob(arn, stored, self._simulator.clock.now(), tags)
        self._simulator.send(scope, state_change(job))
        self._go_on(scope, job, job.created)
        self._simulator.tick()
        return job

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
        """A training job moved on: when it ended, its tuning job goes on at that moment."""
        job = self._jobs.get(scope, {}).get(child.request.get("TuningJobArn", ""))
        if job is not None and child.ended is not None and job.ended is None:
            self._go_on(scope, job, child.ended)

    def _go_on(self, scope: Scope, job: TuningJob, at: datetime) -> None:
        """Launch what there is room for, or end."""
        while job.wanted:
            self._launch(scope, job, at)
        if not job.running:
            self._end(scope, job, at)

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
            job.children.append(self._simulator.start(scope, {**request, "Tags": tags}, at))
        except ServiceError as error:
            job.failure = error.message

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
