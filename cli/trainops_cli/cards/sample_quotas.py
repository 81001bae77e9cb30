"""The cards about quotas: how each wish can stand, and the job that was refused for want of quota."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

from trainops.domain.cards import Card
from trainops.domain.quota_cards import change_card, refusal_card
from trainops.domain.quota_events import CHANGED, REFUSAL
from trainops.domain.quota_records import Asker, IncreaseRequest, QuotaRecord, QuotaState, SeenQuota
from trainops.domain.quota_refusals import refusal, refused_call
from trainops.domain.quota_steps import QuotaStep, enough, next_step, not_offered
from trainops.domain.quota_usage import HeldInstances, Usage, usage
from trainops.domain.quotas import QuotaKind, quota_name
from trainops_cli.cards.sample_failures import REASONS
from trainops_cli.cards.sample_runs import ACCOUNT, REGION, TAGS

NAME = quota_name(QuotaKind.SPOT, "ml.g5.2xlarge")
WANTED = 8
SEEN = SeenQuota(
    name=NAME, code="L-1A2B3C4D", arn=f"arn:aws:servicequotas:{REGION}:{ACCOUNT}:sagemaker/L-1A2B3C4D", value=4,
    adjustable=True,
)  # fmt: skip
WISHED = QuotaRecord(name=NAME).wished(Asker("trainops-operations"), WANTED)
THROTTLED = "TooManyRequestsException: Rate exceeded"
INVALID = "IllegalArgumentException: the value must be greater than the current one"


def quota_cards(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """One for each state of a wish, then the refusals."""
    for record in _changed(now):
        key, item = list(record.news.items())[-1]
        yield replace(change_card(record, key, item, now, zone), word=CHANGED.replace(" ", ""))
    for card in _refusals(now, zone):
        yield replace(card, word=REFUSAL.replace(" ", ""))


def _changed(now: datetime) -> Iterator[QuotaRecord]:
    """The ledger's items after each change, as `quota_tracker` writes them."""
    for status in ("PENDING", "CASE_OPENED"):
        yield _standing(now, _request(now, status))
    yield _standing(now, _request(now, "APPROVED"))
    waiting = _standing(now - timedelta(hours=1), _request(now, "PENDING"))
    granted = replace(SEEN, value=WANTED)
    if step := enough(waiting, granted):
        yield _stands(replace(waiting, seen=granted, request=_request(now, "APPROVED")), step, now)
    for status in ("DENIED", "CASE_CLOSED", "NOT_APPROVED", "INVALID_REQUEST"):
        yield _standing(now, _request(now, status))
    for state, why in (
        (QuotaState.DEFERRED, f"asked for later: {THROTTLED}"),
        (QuotaState.REFUSED, f"Service Quotas refused the request: {INVALID}"),
    ):
        yield _stands(replace(WISHED, seen=SEEN), QuotaStep(state, why), now)
    yield _standing(now, None, replace(SEEN, adjustable=False))
    yield _stands(WISHED, not_offered(WISHED), now)


def _standing(now: datetime, request: IncreaseRequest | None, seen: SeenQuota = SEEN) -> QuotaRecord:
    return _stands(replace(WISHED, seen=seen, request=request), next_step(WISHED, seen, request, now), now)


def _stands(record: QuotaRecord, step: QuotaStep, now: datetime) -> QuotaRecord:
    return record.standing(step.state, step.reason, now)


def _request(now: datetime, status: str) -> IncreaseRequest:
    case = None if status == "PENDING" else "173829104756"
    created = now - timedelta(days=2)
    return IncreaseRequest(id="9d3c1e7f", status=status, desired=WANTED, created=created, updated=now, case_id=case)


def _refusals(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """When nobody asked for more, when more is asked for already, and when jobs that are stopping will free enough."""
    stopping = usage([HeldInstances({"ml.g5.2xlarge": 2}, "Stopping", spot=True),
                      HeldInstances({"ml.g5.2xlarge": 1}, "InProgress", spot=True)])  # fmt: skip
    asked = _standing(now, _request(now, "CASE_OPENED"))
    cases: tuple[tuple[QuotaRecord | None, Usage | None], ...] = ((None, None), (asked, None), (asked, stopping))
    for number, (record, counted) in enumerate(cases, start=6):
        if call := refused_call(_trail(f"detector-spot-{number}", now)):
            yield refusal_card(refusal(call, record, counted), now, zone)


def _trail(job: str, now: datetime) -> dict[str, Any]:
    """The trail's record of a refused CreateTrainingJob."""
    caller = f"arn:aws:sts::{ACCOUNT}:assumed-role/data-scientist/vision-oncall"
    detail = {
        "eventName": "CreateTrainingJob",
        "eventID": "6f1c2d3e",
        "eventTime": now.isoformat(),
        "awsRegion": REGION,
        "recipientAccountId": ACCOUNT,
        "errorMessage": next(text for text in REASONS.values() if text and "spot training job usage" in text),
        "userIdentity": {"arn": caller},
        "requestParameters": {
            "trainingJobName": job,
            "tags": [{"key": key, "value": value} for key, value in TAGS.items()],
        },
    }
    return {"detail": detail}
