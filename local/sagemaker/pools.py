"""A managed warm pool after its training job has ended: available, then reused or terminated.

Source: WarmPoolStatus in the API model and the guide's page "Train using SageMaker managed warm pools".
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Self

CHAIN_LIMIT = timedelta(days=28)
"""How long one cluster lives through consecutive reuse (warm-pool page; the page of 2023 said 7 days)."""


@dataclass
class WarmPool:
    """The cluster as one job's WarmPoolStatus shows it; each job of a chain has a status of its own.

    `since` is the end of the job, or the moment at which a job that still runs took the cluster; `born` is when
    the cluster was launched for the first job of the chain. AWS may end a pool at `patched_at`, for an update.
    """

    since: datetime
    keep_alive: timedelta
    born: datetime
    status: str = "Available"
    counts_from: datetime | None = None
    released_at: datetime | None = None
    reused_by: str | None = None
    patched_at: datetime | None = None
    lingers: timedelta = timedelta(0)
    """How long an end that was asked for takes (the API says neither that it does nor that it does not)."""
    ending_at: datetime | None = None

    @classmethod
    def in_use(cls, since: datetime, born: datetime) -> Self:
        """The status of the job that took a pool, while it runs; what follows is decided at its end."""
        return cls(since, timedelta(0), born, status="InUse")

    @property
    def expires_at(self) -> datetime:
        """When an unused pool is let go: its keep-alive period is over, the cluster too old, or patched."""
        if self.ending_at is not None:
            return self.ending_at
        period = (self.counts_from or self.since) + self.keep_alive
        return min(period, self.born + CHAIN_LIMIT, self.patched_at or period)

    def advance(self, now: datetime) -> None:
        """Let the pool go when its keep-alive period is over; nothing else happens by itself."""
        if self.status == "Available" and now >= self.expires_at:
            self._release("Terminated", self.expires_at)

    def update(self, keep_alive: timedelta, now: datetime, counts_from: datetime | None = None) -> None:
        """UpdateTrainingJob: a new period from `counts_from` or the job's end; one that is over already ends now."""
        ending_at, self.ending_at = self.ending_at, None
        self.keep_alive, self.counts_from = keep_alive, counts_from
        if keep_alive and self.expires_at > now:
            return
        if self.lingers:
            self.ending_at = ending_at or now + self.lingers
        else:
            self._release("Terminated", now)

    def reuse(self, job_name: str, now: datetime) -> None:
        """A matching job takes the cluster."""
        self.reused_by = job_name
        self._release("Reused", now)

    def terminate(self, now: datetime) -> None:
        """The cluster is let go before its time."""
        self._release("Terminated", now)

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
