"""All training jobs of all accounts and Regions, driven by one clock; emits an event for every transition."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from local.sagemaker.clock import Clock
from local.sagemaker.errors import in_use, not_found, validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.plans import Plan
from local.sagemaker.publishing import emits, entry_of
from local.sagemaker.scope import Scope
from local.sagemaker.switches import Switches

__all__ = ["Deliver", "Scope", "Simulator"]  # Scope: callers know it from here

Deliver = Callable[[Scope, dict[str, Any]], None]


@dataclass
class Simulator:
    """The SageMaker of the laptop. `deliver` hands an event to EventBridge; `emit` false keeps it undelivered."""

    clock: Clock
    deliver: Deliver
    emit: bool = True
    switches: Switches = field(default_factory=Switches)
    plans: dict[str, Plan] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    _jobs: dict[Scope, dict[str, TrainingJob]] = field(default_factory=dict)

    def arn(self, scope: Scope, name: str) -> str:
        """The ARN that a job of that name has or would have."""
        return scope.arn(name, lower=self.switches.arn_case == "lower")

    def create(self, scope: Scope, request: dict[str, Any]) -> TrainingJob:
        """Start a job under the plan scripted for its name; a name in use is ResourceInUse.

        Quotas, capacity and the matching of warm pools belong here, before the job is made.
        """
        name = request["TrainingJobName"]
        jobs = self._jobs.setdefault(scope, {})
        if name in jobs:
            raise in_use(f"Training job names must be unique within an AWS account and region: {self.arn(scope, name)}")
        stored = {key: value for key, value in request.items() if key != "Tags"}
        tags = {tag["Key"]: tag["Value"] for tag in request.get("Tags", [])}
        plan = self.plans.get(name, Plan())
        job = TrainingJob(self.arn(scope, name), stored, plan, self.clock.now(), self, tags)
        jobs[name] = job
        self.tick()
        return job

    def find(self, scope: Scope, name: str) -> TrainingJob | None:
        """The job of that name as it is now, or None."""
        self.tick()
        return self._jobs.get(scope, {}).get(name)

    def get(self, scope: Scope, name: str) -> TrainingJob:
        """The job of that name as it is now; ResourceNotFound when there is none."""
        job = self.find(scope, name)
        if job is None:
            if self.switches.describe_missing_job == "ValidationException":
                raise validation("Requested resource not found.")
            raise not_found(self.arn(scope, name))
        return job

    def jobs(self, scope: Scope) -> list[TrainingJob]:
        """Every job of the scope as it is now."""
        self.tick()
        return list(self._jobs.get(scope, {}).values())

    def delete(self, scope: Scope, name: str) -> None:
        """Forget an ended job, so that its name is free; one that runs or holds a pool is ResourceInUse."""
        job = self.get(scope, name)
        if job.ended is None or (job.pool is not None and job.pool.status == "Available"):
            raise in_use(f"Training job {job.arn} is in use: it has not ended or retains a warm pool")
        del self._jobs[scope][name]

    def tick(self) -> None:
        """Apply what is due in all jobs, in the order of its time, and publish each transition."""
        now = self.clock.now()
        live = [(scope, job) for scope, job in self._all() if job.can_change]
        due = [(step_at, scope, job) for scope, job in live for step_at in self._due(job, now)]
        for step_at, scope, job in sorted(due, key=lambda entry: entry[0]):
            for _ in job.advance(step_at):
                self._publish(scope, job)
        for _, job in live:
            for _ in job.advance(now):  # nothing is pending any more; warm pools run out
                raise AssertionError("a transition became due within one tick")

    def _all(self) -> Iterator[tuple[Scope, TrainingJob]]:
        for scope, jobs in self._jobs.items():
            for job in jobs.values():
                yield scope, job

    @staticmethod
    def _due(job: TrainingJob, now: datetime) -> list[datetime]:
        return sorted({step.at for step in job.pending if step.at <= now})

    def _publish(self, scope: Scope, job: TrainingJob) -> None:
        if not emits(job, self.switches):
            return
        entry = entry_of(job, self.switches)
        self.history.append({**entry, "Account": scope.account, "Region": scope.region, "Delivered": self.emit})
        if self.emit:
            self.deliver(scope, entry)
