"""The events on the trainops bus, version 1: `Training Job Started`, `… Interrupted`, `… Restarted`, `… Finished`.

Documented for other teams in docs/events/, with a JSON schema. An event is a trigger: whoever acts on it reads the
ledger by `job.arn` and `job.created`, so that a forged event can do nothing. It never holds hyperparameters,
environment variables, failure texts or e-mail addresses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from trainops.domain.announcements import Announcement
from trainops.domain.failure_classes import FailureClass
from trainops.domain.failures import classify
from trainops.domain.job_records import JobRecord
from trainops.domain.links import job_page, log_streams
from trainops.domain.spot_savings import estimated_cost, savings_percent
from trainops.domain.state_changes import parse_time
from trainops.domain.training_jobs import JobKey, TrainingJob

SOURCE = "trainops"
VERSION = 1
LIMIT_STATUSES = frozenset({"MaxRuntimeExceeded", "MaxWaitTimeExceeded"})


@dataclass(frozen=True, slots=True)
class BusEvent:
    """One event as it is put on the bus."""

    detail_type: str
    detail: Mapping[str, Any]
    resource: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Trigger:
    """What a consumer takes from an event: where to look, and for what."""

    key: JobKey
    announcement: str
    at: datetime | None


def events_of(record: JobRecord, now: datetime) -> list[BusEvent]:
    """One event for everything the item holds pending. Its time is the time of the news, which may come long after
    what it tells of.
    """
    return [
        BusEvent(f"Training Job {item.type}", _detail(record, key, item), record.job.key.arn, now)
        for key, item in record.pending.items()
    ]


def trigger_of(event: Mapping[str, Any]) -> Trigger:
    """Where an event on the bus points. Raises KeyError, TypeError or ValueError when it is not one of ours."""
    detail = event["detail"]
    created = datetime.fromisoformat(detail["job"]["created"])
    return Trigger(
        JobKey.of(str(detail["job"]["arn"]), created), str(detail["announcement"]), parse_time(event.get("time"))
    )


def utc_text(value: datetime | None) -> str | None:
    """A time as every event has it: ISO-8601 in UTC with a Z; None when it is not known."""
    return None if value is None else value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _detail(record: JobRecord, key: str, item: Announcement) -> dict[str, Any]:
    job = record.job
    return {
        "version": VERSION,
        "announcement": key,
        "at": utc_text(item.at),
        "reason": item.reason,
        "known_from": "describe" if job.described else "event",
        "job": {"arn": job.key.arn, "name": job.name, "created": utc_text(job.key.created)},
        "team": record.team,
        "owner": {"name": record.owner.short, "source": record.owner.source},
        "status": job.status,
        "secondary_status": job.secondary_status,
        "failure_class": failure_class_of(job),
        "times": {"started": utc_text(job.started), "ended": utc_text(job.ended)},
        "instances": {"type": job.instance_type, "count": job.instance_count},
        "spot": _spot(job),
        "warm_pool": {
            "keep_alive_seconds": _seconds(job.keep_alive),
            "status": job.warm_pool.status if job.warm_pool else None,
            "match_fingerprint": job.match_fingerprint,
        },
        "warm_pool_misses": [miss.to_map() for miss in record.pool_misses if miss.told_with(item.type)],
        "money": _money(record),
        "links": {"job": job_page(job.key.arn, job.name), "logs": log_streams(job.key.arn, job.name)},
    }


def failure_class_of(job: TrainingJob) -> FailureClass | None:
    """The class of a job that failed or ran into a limit; None for any other."""
    if job.status != "Failed" and job.secondary_status not in LIMIT_STATUSES:
        return None
    return classify(job.failure_reason, job.secondary_status).name


def _spot(job: TrainingJob) -> dict[str, Any]:
    savings = savings_percent(job)
    return {
        "managed": job.spot,
        "training_seconds": _seconds(job.training_time),
        "billable_seconds": _seconds(job.billable_time),
        "savings_percent": None if savings is None else float(savings),
        "interruptions": len(job.interruptions),
    }


def _money(record: JobRecord) -> dict[str, Any]:
    """Decimal amounts as text, so that no listener rounds them by parsing; null is unknown, never zero."""
    cost = estimated_cost(record.job, record.price)
    return {
        "currency": "USD",
        "price_per_instance_hour": str(record.price.usd_per_hour) if record.price else None,
        "price_source": record.price.source if record.price else None,
        "estimated_cost": None if cost is None else str(cost),
    }


def _seconds(value: Any) -> int | None:
    return None if value is None else int(value.total_seconds())
