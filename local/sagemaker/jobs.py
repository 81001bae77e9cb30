"""One training job as a state machine that only knows times: it is advanced, stopped and asked, never polled."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

from local.sagemaker.clock import Clock
from local.sagemaker.failures import LONGEST_REASON
from local.sagemaker.plans import Plan
from local.sagemaker.pools import WarmPool
from local.sagemaker.scope import Scope
from local.sagemaker.stopping import RUNNING, left_of_thirty_days
from local.sagemaker.switches import Switches
from local.sagemaker.timeline import (
    TERMINAL,
    Transition,
    exit_steps,
    primary_status,
    ran,
    running_seconds,
    stop_steps,
    timeline,
)


class Service(Protocol):
    """What a job asks of the service that runs it, at the moment it needs to know."""

    clock: Clock
    switches: Switches

    def may_retain(self, job: "TrainingJob") -> bool:
        """Whether the ended job's cluster may become a warm pool."""


@dataclass
class TrainingJob:
    """A job from its CreateTrainingJob request to its end and, with a keep-alive period, its warm pool.

    `took` and `cluster_born` are given to a job that took a warm pool: the ARN of the job that left it, and when its
    cluster was launched. `number` counts the jobs of a simulator.
    """

    scope: Scope
    arn: str
    request: dict[str, Any]
    plan: Plan
    created: datetime
    service: Service = field(repr=False, compare=False)
    tags: dict[str, str] = field(default_factory=dict)
    transitions: list[Transition] = field(default_factory=list)
    session_keys: frozenset[str] = frozenset()
    took: str | None = None
    cluster_born: datetime | None = None
    number: int = 0
    retained: WarmPool | None = field(init=False, default=None)
    pending: list[Transition] = field(init=False)

    def __post_init__(self) -> None:
        self.retained = self.pool_while_running()
        self.pending = timeline(self.created, self.plan, self.request, self.service.switches)

    @property
    def name(self) -> str:
        """TrainingJobName."""
        return str(self.request["TrainingJobName"])

    @property
    def secondary(self) -> str:
        """SecondaryStatus; Starting before the first transition was applied."""
        return self.transitions[-1].status if self.transitions else "Starting"

    @property
    def status(self) -> str:
        """TrainingJobStatus."""
        return primary_status(self.secondary)

    @property
    def ended(self) -> datetime | None:
        """When the job reached its end, else None."""
        return self.transitions[-1].at if self.secondary in TERMINAL else None

    @property
    def end_time(self) -> datetime | None:
        """TrainingEndTime: the end, perhaps not of a job that never started."""
        shown = self.started is not None or self.service.switches.unstarted_job_has_end_time
        return self.ended if shown else None

    @property
    def started(self) -> datetime | None:
        """TrainingStartTime: when instances first worked for the job; None for one that never launched."""
        return next((step.at for step in self.transitions if step.status in RUNNING), None)

    @property
    def modified(self) -> datetime:
        """LastModifiedTime."""
        return self.transitions[-1].at if self.transitions else self.created

    @property
    def is_spot(self) -> bool:
        """Whether the request enabled managed spot training."""
        return bool(self.request.get("EnableManagedSpotTraining"))

    @property
    def keep_alive(self) -> timedelta:
        """The requested keep-alive period; zero when there is none."""
        return timedelta(seconds=self.request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds", 0))

    @property
    def training_seconds(self) -> int | None:
        """TrainingTimeInSeconds: known at the end, and only if the job launched."""
        if self.ended is None or self.started is None:
            return None
        return running_seconds(self.transitions, self.ended)

    @property
    def billable_seconds(self) -> int | None:
        """BillableTimeInSeconds: less than the training seconds with managed spot, else equal to them."""
        seconds = self.training_seconds
        if seconds is None:
            return None
        return self.plan.spot_billable(seconds) if self.is_spot else seconds

    @property
    def pool(self) -> WarmPool | None:
        """The warm pool as the API shows it, which may take a moment after the job's end."""
        pool, lag = self.retained, timedelta(seconds=self.service.switches.pool_available_lag_seconds)
        hidden = pool is not None and pool.status == "Available" and self.service.clock.now() < pool.since + lag
        return None if hidden else pool

    @property
    def holds_cluster(self) -> bool:
        """Whether its instances count towards the instance limits: it has not ended, or retains an unused pool.

        A cluster that was reused is held by the job that took it alone (warm-pool page on resource limits).
        """
        return self.ended is None or (self.retained is not None and self.retained.status == "Available")

    @property
    def next_at(self) -> datetime | None:
        """When time alone changes something next: a transition, or an unused pool's end; None for never."""
        if self.pending:
            return self.pending[0].at
        if self.retained is not None and self.retained.status == "Available":
            return self.retained.expires_at
        return None

    def advance(self, now: datetime) -> Iterator[Transition]:
        """Apply, one by one, the transitions that are due; between two of them the job can be looked at."""
        while self.pending and self.pending[0].at <= now:
            step = self.pending.pop(0)
            self.transitions.append(step)
            if step.status in TERMINAL:
                self.retained = self._pool_after(step.at)
            yield step
        if self.retained is not None:
            self.retained.advance(now)

    def stop(self, at: datetime) -> None:
        """Stopping now or later, then Stopped after the grace time; no effect on a job that ends by then anyway."""
        ends = next((step.at for step in self.pending if primary_status(step.status) != "InProgress"), at)
        if self.status != "InProgress" or ends <= at:
            return
        before = [step for step in self.pending if step.at <= at]
        elapsed, running = at - self.created, ran([*self.transitions, *before], at)
        left = left_of_thirty_days(elapsed.total_seconds(), running.total_seconds(), self.service.switches)
        self.pending = [*before, *stop_steps(at, self.plan, "Stopped", left)]

    def exit(self, at: datetime, failure: str | None) -> None:
        """The process that trains has ended by itself, well or with a reason; what would have come later does not."""
        if failure is not None:
            self.plan = replace(self.plan, outcome="Failed", failure_reason=failure[:LONGEST_REASON])
        sooner = [replace(step, at=min(step.at, at)) for step in self.pending]
        self.pending = sooner if self.status == "Stopping" else exit_steps(at, self.plan)

    def pool_while_running(self) -> WarmPool | None:
        """InUse for a job that took a pool, none for one that started cold."""
        return WarmPool.in_use(self.created, self.cluster_born) if self.cluster_born else None

    def _pool_after(self, at: datetime) -> WarmPool | None:
        """Retain the cluster as the guide describes: also after a stop or an algorithm's failure, if it launched."""
        born = self.cluster_born or self.started
        if not self.keep_alive or born is None:
            return None
        pool = WarmPool(at, self.keep_alive, born, lingers=timedelta(seconds=self.plan.pool_ends_after_seconds))
        if self.plan.pool_patched_after_seconds is not None:
            pool.patched_at = at + timedelta(seconds=self.plan.pool_patched_after_seconds)
        if self.plan.harms_cluster or pool.expires_at <= at:
            pool.terminate(at)
        elif not self.service.may_retain(self):
            return None
        return pool
