"""How often an account may call an operation per second, shared by all its callers in a Region.

Rates are those of the services' quota pages (SageMaker endpoints and quotas; Service Quotas user guide, limits). They
are kept on the machine's monotonic clock, because a client's retries wait on that clock too.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope
from local.services import Service

Json = dict[str, Any]
ALL = "*"  # the bucket that every operation of a service draws from as well
WINDOW = 1.0
ROUNDING = 1e-9


@dataclass(frozen=True)
class Rates:
    """What one service allows: calls per second by operation, and the code it answers beyond them."""

    service: str
    per_second: Mapping[str, float]
    code: str


SAGEMAKER = Rates(
    "sagemaker",
    {
        "CreateTrainingJob": 1,
        "DescribeTrainingJob": 5,
        "ListTrainingJobs": 2,
        "UpdateTrainingJob": 1,
        "StopTrainingJob": 1,
        "DeleteTrainingJob": 1,
    },
    "ThrottlingException",
)
SERVICE_QUOTAS = Rates(
    "servicequotas",
    {
        "RequestServiceQuotaIncrease": 3,
        "ListServiceQuotas": 10,
        "ListAWSDefaultServiceQuotas": 10,
        "GetServiceQuota": 5,
        "GetAWSDefaultServiceQuota": 5,
        "GetRequestedServiceQuotaChange": 5,
        "ListRequestedServiceQuotaChangeHistory": 5,
        "ListRequestedServiceQuotaChangeHistoryByQuota": 5,
        ALL: 50,
    },
    "TooManyRequestsException",
)


@dataclass
class _Bucket:
    """Tokens of one operation of one account and Region."""

    tokens: float
    filled: float

    def fill(self, now: float, rate: float, capacity: float) -> bool:
        """Add what has accrued; whether a call is covered now."""
        self.tokens = min(capacity, self.tokens + (now - self.filled) * rate)
        self.filled = now
        return self.tokens >= 1 - ROUNDING


@dataclass
class Count:
    """Calls of one operation so far; `peak` is the most that were asked for within any one second."""

    allowed: int = 0
    throttled: int = 0
    peak: int = 0
    recent: deque[float] = field(default_factory=deque)

    def note(self, now: float, *, allowed: bool) -> None:
        """Count one call."""
        self.allowed += allowed
        self.throttled += not allowed
        self.recent.append(now)
        while self.recent[0] <= now - WINDOW:
            self.recent.popleft()
        self.peak = max(self.peak, len(self.recent))


class Limits:
    """Token buckets and counters of all accounts; switched off it refuses nothing and still counts.

    `burst` is a bucket's size in seconds' worth of its rate, at least one call. AWS documents no burst size. While
    `root_spared`, calls of an account's root are as if they had not been made here: neither limited nor counted.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, *, on: bool = True) -> None:
        self.on = on
        self.burst = 1.0
        self.root_spared = False
        self._now = now
        self._buckets: dict[tuple[Scope, str, str], _Bucket] = {}
        self._counts: dict[tuple[Scope, str, str], Count] = {}

    def admit(self, rates: Rates, scope: Scope, operation: str) -> None:
        """Count the call; beyond the rate it is the service's throttling error, HTTP 400."""
        now = self._now()
        asked = [name for name in (operation, ALL) if name in rates.per_second]
        buckets = [self._bucket((scope, rates.service, name), rates.per_second[name], now) for name in asked]
        allowed = not self.on or all(covered for _, covered in buckets)
        self._counts.setdefault((scope, rates.service, operation), Count()).note(now, allowed=allowed)
        if not allowed:
            raise ServiceError(rates.code, "Rate exceeded")
        for bucket, _ in buckets:
            bucket.tokens = max(0.0, bucket.tokens - 1)

    def _bucket(self, key: tuple[Scope, str, str], rate: float, now: float) -> tuple[_Bucket, bool]:
        capacity = max(1.0, rate * self.burst)
        bucket = self._buckets.setdefault(key, _Bucket(capacity, now))
        return bucket, bucket.fill(now, rate, capacity)

    def configure(self, body: Mapping[str, Any]) -> Json:
        """Switches (`on`, `root_spared`) and size (`burst`, above 0, fills the buckets). Answers like `listed`."""
        if unknown := set(body) - {"on", "burst", "root_spared"}:
            raise ValueError(f"unknown field(s) {sorted(unknown)}; known: burst, on, root_spared")
        burst = float(body.get("burst", self.burst))
        if burst <= 0:
            raise ValueError(f"burst must be above 0 seconds' worth of calls, not {burst}")
        self.on, self.burst = bool(body.get("on", self.on)), burst
        self.root_spared = bool(body.get("root_spared", self.root_spared))
        if "burst" in body:
            self._buckets.clear()
        return self.listed()

    def listed(self) -> Json:
        """The switches, the size, and one entry per account, Region and operation that was called."""
        operations = [
            {"account": scope.account, "region": scope.region, "service": service, "operation": operation,
             "allowed": count.allowed, "throttled": count.throttled, "peak_per_second": count.peak}
            for (scope, service, operation), count in self._counts.items()
        ]  # fmt: skip
        return {"on": self.on, "root_spared": self.root_spared, "burst": self.burst, "operations": operations}

    def clear(self) -> None:
        """Forget the counters; the buckets stay as they are."""
        self._counts.clear()

    def routes(self) -> dict[tuple[str, str], Callable[..., Any]]:
        """The `/_local/limits` routes."""
        return {
            ("GET", "limits"): lambda _body, _query: self.listed(),
            ("PUT", "limits"): lambda body, _query: self.configure(body),
            ("DELETE", "limits"): lambda _body, _query: self.clear(),
        }


class Scoped(Protocol):
    """A caller, as far as limits look at one."""

    scope: Scope

    @property
    def is_root(self) -> bool:
        """Whether the account's root signed."""


S = TypeVar("S", bound=Scoped)


@dataclass(frozen=True)
class Limited(Service[S]):
    """A service behind its rates; a throttled call is neither authorised nor validated (inferred)."""

    service: Service[S]
    limits: Limits
    rates: Rates

    def call(self, operation: str, caller: S, request: Json) -> Json:
        """Run one operation unless there were too many."""
        if not (self.limits.root_spared and caller.is_root):
            self.limits.admit(self.rates, caller.scope, operation)
        return self.service.call(operation, caller, request)
