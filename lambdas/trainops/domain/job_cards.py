"""The message about a job that started, was interrupted or ended: a card of a headline, a cause, facts and links.

`job_notification` calls `card_for` once per announcement with the ledger's item; channels give the card its shape.
Every text is short enough to be read at a glance; raw events and reasons stay in the log.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, tzinfo

from trainops.domain.announcements import Announcement, AnnouncementType
from trainops.domain.cards import Card, Link, Tone
from trainops.domain.checkpoints import copied
from trainops.domain.job_endings import Statement, ending_of
from trainops.domain.job_facts import Fact, ended_facts, interrupted_facts, small_print, started_facts
from trainops.domain.job_records import JobRecord
from trainops.domain.job_warnings import JobWarning, warnings_of
from trainops.domain.links import links_for, quotas_page
from trainops.domain.pool_misses import Missed, MissKind
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pool_costs import late_pool_line, pool_line
from trainops.domain.wording import duration_text, instances_text, ordinal

VERBS = {
    AnnouncementType.STARTED: "Created",
    AnnouncementType.INTERRUPTED: "Interrupted",
    AnnouncementType.RESTARTED: "Started again",
    AnnouncementType.FINISHED: "Ended",
    AnnouncementType.CHECKPOINTS_OLD: "Seen",
}


def card_for(record: JobRecord, key: str, announcement: Announcement, now: datetime, time_zone: tzinfo) -> Card:
    """The card for one announcement of a run. `key` is the announcement's key in the ledger; "today" and remaining
    costs are counted from `now`, times are shown in `time_zone`. Nothing that is missing from the record is an error.
    """
    job = record.job
    if announcement.type is AnnouncementType.STARTED:
        statement, facts = started(record), started_facts(record)
    elif announcement.type is AnnouncementType.RESTARTED:
        statement, facts = restarted(job, announcement.at), interrupted_facts(record, now, time_zone)
    elif announcement.type is AnnouncementType.INTERRUPTED:
        statement, facts = interrupted(job, announcement.at), interrupted_facts(record, now, time_zone)
    elif announcement.type is AnnouncementType.CHECKPOINTS_OLD:
        statement, facts = unsaved(job, announcement.reason), interrupted_facts(record, now, time_zone)
    else:
        ending = _with_pool(ending_of(record, now, time_zone), record, now, time_zone)
        statement, facts = ending, ended_facts(record)
    statement = _with_misses(statement, record, announcement.type)
    verb = VERBS[announcement.type]
    context = small_print(record, verb, announcement.at, now, time_zone)
    return _card(record, key, statement, facts, context)


def started(record: JobRecord) -> Statement:
    """That a job started, with what its owner should know now, since then there is time to act."""
    job = record.job
    if warnings := start_warnings(record):
        first, *more = warnings
        lines = [first.step, *(line for warning in more for line in (warning.reason, warning.step))]
        return Statement(f"started {first.words}", Tone.WARNING, first.reason, lines=lines)
    return Statement("started", Tone.NEUTRAL, f"It uses {instances_text(job.instance_count, job.instance_type)}.")


def start_warnings(record: JobRecord) -> tuple[JobWarning, ...]:
    """What its owner should know of a job that started."""
    return warnings_of(record.job, record.usual, record.pool_quota)


def interrupted(job: TrainingJob, at: datetime) -> Statement:
    """That spot capacity was taken back, for which time, and where the job goes on from."""
    count = max(1, sum(when <= at for when in job.interruptions))
    words = "was interrupted" if count == 1 else f"was interrupted for the {ordinal(count)} time"
    after = duration_text(at - job.key.created)
    summary = f"Spot capacity was taken back after {after}. SageMaker starts the job again when there is capacity."
    return Statement(words, Tone.WARNING, summary, lines=(_restart(job),))


def restarted(job: TrainingJob, at: datetime) -> Statement:
    """That there is spot capacity again, how long it took, and where the job goes on from."""
    before = [when for when in job.interruptions if when < at]
    waited = duration_text(at - before[-1]) if before else "some time"
    summary = f"After {waited} without capacity SageMaker is starting it again."
    return Statement("starts again after its interruption", Tone.NEUTRAL, summary, lines=(_restart(job),))


def unsaved(job: TrainingJob, why: str) -> Statement:
    """That a running spot job would lose much if it were interrupted now."""
    summary = f"If spot takes the instance back now, the work since then is lost: {why}."
    directory = (
        copied(job.checkpoint_directory, job.checkpoint_uri) if job.checkpoint_uri else "its checkpoint location"
    )
    step = f"Next: write checkpoints more often, and into the directory that is copied: {directory}."
    return Statement("has not saved its work for long", Tone.WARNING, summary, lines=(step,))


def _with_pool(ending: Statement, record: JobRecord, now: datetime, zone: tzinfo) -> Statement:
    answer = next((miss for miss in record.pool_misses if miss.missed is Missed.POOL), None)
    if answer is None:
        line = pool_line(record.job, record.price, now, zone)
    else:
        short = answer.kind is MissKind.QUOTA
        line = late_pool_line(record.job, record.price, now, zone) if short else None
    return replace(ending, lines=(*ending.lines, line)) if line else ending


def _with_misses(statement: Statement, record: JobRecord, telling: AnnouncementType) -> Statement:
    said = [miss.sentence for miss in record.pool_misses if miss.told_with(telling)]
    return replace(statement, lines=(*said, *statement.lines))


def _card(record: JobRecord, key: str, statement: Statement, facts: Iterable[Fact], context: Iterable[str]) -> Card:
    job = record.job
    return Card(
        key=f"{job.key.text}|{key}",
        job_name=job.name,
        tone=statement.tone,
        title=f"{job.name} {statement.words}",
        summary=statement.summary,
        cause=statement.cause,
        facts=tuple(facts),
        lines=tuple(statement.lines),
        links=(*links_for(job), *_quota_link(record)),
        context=tuple(context),
        team=record.team,
        owner=record.owner.name,
        thread=job.key.text,
    )


def _quota_link(record: JobRecord) -> Iterable[Link]:
    short = any(miss.kind is MissKind.QUOTA for miss in record.pool_misses)
    page = quotas_page(record.job.key.arn) if short else None
    return (Link("Quotas", page),) if page else ()


def _restart(job: TrainingJob) -> str:
    if job.checkpoint_uri:
        return f"It resumes from {job.checkpoint_uri}, if it wrote checkpoints there."
    if job.described:
        return "It restarts from scratch: no checkpoint location is set."
    return "Whether it has a checkpoint location is unknown."
