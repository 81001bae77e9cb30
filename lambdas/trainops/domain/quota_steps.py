"""What to do about one wish: nothing, wait, or ask, each with its reason.

Asked for once and never lowered: only a value above the current one is asked for, only while no request is open, and
what was decided about the same value is not asked for again. Sources: Service Quotas user guide, requesting an
increase; API shape RequestedServiceQuotaChange.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from trainops.domain.quota_records import IncreaseRequest, QuotaRecord, QuotaState, SeenQuota
from trainops.domain.wording import duration_text

VISIBLE_WITHIN = timedelta(days=1)
"""How long an approved value may take to be seen in the quota (observed: minutes; not documented)."""
FIRST_GAP, LONGEST_GAP = timedelta(hours=1), timedelta(days=1)
"""Between a request that was not taken and the next try: what forbids it seldom passes by itself."""
DOUBLINGS = 5
"""After which the longest gap is reached."""


@dataclass(frozen=True, slots=True)
class QuotaStep:
    """Where a wish stands; `ask` when an increase should be asked for now."""

    state: QuotaState
    reason: str
    ask: bool = False


def not_offered(record: QuotaRecord) -> QuotaStep:
    """For a quota of a name that nothing has."""
    return QuotaStep(QuotaState.NOT_OFFERED, f"the Region has no quota “{record.name}”")


def enough(record: QuotaRecord, seen: SeenQuota) -> QuotaStep | None:
    """What the value alone says; None when it is too low, and requests have to be looked at."""
    if seen.value < record.wanted:
        return None
    above = "already above" if seen.value > record.wanted else "as wanted"
    return QuotaStep(QuotaState.ENOUGH, f"the quota is {seen.value}: {above} ({record.wanted})")


def next_step(record: QuotaRecord, seen: SeenQuota, request: IncreaseRequest | None, now: datetime) -> QuotaStep:
    """What a quota that is too low needs. `request` is the open one, else the latest that is known."""
    short = f"the quota is {seen.value}, {record.wanted} are wanted"
    if request and request.open:
        return QuotaStep(QuotaState(request.status), f"{short}: {_waiting(record, request)}")
    if request and request.status == "APPROVED" and seen.value < request.desired:
        approved = f"{short}: request {request.id} for {request.desired} was approved"
        if now - request.updated < VISIBLE_WITHIN:
            return QuotaStep(QuotaState.APPROVED, f"{approved}, which is not visible yet")
        return QuotaStep(QuotaState.CASE_CLOSED, f"{approved}, but after a day the value is still {seen.value}")
    if not seen.adjustable:
        return QuotaStep(QuotaState.FIXED, f"{short}, and it is not adjustable")
    if request and request.desired == record.wanted:
        return QuotaStep(QuotaState(request.status), f"{short}: {_decided(request)}")
    return _asking(record, short, now)


def _asking(record: QuotaRecord, short: str, now: datetime) -> QuotaStep:
    """Ask, unless it was refused lately."""
    if record.ask_again and now < record.ask_again:
        return QuotaStep(QuotaState.REFUSED, record.reason)
    return QuotaStep(QuotaState.PENDING, f"{short}: an increase is asked for", ask=True)


def put_off(record: QuotaRecord, told: str, now: datetime) -> tuple[QuotaRecord, QuotaStep]:
    """After a request that Service Quotas would not take: the next try, each time twice as far off, at most a day."""
    gap = min(FIRST_GAP * 2 ** min(record.refusals, DOUBLINGS), LONGEST_GAP)
    again = now + gap
    when = f"asked again in {duration_text(gap)}, from {again.astimezone(UTC):%Y-%m-%d %H:%M} UTC, or at a deployment"
    reason = f"Service Quotas refused the request: {told}; {when}"
    return replace(record, refusals=record.refusals + 1, ask_again=again), QuotaStep(QuotaState.REFUSED, reason)


def _waiting(record: QuotaRecord, request: IncreaseRequest) -> str:
    since = f"waiting on request {request.id} of {request.created:%Y-%m-%d}"
    case = f", case {request.case_id}" if request.case_id else ""
    if request.desired < record.wanted:
        return f"{since}{case}, which asks for {request.desired}; {record.wanted} follow when it closes"
    return f"{since}{case}"


def _decided(request: IncreaseRequest) -> str:
    what = f"request {request.id} for {request.desired} ended as {request.status} on {request.updated:%Y-%m-%d}"
    return f"{what}; the same is not asked for again. Want another value, or reopen the case"
