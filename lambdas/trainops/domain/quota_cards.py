"""The messages about quotas: what became of a request, and why a job was not started.

`job_notification` makes them from the ledger's items; channels give the card its shape.
"""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from trainops.domain.cards import Card, Link, Tone
from trainops.domain.job_facts import Fact, owner_text
from trainops.domain.links import quota_page
from trainops.domain.quota_records import FAILED, QuotaNews, QuotaRecord, QuotaState
from trainops.domain.quota_refusals import Refusal
from trainops.domain.wording import UNKNOWN, counted, one_line, time_text

WORDS = {
    QuotaState.ENOUGH: "is granted",
    QuotaState.PENDING: "was asked for",
    QuotaState.CASE_OPENED: "is with AWS Support",
    QuotaState.APPROVED: "is approved, not yet visible",
    QuotaState.DEFERRED: "is asked for later",
    QuotaState.CASE_CLOSED: "was not granted: the case is closed",
    QuotaState.DENIED: "was denied",
    QuotaState.NOT_APPROVED: "was not approved",
    QuotaState.INVALID_REQUEST: "was an invalid request",
    QuotaState.REFUSED: "could not be asked for",
    QuotaState.NOT_OFFERED: "is not offered in this Region",
    QuotaState.FIXED: "is not adjustable",
}


def change_card(record: QuotaRecord, key: str, item: QuotaNews, now: datetime, zone: tzinfo) -> Card:
    """The card for one change; `key` is its key in the ledger."""
    failed = item.state in FAILED
    return Card(
        key=f"Quota/{record.name}/{key}",
        job_name=record.name,
        tone=Tone.BAD if failed else Tone.GOOD if item.state is QuotaState.ENOUGH else Tone.NEUTRAL,
        title=f"Quota {record.name}: {item.wanted} {WORDS[item.state]}",
        summary=f"{item.reason[:1].upper()}{item.reason[1:]}.",
        facts=tuple(_change_facts(record, item)),
        links=_links(record.seen.arn if record.seen else ""),
        context=(small_print(item.at, record.seen.arn if record.seen else "", now, zone),),
        owner=record.requester,
    )


def refusal_card(refusal: Refusal, now: datetime, zone: tzinfo) -> Card:
    """The card that says why a job was not started, and what it takes."""
    return Card(
        key=f"QuotaRefusal/{refusal.key}",
        job_name=refusal.job_name,
        tone=Tone.BAD,
        title=f"{refusal.job_name} was not started: quota too low",
        summary=f"The quota “{refusal.quota}” is {refusal.limit}, and this job needs {refusal.needed}.",
        facts=tuple(_refusal_facts(refusal)),
        lines=(f"{refusal.advice}.",),
        links=_links(refusal.quota_arn),
        context=(small_print(refusal.at, refusal.quota_arn, now, zone),),
        owner=refusal.owner.name,
    )


def _change_facts(record: QuotaRecord, item: QuotaNews) -> Iterator[Fact]:
    yield "Value", UNKNOWN if item.value is None else str(item.value)
    yield "Wanted", str(item.wanted)
    yield "Asked for by", ", ".join(sorted(record.wishes)) or "nobody any more"
    if record.requester:
        yield "Requester", record.requester
    if request := record.request:
        yield "Request", f"{request.id} ({request.status})"
        if request.case_id:
            yield "Support case", request.case_id


def _refusal_facts(refusal: Refusal) -> Iterator[Fact]:
    yield "Owner", owner_text(refusal.owner)
    yield "In use", f"{refusal.used} ({'counted from jobs' if refusal.counted else 'as SageMaker says'})"
    yield "Asked for", str(refusal.asked)
    if refusal.stopping:
        yield "Stopping", counted(refusal.stopping, "instance")
    if refusal.idle:
        yield "Idle in warm pools", counted(refusal.idle, "instance")


def _links(arn: str) -> tuple[Link, ...]:
    page = quota_page(arn)
    return (Link("Quota", page),) if page else ()


def small_print(at: datetime, arn: str, now: datetime, zone: tzinfo) -> str:
    """When it was, and in which account and Region, by a quota's ARN."""
    parts = [*arn.split(":"), "", "", "", "", ""]
    where = [f"account {parts[4]}" if parts[4] else "", one_line(parts[3])]
    return " \N{MIDDLE DOT} ".join([time_text(at, now, zone), *filter(None, where)])
