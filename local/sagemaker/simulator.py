"""All training jobs of all accounts and Regions, driven by one clock; emits an event for every transition."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from local.sagemaker.admission import Admission
from local.sagemaker.clock import Clock
from local.sagemaker.errors import in_use, not_found, validation
from local.sagemaker.failures import settled
from local.sagemaker.fleet import Fleet
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.matching import pool_for
from local.sagemaker.plans import Plan
from local.sagemaker.publishing import emits, entry_of
from local.sagemaker.rules import KEEP_ALIVE, check_keep_alive
from local.sagemaker.scope import Scope
from local.sagemaker.startup import with_startup
from local.sagemaker.switches import Switches
from local.sagemaker.usage import Usage

__all__ = ["Deliver", "Scope", "Simulator"]  # Scope: callers know it from here

Deliver = Callable[[Scope, dict[str, Any]], None]
Follow = Callable[[Scope, TrainingJob], None]  # told of a job that moved on; may start or stop others at that moment


@dataclass
class Simulator:
    """The SageMaker of the laptop. `deliver` hands an event to EventBridge; `emit` false keeps it undelivered."""

    clock: Clock
    deliver: Deliver
    emit: bool = True
    switches: Switches = field(default_factory=Switches)
    admission: Admission = field(default_factory=Admission)
    plans: dict[str, Plan] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    followers: list[Follow] = field(default_factory=list)
    trains_here: Callable[[Mapping[str, Any]], bool] = lambda _request: False
    """Whether a process on this machine trains what a request asks for; then that process says when it is done."""
    _fleet: Fleet = field(default_factory=Fleet)

    def arn(self, scope: Scope, name: str) -> str:
        """The ARN that a job of that name has or would have."""
        return scope.arn(name, lower=self.switches.arn_case == "lower")

    def create(self, scope: Scope, request: dict[str, Any], session_keys: frozenset[str] = frozenset()) -> TrainingJob:
        """CreateTrainingJob: a job that starts now. `session_keys` are the keys of the caller's session tags."""
        self.tick()
        job = self.start(scope, request, self.clock.now(), session_keys)
        self.tick()
        return job

    def start(
        self, scope: Scope, request: dict[str, Any], at: datetime, session_keys: frozenset[str] = frozenset()
    ) -> TrainingJob:
        """Start a job under the plan scripted for its name, on a matching warm pool if one is available.

        A name in use is ResourceInUse. The moment is in the past when a follower starts the job while time is caught
        up; the job moves on with the same tick.
        """
        name = request["TrainingJobName"]
        if name in self._fleet.of(scope):
            raise in_use(f"Training job names must be unique within an AWS account and region: {self.arn(scope, name)}")
        check_keep_alive(request.get("ResourceConfig", {}).get(KEEP_ALIVE), self.switches)
        usage = self._fleet.usage(scope)
        former = pool_for(request, session_keys, usage.idle.values(), self.switches)
        self.admission.check_start(scope, request, usage, former is not None)
        job = self._job(scope, request, at, former)
        job.session_keys = session_keys
        if former is not None and former.retained is not None:
            former.retained.reuse(name, at)
            self._fleet.changed(former)
        self._fleet.add(job)
        return job

    def _job(self, scope: Scope, request: dict[str, Any], at: datetime, former: TrainingJob | None) -> TrainingJob:
        name = request["TrainingJobName"]
        plan = with_startup(self.plans.get(name, Plan()), request, warm=former is not None)
        plan = replace(plan, until_exit=self.trains_here(request))
        stored = copy.deepcopy({key: value for key, value in request.items() if key != "Tags"})
        return TrainingJob(
            scope=scope,
            arn=self.arn(scope, name),
            request=stored,
            plan=settled(plan, request),
            created=at,
            service=self,
            tags={tag["Key"]: tag["Value"] for tag in request.get("Tags", [])},
            took=former.arn if former else None,
            cluster_born=former.retained.born if former and former.retained else None,
        )

    def may_retain(self, job: TrainingJob) -> bool:
        """Whether quotas allow the ended job's cluster to be kept."""
        return self.admission.may_retain(job.scope, job, self._fleet.usage(job.scope))

    def find(self, scope: Scope, name: str) -> TrainingJob | None:
        """The job of that name as it is now, or None."""
        self.tick()
        return self._fleet.of(scope).get(name)

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
        return list(self._fleet.of(scope).values())

    def usage(self, scope: Scope) -> Usage:
        """The instances that the scope's jobs and pools hold now."""
        self.tick()
        return self._fleet.usage(scope)

    def stop(self, job: TrainingJob, at: datetime) -> None:
        """StopTrainingJob at that moment, which may be to come; what follows from it comes with the next tick."""
        job.stop(at)
        self._fleet.changed(job)

    def exited(self, job: TrainingJob, failure: str | None) -> None:
        """The process that trains the job has ended by itself; what follows from it comes with the next tick."""
        job.exit(self.clock.now(), failure)
        self._fleet.changed(job)

    def keep_alive(self, job: TrainingJob, seconds: int) -> None:
        """UpdateTrainingJob's KeepAlivePeriodInSeconds: another period for the job's pool, or its end when 0."""
        pool = job.pool
        allowed = {"Available", "InUse"} if self.switches.update_in_use_pool else {"Available"}
        if pool is None or pool.status not in allowed:
            state = "no warm pool" if pool is None else f"a warm pool in status {pool.status}"
            raise validation(f"Training job {job.name} has {state}; its keep-alive period cannot be updated")
        check_keep_alive(seconds, self.switches)
        job.request["ResourceConfig"][KEEP_ALIVE] = seconds
        if pool.status == "Available":  # a pool in use gets its period when its job ends
            now = self.clock.now()
            counts_from = now if self.switches.keep_alive_update_counts_from == "now" else None
            pool.update(timedelta(seconds=seconds), now, counts_from)
            self._fleet.changed(job)

    def delete(self, scope: Scope, name: str) -> None:
        """Forget an ended job, so that its name is free; one that runs or holds a pool is ResourceInUse."""
        job = self.get(scope, name)
        if job.holds_cluster:
            raise in_use(f"Training job {job.arn} is in use: it has not ended or retains a warm pool")
        self._fleet.remove(job)

    def tick(self) -> None:
        """Apply what is due in all jobs, in the order of its time, and publish each transition."""
        for at, job in self._fleet.due(self.clock.now()):
            for _ in job.advance(at):
                self._publish(job)
            self._fleet.changed(job)
            for follow in self.followers:
                follow(job.scope, job)

    def _publish(self, job: TrainingJob) -> None:
        if emits(job, self.switches):
            self.send(job.scope, entry_of(job, self.switches))

    def send(self, scope: Scope, entry: dict[str, Any]) -> None:
        """Hand an event over, or only keep it while events are suppressed."""
        self.history.append({**entry, "Account": scope.account, "Region": scope.region, "Delivered": self.emit})
        if self.emit:
            self.deliver(scope, entry)
