"""How a job ended, in words: the headline, how serious it is, what happened and what to do next.

Used by `job_cards` for Finished. A job that ran into a limit has the primary status Stopped and not Failed, so the
secondary status decides (SecondaryStatus, API model): stopped on request is neutral, out of runtime a warning, and out
of waiting time bad, because the work was not done.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from trainops.domain.cards import Tone
from trainops.domain.failures import classify, shown_reason
from trainops.domain.job_facts import never_started
from trainops.domain.job_records import JobRecord
from trainops.domain.reconciliation import DEADLINE_GRACE
from trainops.domain.spot_savings import estimated_cost, wasted_time
from trainops.domain.training_jobs import TrainingJob
from trainops.domain.wording import counted, duration_text, money_text, ordinal, time_text

STOP_GRACE = "After the limit come up to 2 min to stop and the upload of the output"
"""SageMaker sends SIGTERM and waits 120 seconds (StoppingCondition, API model)."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`words` follow the job's name in the headline."""

    words: str
    tone: Tone
    summary: str
    cause: str | None = None
    lines: Sequence[str] = ()


def ending_of(record: JobRecord, now: datetime, zone: tzinfo) -> Statement:
    """The words for a job that has ended; a status nobody knows yet is shown as it is. Days count from `now`."""
    job = record.job
    if job.status == "Completed":
        return _completed(record)
    if job.status == "Failed":
        return _failed(record, now, zone)
    if job.status != "Stopped":
        return Statement(f"ended: {job.status}", Tone.NEUTRAL, "SageMaker reports a status that is not known here.")
    if job.secondary_status == "MaxRuntimeExceeded":
        return _out_of_runtime(job)
    if job.secondary_status == "MaxWaitTimeExceeded":
        return _out_of_waiting_time(job)
    return _stopped(job)


def _completed(record: JobRecord) -> Statement:
    cost = estimated_cost(record.job, record.price)
    money = "cost unknown" if cost is None else f"about {money_text(cost)}"
    summary = f"Done in {duration_text(record.job.duration)}, {money}."
    return Statement("completed", Tone.GOOD, summary, lines=_after_interruptions(record.job))


def _failed(record: JobRecord, now: datetime, zone: tzinfo) -> Statement:
    job = record.job
    failure = classify(job.failure_reason, job.secondary_status)
    return Statement(
        f"failed: {failure.headline}",
        Tone.BAD,
        failure.explanation,
        shown_reason(job.failure_reason),
        (f"Next: {failure.next_step[:1].lower()}{failure.next_step[1:]}", *_again(record, now, zone)),
    )


def _again(record: JobRecord, now: datetime, zone: tzinfo) -> Iterator[str]:
    """That the run before failed alike, so that nobody looks for the cause anew."""
    if same := record.same_failure:
        row = f", the {ordinal(same.times)} time in a row" if same.times > 2 else ""
        yield f"The same failure as of {same.name} ({time_text(same.ended, now, zone)}){row}."


def _stopped(job: TrainingJob) -> Statement:
    if never_started(job):
        return Statement(
            "stopped before it started", Tone.NEUTRAL, "It was stopped on request and never started training."
        )
    return Statement("stopped", Tone.NEUTRAL, f"It was stopped on request after {duration_text(job.duration)}.")


def _out_of_runtime(job: TrainingJob) -> Statement:
    limit, ran = job.max_runtime, job.training_time
    summary = f"It reached its runtime limit of {duration_text(limit)} and was stopped."
    lines = [_resume(job)]
    if limit and ran and ran > limit:
        over = ran - limit
        explained = f"It trained {duration_text(ran)}, {duration_text(over)} over the limit. {STOP_GRACE}"
        lines.append(f"{explained}." if over <= DEADLINE_GRACE else f"{explained}; that explains only a part of it.")
    lines.append("Next: raise MaxRuntimeInSeconds, or let the next run go on from a checkpoint.")
    return Statement("stopped: hit max runtime", Tone.WARNING, summary, lines=lines)


def _out_of_waiting_time(job: TrainingJob) -> Statement:
    limit = duration_text(job.max_wait)
    lines = []
    if never_started(job):
        summary = f"No spot capacity came within the wait limit of {limit}; the job never started."
    else:
        count = counted(len(job.interruptions), "interruption")
        summary = f"Waiting and training took longer than the wait limit of {limit}, with {count}."
        lines.append(_resume(job))
        if lost := _lost(job):
            lines.append(lost)
    lines.append("Next: allow a longer wait, try another instance type, or run on demand.")
    return Statement("stopped: waited too long for spot capacity", Tone.BAD, summary, lines=lines)


def _resume(job: TrainingJob) -> str:
    """What is left to go on from. Whether files are there is not looked up; only what the job was set up to save."""
    if job.checkpoint_uri:
        return f"Resume from {job.checkpoint_uri}, if it wrote checkpoints there."
    if not job.described:
        return "Whether it saved checkpoints is unknown."
    if job.output_uri:
        return "No checkpoint location was set; what it saved is in its output."
    return "Nothing was saved: no checkpoint location and no output."


def _after_interruptions(job: TrainingJob) -> Sequence[str]:
    """Whether an interrupted job could go on, or began anew each time and did again what it had trained."""
    if not job.interruptions or not (job.described or job.checkpoint_uri):
        return ()
    times = "once" if len(job.interruptions) == 1 else f"{len(job.interruptions)} times"
    if job.checkpoint_uri:
        return (f"Interrupted {times}; it could resume from {job.checkpoint_uri}.",)
    again = job.phases.cut_short if job.phases else None
    done = f": {duration_text(again)} of training was done again" if again else ""
    return (f"Interrupted {times} and restarted from scratch, since no checkpoint location was set{done}.",)


def _lost(job: TrainingJob) -> str | None:
    """The billed time that brought nothing: said apart from savings, and only when nothing can have been saved."""
    wasted, count = wasted_time(job), job.instances
    if not wasted:
        return None
    several = f" on {counted(count, 'instance')}" if count and count > 1 else ""
    return f"{duration_text(wasted)} of billed time{several} is lost."
