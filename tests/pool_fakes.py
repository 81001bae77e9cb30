"""Warm pools in memory, behind the same ports: the ledger's part, the histories, settings, and SageMaker's client."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from botocore.exceptions import ClientError

from local.sagemaker.errors import ServiceError
from local.sagemaker.events import DETAIL_TYPE
from tests.local.simulator.bench import Bench
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_settings import Mode, PoolSettings
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.warm_pools import PoolRecord
from trainops.errors import LedgerConflict, NotConfigured

RECORDED = frozenset({"Starting", "Interrupted"})


def settings(**changes: Any) -> PoolSettings:
    """An enforcing team with a fixed idle limit of ten minutes and no grace."""
    known: dict[str, Any] = {
        "mode": Mode.ENFORCE,
        "policy": "fixed",
        "waiting_usd_per_hour": Decimal(60),
        "idle_limit": timedelta(minutes=10),
        "grace": timedelta(0),
        "longest_keep_alive": timedelta(hours=1),
        "longest_hold": timedelta(days=1),
    }
    return PoolSettings(**{**known, **changes})


@dataclass
class FakePoolLedger:
    items: dict[JobKey, PoolRecord] = field(default_factory=dict)
    digests: dict[datetime, Digest] = field(default_factory=dict)
    lease: datetime | None = None
    swept: datetime | None = None
    writes: int = 0

    def pool(self, key: JobKey) -> PoolRecord | None:
        return self.items.get(key)

    def pools(self, keys: Sequence[JobKey]) -> Mapping[JobKey, PoolRecord]:
        return {key: self.items[key] for key in keys if key in self.items}

    def put_pool(self, pool: PoolRecord) -> PoolRecord:
        stored = self.items.get(pool.key)
        if (stored.version if stored else 0) != pool.version:
            raise LedgerConflict("written by another")
        self.writes += 1
        self.items[pool.key] = written = replace(pool, version=pool.version + 1)
        return written

    def open_pools(self, until: datetime) -> Sequence[JobKey]:
        due = [(pool.look_at or pool.expires, key) for key, pool in self.items.items() if pool.open]
        return [key for at, key in sorted(due, key=lambda pair: pair[0]) if at <= until]

    def pools_over(self, since: datetime, until: datetime) -> Sequence[JobKey]:
        if since > until:
            raise ValueError(f"DynamoDB takes no BETWEEN from {since} to {until}")
        over = [(key, pool.released or pool.ended) for key, pool in self.items.items() if not pool.open]
        return [key for key, at in over if since <= at < until]

    def pools_like(self, fingerprint: str, since: datetime) -> Sequence[JobKey]:
        return [
            key
            for key, pool in self.items.items()
            if pool.match_fingerprint == fingerprint and (pool.open or (pool.released or pool.ended) >= since)
        ]

    def pools_around(
        self, team: str, fingerprint: str | None, since: datetime, until: datetime, most: int
    ) -> Sequence[JobKey]:
        over = set(self.pools_over(since, until))
        found = [
            (pool.match_fingerprint == fingerprint, key.created, key)
            for key, pool in self.items.items()
            if (pool.open or key in over) and (pool.match_fingerprint == fingerprint or pool.team == team)
        ]
        return [key for *_, key in sorted(found, key=lambda item: item[:2], reverse=True)[:most]]

    def take_lease(self, now: datetime, until: datetime) -> bool:
        if self.lease is not None and self.lease > now:
            return False
        self.lease = until
        return True

    def give_lease_back(self, now: datetime, *, complete: bool) -> None:
        self.lease = now
        self.swept = now if complete else self.swept

    def last_sweep(self) -> datetime | None:
        return self.swept

    def digest(self, at: datetime) -> Digest | None:
        return self.digests.get(at)

    def put_digest(self, digest: Digest) -> None:
        self.digests[digest.at] = digest


@dataclass
class FakeSettings:
    chosen: PoolSettings = field(default_factory=settings)
    teams: dict[str, PoolSettings] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    known: set[str] | None = None

    def for_team(self, team: str) -> PoolSettings:
        if team in self.missing:
            raise NotConfigured(f"the settings of {team} cannot be read")
        return self.teams.get(team, self.chosen)

    def counted_as(self, team: str) -> str:
        return team if self.known is None or team in self.known else "default"


@dataclass
class BenchClient:
    """boto3's `sagemaker` client as far as the product uses it, answered by the simulator without a wire."""

    bench: Bench
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    before: Any = None
    """Called with the operation before each call is answered: what happens in between."""

    def describe_training_job(self, **request: Any) -> dict[str, Any]:
        return self._call("DescribeTrainingJob", request)

    def list_training_jobs(self, **request: Any) -> dict[str, Any]:
        times = {name: value.timestamp() for name, value in request.items() if isinstance(value, datetime)}
        return self._call("ListTrainingJobs", {**request, **times})

    def update_training_job(self, **request: Any) -> dict[str, Any]:
        return self._call("UpdateTrainingJob", request)

    def add_tags(self, **request: Any) -> dict[str, Any]:
        return self._call("AddTags", request)

    def list_tags(self, **request: Any) -> dict[str, Any]:
        return self._call("ListTags", request)

    def count(self, operation: str) -> int:
        """How often an operation was called."""
        return sum(name == operation for name, _ in self.asked)

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append((operation, request))
        if self.before:
            self.before(operation)
        try:
            return self.bench.call(operation, **request)
        except ServiceError as error:
            body: Any = {"Error": {"Code": error.code, "Message": error.message}}
            raise ClientError(body, operation) from error


@dataclass
class DelayQueue:
    """SQS with delays on the stepped clock."""

    now: Callable[[], datetime]
    waiting: list[tuple[datetime, Mapping[str, Any]]] = field(default_factory=list)
    sent: list[tuple[Mapping[str, Any], timedelta]] = field(default_factory=list)

    def send(self, messages: Any, after: timedelta = timedelta(0)) -> None:
        assert after <= timedelta(minutes=15), "SQS delays by at most 15 minutes"
        self.sent += [(message, after) for message in messages]
        self.waiting += [(self.now() + after, message) for message in messages]

    def due(self) -> list[Mapping[str, Any]]:
        """Take what has become visible."""
        now = self.now()
        ready = [message for at, message in self.waiting if at <= now]
        self.waiting = [(at, message) for at, message in self.waiting if at > now]
        return ready


def delivered(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the intake's rule passes on of SageMaker's entries, as EventBridge delivers it."""
    return [
        {
            "detail-type": entry["DetailType"],
            "source": entry["Source"],
            "time": datetime.fromtimestamp(entry["Time"], UTC).isoformat(),
            "resources": entry["Resources"],
            "detail": entry["Detail"],
        }
        for entry in entries
        if entry["DetailType"] == DETAIL_TYPE and _recorded(entry["Detail"])
    ]


def _recorded(detail: Mapping[str, Any]) -> bool:
    return detail["TrainingJobStatus"] != "InProgress" or detail["SecondaryStatus"] in RECORDED
