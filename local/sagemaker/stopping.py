"""The limits of a training job: which one ends it, and when (API shape StoppingCondition).

MaxRuntimeInSeconds counts running seconds of all attempts, MaxWaitTimeInSeconds all seconds since the creation,
MaxPendingTimeInSeconds those spent waiting for capacity, on accelerated instances only; no job lasts beyond 30 days.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local.sagemaker.phases import Phase
from local.sagemaker.switches import Switches

RUNNING = frozenset({"Downloading", "Training", "Uploading"})
ONE_DAY = 86_400  # the API's default of MaxRuntimeInSeconds
THIRTY_DAYS = 30 * ONE_DAY
ACCELERATED = re.compile(r"ml\.(p|g|trn)\d")
NEVER = float("inf")


@dataclass
class Limits:
    """What is left of each limit while a job goes through its phases; seconds."""

    max_runtime: float
    max_wait: float
    max_pending: float
    switches: Switches
    elapsed: float = 0
    running: float = 0
    pended: float = 0

    @classmethod
    def of(cls, request: Mapping[str, Any], switches: Switches) -> "Limits":
        """The limits of the request."""
        condition = request.get("StoppingCondition", {})
        pending = condition.get("MaxPendingTimeInSeconds", NEVER) if _accelerated(request) else NEVER
        runtime, wait = condition.get("MaxRuntimeInSeconds", ONE_DAY), condition.get("MaxWaitTimeInSeconds", NEVER)
        return cls(float(runtime), float(wait), float(pending), switches)

    def met_in(self, phase: Phase) -> tuple[float, str] | None:
        """The first limit that the phase exceeds: after how many of its seconds, and how the job ends then."""
        runs = phase.status in RUNNING
        candidates = [
            (self.max_runtime - self.running if runs else NEVER, "MaxRuntimeExceeded"),
            (self.max_wait - self.elapsed, "MaxWaitTimeExceeded"),
            (self.left_in_all if runs or self.switches.thirty_days_count == "all" else NEVER, "MaxRuntimeExceeded"),
        ]
        if phase.pending > self.max_pending - self.pended:
            candidates.append((self.max_pending - self.pended, self.switches.max_pending_ends_in))
        seconds, end = min(candidates, key=lambda limit: limit[0])
        return (seconds, end) if seconds < phase.seconds else None

    @property
    def left_in_all(self) -> float:
        """Seconds until 30 days are over, stopping and uploading included."""
        return left_of_thirty_days(self.elapsed, self.running, self.switches)

    def spend(self, phase: Phase, seconds: float) -> None:
        """Go on by so many seconds of the phase."""
        self.elapsed += seconds
        self.running += seconds if phase.status in RUNNING else 0
        self.pended += min(phase.pending, seconds)


def left_of_thirty_days(elapsed: float, running: float, switches: Switches) -> float:
    """The API speaks of the time that a job can run in total: whether waiting is part of it is a switch."""
    return THIRTY_DAYS - (elapsed if switches.thirty_days_count == "all" else running)


def _accelerated(request: Mapping[str, Any]) -> bool:
    """Whether any instance type of the request is of the ml.p, ml.g or ml.trn families."""
    resources = request.get("ResourceConfig", {})
    nested = [*resources.get("InstanceGroups", []), *resources.get("InstancePreferences", [])]
    types = [part.get("InstanceType", "") for part in (resources, *nested)]
    return any(ACCELERATED.match(kind) for kind in types)
