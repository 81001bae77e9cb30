"""The ledger's item of one warm pool: the cluster that a training job left behind, from the job's end to its own.

Written by `warm_pool_control` and `warm_pool_sweep` only, whole and on condition of its version. A pool has the key of
the job that left it; the job that takes it leaves a pool of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from trainops.domain.job_records import JobRecord, Price
from trainops.domain.owners import Owner
from trainops.domain.training_jobs import JobKey, TrainingJob
from trainops.domain.warm_pool_settings import Mode


class PoolState(StrEnum):
    """`kept`: idle and waiting. `warned`: its owner was told that it will end. `requested`: SageMaker was asked to end
    it, and has not confirmed. The others are final: `ended` by us, `reused` by a job, `expired` (let go by SageMaker or
    by a person), `absent` (never retained, or its job was deleted), `outside` scope.tags.
    """

    KEPT = "kept"
    WARNED = "warned"
    REQUESTED = "requested"
    ENDED = "ended"
    REUSED = "reused"
    EXPIRED = "expired"
    ABSENT = "absent"
    OUTSIDE = "outside"


OPEN = frozenset({PoolState.KEPT, PoolState.WARNED, PoolState.REQUESTED})


REFUSED = "Refused"
"""The key of the news that SageMaker would not change a pool; its kind is `Ended`."""


class NewsKind(StrEnum):
    """The events about one pool on the trainops bus; the detail-type is "Warm Pool " and this word."""

    ENDING = "Ending"
    ENDED = "Ended"
    HELD = "Held"


@dataclass(frozen=True, slots=True)
class News:
    """One thing to be said about a pool, once."""

    kind: NewsKind
    at: datetime
    reason: str
    published: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long a pool is kept and why. `due` is when it should end; `holding` while a person's tag keeps it."""

    due: datetime
    mode: Mode
    policy: str
    reason: str
    waiting_usd_per_hour: Decimal
    holding: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRecord:
    """The ledger's item. `asked` is the keep-alive period that a person chose, `keep_alive` the one in force now;
    `counts_from` is set once it is proven that a period counts from its update. Idle time counts from `ended`.
    """

    key: JobKey
    name: str
    team: str
    owner: Owner
    ended: datetime
    asked: timedelta
    keep_alive: timedelta
    instance_type: str | None = None
    instance_count: int | None = None
    price: Price | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    match_fingerprint: str | None = None
    match: Mapping[str, str] = field(default_factory=dict)
    state: PoolState = PoolState.KEPT
    confirmed: bool = False
    """Whether SageMaker has ever shown it as Available: without a warm-pool quota none is kept, and nothing says so."""
    plan: Plan | None = None
    would_end: datetime | None = None
    """While its team observes: when it would have been ended. A plan made later knows that the pool survived."""
    look_at: datetime | None = None
    """When it should be looked at next; None once its state is final."""
    extended_at: datetime | None = None
    counts_from: datetime | None = None
    wanted_until: datetime | None = None
    """Until when a person asked, by a button, that it is kept; whether or not its team enforces."""
    wanted_at: datetime | None = None
    wanted_by: str | None = None
    requested_at: datetime | None = None
    requests: int = 0
    refusal: str | None = None
    """Why SageMaker would not end it; it is not asked again."""
    released: datetime | None = None
    reused_by: str | None = None
    next_start: datetime | None = None
    """When the next job came that could have taken it, whether it did or not."""
    next_job: str | None = None
    in_digest: bool = False
    """True when a sweep's digest tells of its end, so that nobody gets a message of its own."""
    news: Mapping[str, News] = field(default_factory=dict)
    version: int = 0

    @property
    def open(self) -> bool:
        """Whether the cluster is believed to be there, unused and billed."""
        return self.state in OPEN

    @property
    def expires(self) -> datetime:
        """When SageMaker lets it go by itself; the earlier reading while it is not known what a period counts from."""
        return (self.counts_from or self.ended) + self.keep_alive

    @property
    def pending(self) -> dict[str, News]:
        """What still has to be put on the bus."""
        return {key: item for key, item in self.news.items() if not item.published}

    def saying(self, key: str, item: News) -> "PoolRecord":
        """With one more thing to say, unless it was said; what the digest says is kept as said. No digest tells of a
        hold.
        """
        if key in self.news:
            return self
        told = self.in_digest and item.kind is not NewsKind.HELD
        return replace(self, news={**self.news, key: replace(item, published=told)})

    def waiting(self, until: datetime) -> "PoolRecord":
        """With nothing to be done before then. What comes later is in no digest that was told already, unless that was
        a refusal, which the next one counts.
        """
        if until == self.look_at:
            return self
        return replace(self, state=PoolState.KEPT, look_at=until, in_digest=self.in_digest and self.refusal is not None)

    def refused_since(self, when: datetime) -> bool:
        """Whether SageMaker has refused to change it since then."""
        return REFUSED in self.news and self.news[REFUSED].at >= when

    def all_said(self) -> "PoolRecord":
        """Once everything pending is on the bus."""
        return replace(self, news={key: replace(item, published=True) for key, item in self.news.items()})


def no_pool(job: TrainingJob) -> str | None:
    """Why an ended job leaves no warm pool, or None when it can (developer guide, considerations)."""
    if job.tuning_job:
        return "a tuning job made it: warm pools do not apply to tuning jobs, whatever keep-alive period was asked for"
    if job.spot:
        return "managed spot jobs leave no warm pool"
    if not job.keep_alive:
        return "no warm pool was asked for"
    if job.heterogeneous:
        return "a cluster of several instance groups leaves no warm pool"
    return None


def opened(record: JobRecord) -> PoolRecord:
    """The pool that an ended job leaves behind; whether it is really there is seen when it is looked at."""
    job = record.job
    ended, keep_alive = job.ended or job.last_modified or job.key.created, job.keep_alive or timedelta(0)
    return PoolRecord(
        key=job.key,
        name=job.name,
        team=record.team,
        owner=record.owner,
        ended=ended,
        asked=keep_alive,
        keep_alive=keep_alive,
        instance_type=job.instance_type,
        instance_count=job.instance_count,
        price=record.price,
        tags=job.tags,
        match_fingerprint=job.match_fingerprint,
        match=job.match,
    )
