"""What earlier runs of a job's series tell: that it failed as before, and how long such runs usually train.

A series is a team's jobs of one base name. Used when a job starts and ends; everything comes from the ledger, and of a
failure only a digest is kept: reasons may hold what should not be stored twice.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from trainops.domain.failures import classify
from trainops.domain.run_names import base_name
from trainops.domain.secret_masks import masked
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.wording import one_line

LOOK_BACK = 20
"""Runs that are read."""
SAME_WITHIN = timedelta(days=7)
"""How old the run before may be for its failure to be news about this one."""
ENOUGH_RUNS = 3
"""Completed runs from which a usual training time is known."""
_VARYING = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRun:
    """How one run ended. `likeness` is a digest of its failure; None of a run that did not fail."""

    arn: str
    name: str
    created: datetime
    ended: datetime
    status: str
    trained: timedelta | None = None
    fingerprint: str | None = None
    likeness: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SameFailure:
    """The run before failed alike. `times` counts the failures in a row that are known, this one included."""

    name: str
    ended: datetime
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualRuntime:
    """The median training time of `runs` completed runs of the series on the same machines."""

    series: str
    trained: timedelta
    runs: int


def series_of(team: str, job: TrainingJob) -> str:
    """What runs are compared by."""
    return f"{team}|{base_name(job.name)}"


def past_run(job: TrainingJob, seen: datetime) -> PastRun:
    """What is remembered of a run that has ended; `seen` stands for an end that nobody told."""
    return PastRun(
        arn=job.key.arn,
        name=job.name,
        created=job.key.created,
        ended=job.ended or seen,
        status=job.status,
        trained=job.training_time,
        fingerprint=job.match_fingerprint,
        likeness=likeness(job),
    )


def likeness(job: TrainingJob) -> str | None:
    """A digest that is equal for failures of one kind: its class, and the reason without numbers, hashes and its own
    name. None of a job that did not fail, or that gave no reason.
    """
    if job.status != "Failed" or not job.failure_reason:
        return None
    text = one_line(masked(job.failure_reason)).lower().replace(job.name.lower(), "")
    known = classify(job.failure_reason, job.secondary_status).name
    return hashlib.sha256(f"{known}|{_VARYING.sub('#', text)}".encode()).hexdigest()[:16]


def same_failure(run: PastRun, earlier: Sequence[PastRun]) -> SameFailure | None:
    """The run just before, if it failed alike and not long ago. `earlier` begins with the newest."""
    alike = 0
    for before in earlier:
        if before.likeness is None or before.likeness != run.likeness:
            break
        alike += 1
    if not alike or run.ended - earlier[0].ended > SAME_WITHIN:
        return None
    return SameFailure(name=earlier[0].name, ended=earlier[0].ended, times=alike + 1)


def usual_runtime(job: TrainingJob, earlier: Sequence[PastRun]) -> UsualRuntime | None:
    """How long completed runs of the series trained on the same machines; None while too few are known."""
    trained = [
        run.trained.total_seconds()
        for run in earlier
        if run.status == "Completed" and run.trained and run.fingerprint == job.match_fingerprint
    ]
    if job.match_fingerprint is None or len(trained) < ENOUGH_RUNS:
        return None
    return UsualRuntime(series=base_name(job.name), trained=timedelta(seconds=median(trained)), runs=len(trained))
