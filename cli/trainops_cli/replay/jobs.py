"""One past job as the replay needs it, whatever it was read from."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from trainops.domain.job_records import Price

ASKED = timedelta(hours=1)
"""The keep-alive of jobs in a trace that does not tell."""
WARM_START = timedelta(seconds=20)
"""From creation to training with a warm pool, where a trace only tells how long the training took."""


@dataclass(frozen=True, slots=True)
class PastJob:
    """When a job was created and ended, and which pool it could take. Times are UTC; `fingerprint` is equal for jobs
    that can take each other's pool; `keep_alive` is what the job asked for, zero for no pool. None means unknown.
    """

    team: str
    fingerprint: str
    created: datetime
    ended: datetime
    instance_type: str | None = None
    instance_count: int | None = None
    keep_alive: timedelta = ASKED
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """The jobs in order of creation, where they come from, and what was left out of them, by reason."""

    jobs: Sequence[PastJob]
    source: str
    skipped: Counter[str] = field(default_factory=Counter)

    def asking(self, keep_alive: timedelta | None) -> "Trace":
        """The same jobs, all asking for this keep-alive; None leaves them as they are."""
        if keep_alive is None:
            return self
        return replace(self, jobs=[replace(job, keep_alive=keep_alive) for job in self.jobs])


class TraceError(Exception):
    """A trace cannot be read; the text names line, column and the accepted form."""


class Faults:
    """Collects what is wrong in a trace, so that a person sees it all at once (the first twenty)."""

    MOST = 20

    def __init__(self, source: str) -> None:
        self._source, self._said, self._count = source, list[str](), 0

    def add(self, line: int, column: str, given: object, accepted: str) -> None:
        """One fault of one column."""
        self._count += 1
        if self._count <= self.MOST:
            self._said.append(f"  line {line}, {column}: given {given!r}; accepted: {accepted}")

    def check(self) -> None:
        """Raises TraceError when there were any."""
        if not self._count:
            return
        more = [f"  and {self._count - self.MOST} more"] if self._count > self.MOST else []
        head = f"{self._source}: {self._count} fault{'s' if self._count > 1 else ''}"
        raise TraceError("\n".join([head, *self._said, *more]))
