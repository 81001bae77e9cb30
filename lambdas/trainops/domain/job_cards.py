"""The message about a job that started, was interrupted or ended: a card of a headline, a cause, facts and links.

`job_notification` calls `card_for` once per announcement with the ledger's item; channels give the card its shape.
Every text is short enough to be read at a glance; raw events and reasons stay in the log.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo

from trainops.domain.announcements import Announcement, AnnouncementType
from trainops.domain.cards import Card, Tone
from trainops.domain.job_endings import ending_of
from trainops.domain.job_facts import ended_facts, interrupted_facts, small_print, started_facts
from trainops.domain.job_records import JobRecord
from trainops.domain.links import links_for
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.warm_pool_costs import pool_line
from trainops.domain.wording import duration_text, instances_text, ordinal

LONG_ENOUGH_TO_LOSE = timedelta(hours=1)
"""A spot job that may run longer than this without checkpoints is worth a warning at its start."""


def card_for(record: JobRecord, key: str, announcement: Announcement, now: datetime, time_zone: tzinfo) -> Card:
    """The card for one announcement of a run. `key` is the announcement's key in the ledger; `now` is the instant
    that "today" and remaining costs are counted from.
    """
    message_key = f"{record.job.key.arn}|{record.job.key.created:%Y-%m-%dT%H:%M:%SZ}|{key}"
    if announcement.type is AnnouncementType.STARTED:
        return _started(record, message_key, announcement.at, now, time_zone)
    if announcement.type is AnnouncementType.INTERRUPTED:
        return _interrupted(record, message_key, announcement.at, now, time_zone)
    return _finished(record, message_key, announcement.at, now, time_zone)


def _started(record: JobRecord, key: str, at: datetime, now: datetime, zone: tzinfo) -> Card:
    job = record.job
    summary = f"It runs on {instances_text(job.instance_count, job.instance_type)}."
    words, tone, lines = "started", Tone.NEUTRAL, ()
    if _risks_everything(job):
        words, tone = "started on spot without checkpoints", Tone.WARNING
        summary = f"If spot takes the instance back, up to {duration_text(job.max_runtime)} of work starts from zero."
        lines = (f"Next: set CheckpointConfig with an S3 location of its own, such as s3://bucket/{job.key.name}/.",)
    return _card(
        record,
        key,
        (words, tone, summary, None),
        started_facts(record),
        lines,
        small_print(record, "Created", at, now, zone),
    )


def _interrupted(record: JobRecord, key: str, at: datetime, now: datetime, zone: tzinfo) -> Card:
    job = record.job
    count = max(1, sum(when <= at for when in job.interruptions))
    words = "interrupted" if count == 1 else f"interrupted for the {ordinal(count)} time"
    summary = (
        f"Spot capacity was taken back {duration_text(at - job.key.created)} after the job was created; "
        "SageMaker starts it again when there is capacity."
    )
    return _card(
        record,
        key,
        (words, Tone.WARNING, summary, None),
        interrupted_facts(record, now, zone),
        (_restart(job),),
        small_print(record, "Interrupted", at, now, zone),
    )


def _finished(record: JobRecord, key: str, at: datetime, now: datetime, zone: tzinfo) -> Card:
    ending = ending_of(record)
    pool = pool_line(record.job, record.price, now, zone)
    return _card(
        record,
        key,
        (ending.words, ending.tone, ending.summary, ending.cause),
        ended_facts(record),
        (*ending.lines, *([pool] if pool else [])),
        small_print(record, "Ended", at, now, zone),
    )


def _card(
    record: JobRecord,
    key: str,
    said: tuple[str, Tone, str, str | None],
    facts: Iterable[tuple[str, str]],
    lines: Iterable[str],
    context: Iterable[str],
) -> Card:
    words, tone, summary, cause = said
    name = record.job.key.name
    return Card(
        key=key,
        job_name=name,
        tone=tone,
        title=f"{name} {words}",
        summary=summary,
        cause=cause,
        facts=tuple(facts),
        lines=tuple(lines),
        links=links_for(record.job),
        context=tuple(context),
    )


def _risks_everything(job: TrainingJob) -> bool:
    """Spot, long, and certainly without checkpoints: the event alone does not say, so it does not warn."""
    return bool(
        job.spot
        and job.described
        and not job.checkpoint_uri
        and (job.max_runtime or timedelta(0)) > LONG_ENOUGH_TO_LOSE
    )


def _restart(job: TrainingJob) -> str:
    if job.checkpoint_uri:
        return f"It resumes from {job.checkpoint_uri}, if it wrote checkpoints there."
    if job.described:
        return "It restarts from scratch: no checkpoint location is set."
    return "Whether it has a checkpoint location is unknown."
