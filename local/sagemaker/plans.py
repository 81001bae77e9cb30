"""What a training job will do once it runs: scripted by a test before the job is created, else a quiet success."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import ceil
from typing import Any, Literal, Self


@dataclass(frozen=True)
class Plan:
    """The fate of one training job; durations are simulated seconds.

    `interruptions` is the number of times that spot capacity is taken away; the training seconds are shared
    evenly among the attempts. `billable_seconds` overrides what managed spot will charge. `keep_pool` false
    is a failure that harmed the cluster, so that no warm pool remains; a pool is taken away by AWS for an update
    `pool_patched_after_seconds`, and stays Available for `pool_ends_after_seconds` once its end was asked for.
    `startup` measured draws Starting and Downloading by `seed` and the job's name from the benchmark of warm pools;
    `warm_starting_seconds` is Starting on a reused cluster. `internal_errors` of the service are retried as far as the
    RetryStrategy goes; `capacity_wait_seconds` are spent waiting before there are instances (see the switch
    `waits_in`). For managed spot, instead of scripted numbers: `interruptions_per_hour` of training and
    `spot_wait_mean_seconds` for capacity, drawn by `seed`. `objective` is what a training job of a tuning job measures;
    without it a number is made up.
    `until_exit`: a process trains, and the last attempt lasts until it ends; interruptions come as scripted.
    """

    outcome: Literal["Completed", "Failed"] = "Completed"
    failure_reason: str = "AlgorithmError: ExecuteUserScriptError: ExitCode 1"
    fails_in: Literal["Starting", "Downloading", "Training"] = "Training"
    interruptions: int = 0
    starting_seconds: float = 120
    downloading_seconds: float = 30
    training_seconds: float = 600
    uploading_seconds: float = 20
    interrupted_seconds: float = 300
    stopping_seconds: float = 60
    billable_seconds: int | None = None
    keep_pool: bool = True
    pool_patched_after_seconds: float | None = None
    pool_ends_after_seconds: float = 0
    internal_errors: int = 0
    capacity_wait_seconds: float = 0
    interruptions_per_hour: float = 0
    spot_wait_mean_seconds: float = 0
    warm_starting_seconds: float | None = None
    startup: Literal["scripted", "measured"] = "scripted"
    seed: int = 0
    objective: float | None = None
    until_exit: bool = False

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Self:
        """Read a plan; an unknown field, a wrong outcome or a negative number is a ValueError naming it."""
        known = {field.name for field in fields(cls)}
        if unknown := set(body) - known:
            raise ValueError(f"unknown plan field(s) {sorted(unknown)}; known: {sorted(known)}")
        plan = cls(**body)
        if plan.outcome not in {"Completed", "Failed"}:
            raise ValueError(f"outcome must be Completed or Failed, not {plan.outcome!r}")
        if plan.fails_in not in {"Starting", "Downloading", "Training"}:
            raise ValueError(f"fails_in must be Starting, Downloading or Training, not {plan.fails_in!r}")
        if plan.startup not in {"scripted", "measured"}:
            raise ValueError(f"startup must be scripted or measured, not {plan.startup!r}")
        for name in known:
            value = getattr(plan, name)
            if name != "objective" and isinstance(value, (int, float)) and value < 0:
                raise ValueError(f"{name} must be 0 or more, not {value}")
        return plan

    @property
    def harms_cluster(self) -> bool:
        """Whether the failure was the infrastructure's: then no warm pool is kept (warm-pool page)."""
        infrastructure = self.failure_reason.startswith(("InternalServerError", "CapacityError"))
        return not self.keep_pool or (self.outcome == "Failed" and infrastructure)

    def spot_billable(self, training_seconds: int) -> int:
        """Seconds charged for `training_seconds` of managed spot: the scripted number, else 30 % of them.

        The API says that the difference between the two is what spot saved; 30 % is our choice of price.
        """
        return ceil(training_seconds * 0.3) if self.billable_seconds is None else self.billable_seconds
