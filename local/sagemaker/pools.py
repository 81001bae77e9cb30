"""A managed warm pool after its training job has ended: available, then reused or terminated.

Source: WarmPoolStatus in the API model and the guide's page "Train using SageMaker managed warm pools".
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

LIVE = frozenset({"Available", "InUse"})


@dataclass
class WarmPool:
    """The retained cluster of one job; `keep_alive` counts from `since`, the end of that job.

    Whether a later update counts from the end or from the update is not documented; here it is the end.
    """

    since: datetime
    keep_alive: timedelta
    status: str = "Available"
    released_at: datetime | None = None
    reused_by: str | None = None

    @property
    def expires_at(self) -> datetime:
        """When an unused pool is let go."""
        return self.since + self.keep_alive

    def advance(self, now: datetime) -> None:
        """Let the pool go when its keep-alive period is over; nothing else happens by itself."""
        if self.status == "Available" and now >= self.expires_at:
            self._release("Terminated", self.expires_at)

    def update(self, keep_alive: timedelta, now: datetime) -> None:
        """UpdateTrainingJob: a new period, or the end of the pool when it is 0."""
        self.keep_alive = keep_alive
        if not keep_alive:
            self._release("Terminated", now)
        self.advance(now)

    def reuse(self, job_name: str, now: datetime) -> None:
        """A matching job takes the cluster."""
        self.reused_by = job_name
        self._release("Reused", now)

    def describe(self) -> dict[str, Any]:
        """The WarmPoolStatus shape; the retained seconds exist only once the pool was released."""
        shape: dict[str, Any] = {"Status": self.status}
        if self.released_at is not None:
            shape["ResourceRetainedBillableTimeInSeconds"] = round((self.released_at - self.since).total_seconds())
        if self.reused_by is not None:
            shape["ReusedByJob"] = self.reused_by
        return shape

    def _release(self, status: str, at: datetime) -> None:
        self.status, self.released_at = status, at
