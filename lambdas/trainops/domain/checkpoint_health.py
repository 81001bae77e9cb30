"""Whether a running spot job would lose too much if its instance were taken back now."""

from datetime import datetime, timedelta

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
    """What would be lost, in words, when that is more than `allowed`; None when all is well. Checkpoints from before
    the job's creation are those that it may have resumed from, and say nothing of its own progress.
    """
    own = newest if newest and newest > job.key.created else None
    age = now - (own or job.key.created)
    if age <= allowed:
        return None
    if own:
        return f"its last checkpoint is {duration_text(age)} old"
    return f"no checkpoint in the {duration_text(age)} since it was created"
