"""The events about quotas on the trainops bus, version 1: `Quota Changed`, `Quota Digest` and `Quota Refusal`.

Documented in docs/events/ with a JSON schema. Events are triggers: whoever acts on one reads the ledger.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from trainops.domain.job_events import VERSION, BusEvent, utc_text
from trainops.domain.quota_digests import QuotaChange
from trainops.domain.quota_records import QuotaRecord
from trainops.domain.quota_refusals import Refusal

PREFIX = "Quota "
CHANGED, DIGEST, REFUSAL = f"{PREFIX}Changed", f"{PREFIX}Digest", f"{PREFIX}Refusal"


@dataclass(frozen=True, slots=True)
class QuotaTrigger:
    """What a consumer takes from an event: which news of which quota, a refusal's by its key."""

    kind: str
    news: Sequence[tuple[str, str]]


def changes_event(changes: Sequence[QuotaChange], now: datetime) -> BusEvent:
    """The event of what one turn found: many changes are one digest, instead of an event each."""
    first = changes[0].record
    if len(changes) == 1:
        return BusEvent(CHANGED, _change(*changes[0]), _arn(first), now)
    at = utc_text(max(change.news.at for change in changes))
    every = [_change(*change) for change in changes]
    return BusEvent(DIGEST, {"version": VERSION, "announcement": at, "at": at, "changes": every}, _arn(first), now)


def refusal_event(refusal: Refusal) -> BusEvent:
    """A job was not started for want of quota."""
    detail = {
        "version": VERSION,
        "announcement": refusal.key,
        "at": utc_text(refusal.at),
        "quota": {"name": refusal.quota, "code": refusal.quota_arn.rpartition("/")[2] or None},
        "value": refusal.limit,
        "needed": refusal.needed,
        "used": refusal.used,
        "stopping": refusal.stopping,
        "job_name": refusal.job_name,
        "owner": {
            "name": refusal.owner.short,
            "source": refusal.owner.source,
        },
        "advice": refusal.advice,
    }
    return BusEvent(REFUSAL, detail, refusal.quota_arn, refusal.at)


def quota_trigger(event: Mapping[str, Any]) -> QuotaTrigger:
    """Where an event about a quota points. Raises KeyError or TypeError when it is not one of ours."""
    kind, detail = str(event["detail-type"]), event["detail"]
    told = detail["changes"] if kind == DIGEST else [detail]
    return QuotaTrigger(kind, [(str(item["quota"]["name"]), str(item["announcement"])) for item in told])


def _change(record: QuotaRecord, key: str) -> dict[str, Any]:
    item, request = record.news[key], record.request
    return {
        "version": VERSION,
        "announcement": key,
        "at": utc_text(item.at),
        "reason": item.reason,
        "state": item.state.value,
        "quota": {"name": record.name, "code": record.seen.code if record.seen else None},
        "value": item.value,
        "wanted": item.wanted,
        "request": {"id": request.id, "status": request.status, "desired": request.desired, "case_id": request.case_id}
        if request
        else None,
    }


def _arn(record: QuotaRecord) -> str:
    """EventBridge takes any text as a resource; a quota that was never found has no ARN."""
    return record.seen.arn if record.seen else record.name
