"""What is noted of each job, for the sweep to learn from: that it was created, and how it ended.

A lesson carries what its decision cannot look up later.
"""

from dataclasses import dataclass
from datetime import datetime

from trainops.domain.job_records import Price
from trainops.domain.keep_alive_guard import Trial
from trainops.domain.keep_alive_starts import ObservedStart


@dataclass(frozen=True, slots=True)
class Cluster:
    """What a pool consists of, and what one of its instances cost an hour; None while unknown."""

    instance_type: str | None = None
    instance_count: int | None = None
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class JobCreated:
    """A job was created that could take a pool of this fingerprint."""

    fingerprint: str
    team: str
    at: datetime


@dataclass(frozen=True, slots=True)
class JobEnded:
    """A job ended whose pool could be taken; `trial` is there when a keep-alive decision was made for it, `start` when
    it is known how it had begun.
    """

    fingerprint: str
    team: str
    at: datetime
    trial: Trial | None = None
    cluster: Cluster = Cluster()
    start: ObservedStart | None = None


@dataclass(frozen=True, slots=True)
class SpotEnded:
    """A managed spot job ended, which leaves no pool; `saved_usd` is what managed spot did not bill, all instances
    together. A float, since it only weighs alternatives.
    """

    fingerprint: str
    team: str
    at: datetime
    saved_usd: float


Lesson = JobCreated | JobEnded | SpotEnded
