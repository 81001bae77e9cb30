"""What a person can do about a warm pool that is still billed, for the message about it.

Used by `job_notification` where the settings turn actions on. Nothing here stops a training job: each action is about
the idle pool that an ended job left.
"""

from datetime import datetime, timedelta

from trainops.domain.cards import Action, ActionName
from trainops.domain.job_records import JobRecord
from trainops.domain.pool_misses import Missed
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_costs import keep_command, release_command, remaining_pool
from trainops.domain.warm_pool_holds import hold_command
from trainops.domain.warm_pools import PoolRecord, no_pool

EXTENSION = timedelta(minutes=30)
SUGGESTED_HOLD = timedelta(hours=1)
"""Beyond the pool's own end: what the picker shows first."""
LONGEST = timedelta(hours=6)
"""KeepAlivePeriodInSeconds takes no more (API model)."""
STOP_WINDOW = (
    "A training job that is stopped gets SIGTERM and then 120 seconds, too few for a large checkpoint that is only "
    "written then, so no button stops a job"
)
"""StopTrainingJob; the upload need not come to its end within that time."""
BEFORE_STOP = "The idle warm pool ends now, and the next job starts cold. Its job is over: what it saved stays saved."


def actions_after(record: JobRecord, now: datetime) -> tuple[Action, ...]:
    """For the message that a job ended: none when it leaves no pool, or none that is still billed at `now`."""
    job, pool = record.job, remaining_pool(record.job, record.price, now)
    if pool is None or no_pool(job) or any(miss.missed is Missed.POOL for miss in record.pool_misses):
        return ()
    if pool.until is None or pool.until <= now or job.ended is None:
        return ()
    return _actions(job.key, job.name, job.ended, pool.until)


def actions_before_end(pool: PoolRecord) -> tuple[Action, ...]:
    """For the message that a pool will end: none once it has."""
    return _actions(pool.key, pool.name, pool.ended, pool.expires) if pool.open else ()


def _actions(key: JobKey, name: str, ended: datetime, expires: datetime) -> tuple[Action, ...]:
    longer, held = min(expires + EXTENSION - ended, LONGEST), expires + SUGGESTED_HOLD
    return (
        Action(
            name=ActionName.STOP,
            label="Stop now",
            subject=key.text,
            command=release_command(key.arn, name),
            warning=BEFORE_STOP,
        ),
        Action(
            name=ActionName.EXTEND, label="Extend 30 min", subject=key.text, command=keep_command(key.arn, name, longer)
        ),
        Action(
            name=ActionName.HOLD,
            label="Hold until…",
            subject=key.text,
            command=hold_command(key.arn, held),
            warning="The pool is held, and billed, until the time you chose.",
            suggested=held,
        ),
    )
