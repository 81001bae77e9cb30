"""All training jobs of all accounts and Regions, driven by one clock; emits an event for every transition."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from local.sagemaker.clock import Clock
from local.sagemaker.errors import in_use, not_found
from local.sagemaker.events import state_change
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.model import partition_of
from local.sagemaker.plans import Plan


@dataclass(frozen=True)
class Scope:
    """The account and Region that a request's credentials name; every job lives in one."""

    account: str
    region: str

    def arn(self, name: str) -> str:
        """The ARN of a training job of this scope."""
        return f"arn:{partition_of(self.region)}:sagemaker:{self.region}:{self.account}:training-job/{name.lower()}"


Deliver = Callable[[Scope, dict[str, Any]], None]
Follow = Callable[[Scope, TrainingJob], bool]  # told of a job that moved on; true when it started another job


@dataclass
class Simulator:
    """The SageMaker of the laptop. `deliver` hands an event to EventBridge; `emit` false keeps it undelivered."""

    clock: Clock
    deliver: Deliver
    emit: bool = True
    plans: dict[str, Plan] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    followers: list[Follow] = field(default_factory=list)
    _jobs: dict[Scope, dict[str, TrainingJob]] = field(default_factory=dict)

    def create(self, scope: Scope, request: dict[str, Any]) -> TrainingJob:
        """CreateTrainingJob: a job that starts now."""
        job = self.start(scope, request, self.clock.now())
        self.tick()
        return job

    def start(self, scope: Scope, request: dict[str, Any], at: datetime) -> TrainingJob:
        """Start a job under the plan scripted for its name; a name in use is ResourceInUse.

        The moment is in the past when a tuning job launches it while time is caught up; it moves on with the next tick.

        Quotas, capacity and the matching of warm pools belong here, before the job is made.
        """
        name = request["TrainingJobName"]
        jobs = self._jobs.setdefault(scope, {})
        if name in jobs:
            raise in_use(f"Training job names must be unique within an AWS account and region: {scope.arn(name)}")
        stored = {key: value for key, value in request.items() if key != "Tags"}
        tags = {tag["Key"]: tag["Value"] for tag in request.get("Tags", [])}
        plan = self.plans.get(name, Plan())
        job = TrainingJob(scope.arn(name), stored, plan, at, tags)
        jobs[name] = job
        return job

    def find(self, scope: Scope, name: str) -> TrainingJob | None:
        """The job of that name as it is now, or None."""
        self.tick()
        return self._jobs.get(scope, {}).get(name)

    def get(self, scope: Scope, name: str) -> TrainingJob:
        """The job of that name as it is now; ResourceNotFound when there is none."""
        job = self.find(scope, name)
        if job is None:
            raise not_found(scope.arn(name))
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
        while self._catch_up(now):
            pass  # a job was started in the past: what is due is looked at again
        for job in [job for _, job in self._all() if job.can_change]:
            for _ in job.advance(now):  # nothing is pending any more; warm pools run out
                raise AssertionError("a transition became due within one tick")

    def _catch_up(self, now: datetime) -> bool:
        """Apply and publish what is due; true as soon as a follower started a job, whose steps come in between."""
        live = [(scope, job) for scope, job in self._all() if job.can_change]
        due = [(step_at, scope, job) for scope, job in live for step_at in self._due(job, now)]
        for step_at, scope, job in sorted(due, key=lambda entry: entry[0]):
            for _ in job.advance(step_at):
                self._publish(scope, job)
            if sum(follow(scope, job) for follow in self.followers):
                return True
        return False

    def _all(self) -> Iterator[tuple[Scope, TrainingJob]]:
        for scope, jobs in self._jobs.items():
            for job in jobs.values():
                yield scope, job

    @staticmethod
    def _due(job: TrainingJob, now: datetime) -> list[datetime]:
        return sorted({step.at for step in job.pending if step.at <= now})

    def _publish(self, scope: Scope, job: TrainingJob) -> None:
        self.send(scope, state_change(job))

    def send(self, scope: Scope, entry: dict[str, Any]) -> None:
        """Hand an event over, or only keep it while events are suppressed."""
        self.history.append({**entry, "Account": scope.account, "Region": scope.region, "Delivered": self.emit})
        if self.emit:
            self.deliver(scope, entry)
