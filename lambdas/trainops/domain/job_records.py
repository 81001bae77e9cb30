"""The ledger's item for one run of a job, and the decision what a message about it changes.

This is the only place where "new or seen?" is decided. It is pure: the item as read, the message, the API's answer and
the time go in; the item as it should be, what must be announced, and the reason come out. The write is conditional on
the version that was read, so that of two concurrent decisions one is refused and taken again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from trainops.domain.announcements import (
    Announcement,
    AnnouncementState,
    AnnouncementType,
    new_announcements,
)
from trainops.domain.job_merging import merged
from trainops.domain.owners import Evidence, Owner, owner_of
from trainops.domain.past_runs import SameFailure, UsualRuntime
from trainops.domain.pool_misses import PoolMiss
from trainops.domain.reconciliation import DELETED, next_look
from trainops.domain.state_changes import StateChange
from trainops.domain.training_jobs import TrainingJob

PENDING_GRACE = timedelta(minutes=5)
"""How long an announcement may stay pending before the reconciler asks for it again."""

OUTSIDE_SCOPE = "outside scope"
"""The source of the owner of a job that is not looked after."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per instance-hour, and where that comes from. None as a whole means unknown."""

    usd_per_hour: Decimal
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRecord:
    """The ledger's item. `version` is 0 for an item that is not yet written."""

    job: TrainingJob
    team: str
    owner: Owner
    price: Price | None = None
    announcements: Mapping[str, Announcement] = field(default_factory=dict)
    pool_misses: tuple[PoolMiss, ...] = ()
    """Why it took no warm pool, and why it left none, as far as there was one to miss."""
    started_warm: bool = False
    """True once it was seen to have taken a pool; SageMaker shows that only while the job runs."""
    usual: UsualRuntime | None = None
    """How long earlier runs trained, as known at its start."""
    pool_quota: int | None = None
    """Of the instances that warm pools of its type may keep, as known at its start; None is unknown, never zero."""
    same_failure: SameFailure | None = None
    """Whether the run before failed alike."""
    look_at: datetime | None = None
    """When the reconciler should look again; None when there is nothing left to wait for."""
    version: int = 0

    @property
    def took_pool(self) -> bool | None:
        """Whether it took a warm pool; None when the API never described it. An end has asked for what was not seen."""
        known = self.started_warm or (self.job.described and self.job.match_fingerprint)
        return self.started_warm if known else None

    @property
    def pending(self) -> dict[str, Announcement]:
        """What still has to be put on the bus."""
        return {k: a for k, a in self.announcements.items() if a.state is AnnouncementState.PENDING}

    @property
    def end_announced(self) -> bool:
        """Whether the bus has heard that the run is over."""
        published = (item.type for item in self.announcements.values() if item.state is AnnouncementState.PUBLISHED)
        return AnnouncementType.FINISHED in published

    def with_published(self, at: datetime) -> "JobRecord":
        """The item once everything pending is on the bus."""
        done = {
            key: replace(item, state=AnnouncementState.PUBLISHED) if item.state is AnnouncementState.PENDING else item
            for key, item in self.announcements.items()
        }
        return replace(self, announcements=done, look_at=next_look(self.job, at))


@dataclass(frozen=True, slots=True)
class Decision:
    """`record` is what to write, or None to write nothing; what it holds pending must then be announced."""

    record: JobRecord | None
    reason: str


def needs_description(record: JobRecord | None, change: StateChange) -> bool:
    """Whether the API has to be asked: only for what the ledger does not know yet, so that repetitions cost nothing."""
    if record is None:
        return True
    if record.job.terminal:
        return False
    if change.look:
        return change.job.terminal or _due(record, change.at)
    return change.job.terminal or AnnouncementType.STARTED not in record.announcements


def lags_behind(change: StateChange, description: TrainingJob | None) -> bool:
    """Whether the API has not yet caught up with the end that the event tells of: its answer is still running and was
    last modified before the event. Billing and pool would be missing from the message, so it is worth a wait.
    """
    if description is None or description.terminal or not change.job.terminal:
        return False
    told, known = change.job.last_modified, description.last_modified
    return told is not None and known is not None and known < told


def decide(
    record: JobRecord | None,
    change: StateChange,
    description: TrainingJob | None,
    price: Price | None,
    now: datetime,
    *,
    evidence: Evidence | None = None,
) -> Decision:
    """What the message changes. `description` is None when the API was not asked or does not know this run."""
    if record is None and change.look and description is None:
        return Decision(None, "asked to look at a job that neither the API nor the ledger knows")
    if record and change.look and description is None and not (record.job.terminal or change.job.terminal):
        return _gone(record)
    job = merged(record.job if record else None, change, description)
    known = dict(record.announcements) if record else {}
    new = new_announcements(job, known, change.at, change.starting)
    facts: dict[str, Any] = {
        "job": job,
        "team": job.tags.get("team", "default"),
        "owner": _owner(record, owner_of(job.tags, evidence)),
        "price": price or (record.price if record else None),
        "announcements": {**known, **new},
    }
    written = replace(record, **facts) if record else JobRecord(**facts)
    look_at = now + PENDING_GRACE if written.pending else next_look(job, now)
    written = replace(written, look_at=look_at)
    if record == written or (record and not new and job == record.job and not _due(record, now)):
        return Decision(None, f"{job.status} is known already; nothing is new")
    return Decision(written, _reason(new, job))


def _owner(record: JobRecord | None, found: Owner) -> Owner:
    """Evidence may be gone by the end (a trail's record is kept for a while only): whoever was known stays known."""
    return record.owner if record and record.owner.name and not found.name else found


def _gone(record: JobRecord) -> Decision:
    """The job was deleted, so it had ended, but how is not known: nothing is announced, nothing is waited for."""
    job = replace(record.job, status=DELETED, described=False)
    return Decision(replace(record, job=job, look_at=None), "deleted before its end was seen; how it ended is unknown")


def _due(record: JobRecord, now: datetime) -> bool:
    return record.look_at is not None and record.look_at <= now


def _reason(new: Mapping[str, Announcement], job: TrainingJob) -> str:
    said = [f"{key}: {item.state} ({item.reason})" for key, item in new.items()]
    source = "" if job.described else "; known from the event alone, the API no longer has this run"
    return ("; ".join(said) or f"{job.status}: facts refreshed") + source


def out_of_scope(record: JobRecord | None, job: TrainingJob) -> Decision:
    """What is kept of a job that is not looked after: its status, so that the reconciler does not ask for it."""
    reason = "its tags are outside scope.tags"
    if record and record.job.status == job.status:
        return Decision(None, reason)
    version = record.version if record else 0
    return Decision(JobRecord(job=job, team="-", owner=Owner(None, OUTSIDE_SCOPE), version=version), reason)
