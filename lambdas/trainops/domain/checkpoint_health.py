"""Whether a running spot job would lose too much if its instance were taken back now."""

from dataclasses import replace
from datetime import datetime, timedelta

from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.job_records import PENDING_GRACE, JobRecord
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.wording import duration_text


def bucket_and_prefix(uri: str | None) -> tuple[str, str] | None:
    """Bucket and prefix of an S3 location, s3:// or https:// as CheckpointConfig takes it; None for anything else."""
    scheme, separator, rest = (uri or "").partition("://")
    bucket, _, prefix = rest.partition("/")
    return (bucket, prefix) if separator and scheme == "s3" and bucket else None


def at_risk(job: TrainingJob) -> bool:
    """Whether a job's checkpoints are worth a look: managed spot, not over, and with a location for them. One without
    a location was warned of when it started.
    """
    return bool(job.spot and job.checkpoint_uri and not job.terminal)


def stale(job: TrainingJob, newest: datetime | None, now: datetime, allowed: timedelta) -> str | None:
    """What would be lost, in words, when that is more than `allowed`; None when all is well."""
    own = _own(job, newest)
    age = now - (own or job.key.created)
    if age <= allowed:
        return None
    if own:
        return f"its last checkpoint is {duration_text(age)} old"
    return f"no checkpoint in the {duration_text(age)} since it was created"


def with_news(record: JobRecord, newest: datetime | None, why: str, now: datetime) -> JobRecord | None:
    """The item with the news that its checkpoints are old, pending; None when that was said of this checkpoint before.
    One that is written later, and grows old again, is news again.
    """
    saved = _own(record.job, newest) or record.job.key.created
    key = f"{AnnouncementType.CHECKPOINTS_OLD}/{saved:%Y-%m-%dT%H:%M:%SZ}"
    if key in record.announcements:
        return None
    item = Announcement(AnnouncementType.CHECKPOINTS_OLD, AnnouncementState.PENDING, now, why)
    return replace(record, announcements={**record.announcements, key: item}, look_at=now + PENDING_GRACE)


def _own(job: TrainingJob, newest: datetime | None) -> datetime | None:
    """Checkpoints from before the job's creation are those that it may have resumed from, and say nothing of its own
    progress.
    """
    return newest if newest and newest > job.key.created else None
