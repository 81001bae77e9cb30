"""What the ledger remembers of one quota: what is wanted, what it is, what was asked for and what is to be told.

One item per quota, whoever wants it: the largest wish counts. Written by `quota_request` and `quota_tracker`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from trainops.domain.quotas import QuotaId

OPEN = frozenset({"PENDING", "CASE_OPENED"})
"""Statuses in which no second request is taken (RequestedServiceQuotaChange.Status)."""
NEWS_KEPT = 10


class QuotaState(StrEnum):
    """How a wish stands. Those in capitals are the statuses of Service Quotas."""

    ENOUGH = "enough"
    NOT_OFFERED = "not offered"
    """The Region has no such quota, so none can be asked for."""
    FIXED = "not adjustable"
    DEFERRED = "deferred"
    """Not asked for yet: throttled, or too many requests are open."""
    REFUSED = "refused"
    """Service Quotas would not take the request; its answer is the reason."""
    PENDING = "PENDING"
    CASE_OPENED = "CASE_OPENED"
    APPROVED = "APPROVED"
    """But not yet visible in the quota's value."""
    DENIED = "DENIED"
    CASE_CLOSED = "CASE_CLOSED"
    """Without the value that was asked for."""
    NOT_APPROVED = "NOT_APPROVED"
    INVALID_REQUEST = "INVALID_REQUEST"


FAILED = frozenset(
    {
        QuotaState.NOT_OFFERED,
        QuotaState.FIXED,
        QuotaState.REFUSED,
        QuotaState.DENIED,
        QuotaState.CASE_CLOSED,
        QuotaState.NOT_APPROVED,
        QuotaState.INVALID_REQUEST,
    }
)
"""A person has to do something, or to want less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenQuota:
    """A quota as Service Quotas shows it; `default` when the account has no value of its own."""

    name: str
    code: str
    arn: str
    value: int
    adjustable: bool
    default: bool = False
    usage_metric: str | None = None
    """Which `Resource` of AWS/Usage counts its use, where the API names one (ServiceQuota.UsageMetric)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncreaseRequest:
    """A request as Service Quotas shows it (RequestedServiceQuotaChange)."""

    id: str
    status: str
    desired: int
    created: datetime
    updated: datetime
    case_id: str | None = None

    @property
    def open(self) -> bool:
        """Whether it is still to be decided."""
        return self.status in OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaNews:
    """One change to tell, with what was known when it happened."""

    state: QuotaState
    at: datetime
    reason: str
    value: int | None = None
    wanted: int = 0
    published: bool = False


@dataclass(frozen=True, slots=True)
class Asker:
    """A stack that wants quotas, whether a support case may be opened for it, and who hears of its requests, if anybody
    beside the channel.
    """

    stack: str
    case_allowed: bool = True
    requester: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaRecord:
    """The item of one quota."""

    name: str
    code: str | None = None
    """The published code of an account-wide quota."""
    wishes: Mapping[str, int] = field(default_factory=dict)
    """Who wants how much: a stack's name → value."""
    case_allowed: bool = True
    requester: str | None = None
    """Of whoever asked last."""
    refusals: int = 0
    """How often Service Quotas would not take the request for what is wanted now."""
    ask_again: datetime | None = None
    """Before then it is not asked again, unless a deployment does."""
    seen: SeenQuota | None = None
    request: IncreaseRequest | None = None
    state: QuotaState | None = None
    reason: str = ""
    used: int | None = None
    """None is unknown, never zero."""
    checked: datetime | None = None
    news: Mapping[str, QuotaNews] = field(default_factory=dict)
    version: int = 0

    @property
    def wanted(self) -> int:
        """The largest wish."""
        return max(self.wishes.values(), default=0)

    @property
    def id(self) -> QuotaId:
        """Which quota it is about, with the code under which it was found."""
        return QuotaId(self.name, self.seen.code if self.seen else self.code)

    @property
    def pending(self) -> dict[str, QuotaNews]:
        """What still has to be put on the bus."""
        return {key: item for key, item in self.news.items() if not item.published}

    @property
    def used_percent(self) -> int | None:
        """Of the value, rounded up; None while either is unknown, and for a quota of 0: nothing of it can be used."""
        if self.used is None or self.seen is None or not self.seen.value:
            return None
        return -(-100 * self.used // self.seen.value)

    def wished(self, by: Asker, value: int | None) -> "QuotaRecord":
        """With one asker's wish, or without it. A deployment is a reason to ask at once, whatever was refused."""
        wishes = {name: wish for name, wish in self.wishes.items() if name != by.stack}
        if value is None:
            return replace(self, wishes=wishes)
        wishes[by.stack] = value
        asked = replace(self, wishes=wishes, refusals=0, ask_again=None)
        return replace(asked, case_allowed=by.case_allowed, requester=by.requester)

    def taken(self, request: IncreaseRequest) -> "QuotaRecord":
        """With a request that Service Quotas took."""
        return replace(self, request=request, refusals=0, ask_again=None)

    def standing(self, state: QuotaState, reason: str, now: datetime) -> "QuotaRecord":
        """In a state, which is news when it is another one; that a quota was enough from the start is none."""
        current = replace(self, state=state, reason=reason, checked=now)
        about = f"{state}/{self.wanted}/{self.request.id if self.request else '-'}"
        if state is self.state or about in self.news or (self.state is None and state is QuotaState.ENOUGH):
            return current
        value = self.seen.value if self.seen else None
        item = QuotaNews(state=state, at=now, reason=reason, value=value, wanted=self.wanted)
        kept = dict(sorted(self.news.items(), key=lambda pair: pair[1].at)[1 - NEWS_KEPT :])
        return replace(current, news={**kept, about: item})

    def all_said(self) -> "QuotaRecord":
        """Once everything pending is on the bus."""
        return replace(self, news={key: replace(item, published=True) for key, item in self.news.items()})
