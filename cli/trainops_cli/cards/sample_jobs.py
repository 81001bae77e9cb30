"""The cards about one job's run: started, interrupted, completed, failed in each way, stopped in each way."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Any

from trainops.domain.announcements import AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.job_records import JobRecord
from trainops.domain.pool_misses import PoolMiss
from trainops.domain.pools_not_kept import why_not_kept
from trainops.domain.pools_not_reused import why_not_reused
from trainops.domain.warm_pools import PoolState, opened
from trainops_cli.cards.sample_failures import REASONS
from trainops_cli.cards.sample_runs import BUCKET, Answer, ended, record_of, running, told

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LIMITS = {"StoppingCondition": {"MaxRuntimeInSeconds": 43200, "MaxWaitTimeInSeconds": 64800}}
SPOT: dict[str, Any] = {"EnableManagedSpotTraining": True, **LIMITS}


def job_cards(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """All of them."""
    yield from _started(now, zone)
    yield from _interrupted(now, zone)
    yield from _completed(now, zone)
    yield from _failed(now, zone)
    yield from _stopped(now, zone)


def _started(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """Without anything to warn of, then one for each warning, then a cold start that a pool could have spared."""
    groups = [{"InstanceGroupName": name, "InstanceType": kind, "InstanceCount": count}
              for name, kind, count in (("train", "ml.g5.12xlarge", 1), ("load", "ml.m5.4xlarge", 2))]  # fmt: skip
    for name, fields in (
        ("detector-41", {}),
        ("detector-spot-1", SPOT),
        ("detector-spot-2", {**SPOT, **_checkpoints("run1")}),
        ("detector-spot-3", {**SPOT, **_checkpoints("detector-spot-3/"), **_machines(1, keep_alive=HOUR)}),
        ("detector-mixed-1", {"ResourceConfig": {"InstanceGroups": groups, "KeepAlivePeriodInSeconds": 1800}}),
    ):
        answer = running(name, now, since=timedelta(0), SecondaryStatus="Starting", **fields)
        yield told(record_of(answer, now), now, zone)
    yield told(_cold(now), now, zone)


def _cold(now: datetime) -> JobRecord:
    """A job that asks for a larger volume than the job that left an idle pool."""
    before = ended("detector-41", now - 10 * MINUTE, took=HOUR, **_machines(1, keep_alive=HOUR))
    pool = replace(opened(record_of(before, now)), state=PoolState.KEPT, confirmed=True)
    larger = _machines(1, keep_alive=HOUR, volume=200)
    answer = running("detector-42", now, since=timedelta(0), SecondaryStatus="Starting", **larger)
    record = record_of(answer, now)
    miss = why_not_reused(record.job, record.team, [pool], now, final=False)
    return _missing(record, miss, AnnouncementType.STARTED)


def _missing(record: JobRecord, miss: PoolMiss | None, told_in: AnnouncementType) -> JobRecord:
    """The item with the answer why there was no pool for it, as `job_intake` writes it."""
    return replace(record, pool_misses=(replace(miss, told_in=told_in),)) if miss else record


def _interrupted(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """Once with checkpoints, and for the third time without."""
    for name, count, fields in (("detector-spot-3", 1, _checkpoints("detector-spot-3/")), ("detector-spot-1", 3, {})):
        answer = running(name, now, since=5 * HOUR, SecondaryStatus="Interrupted", **SPOT, **fields,
                         SecondaryStatusTransitions=_interruptions(now, count))  # fmt: skip
        yield told(record_of(answer, now), now, zone, AnnouncementType.INTERRUPTED)


def _completed(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """On demand with a pool that stays; on spot; on several instances of unknown price; a pool that was not kept; a job
    that was deleted before SageMaker could be asked.
    """
    pool = {"WarmPoolStatus": {"Status": "Available"}, **_machines(1, keep_alive=HOUR)}
    spot = {**SPOT, **_checkpoints("detector-spot-3/"), "TrainingTimeInSeconds": 24480, "BillableTimeInSeconds": 7956}
    several = {"ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 4, "VolumeSizeInGB": 500}}
    for name, took, fields in (
        ("detector-41", 55 * MINUTE, pool),
        ("detector-spot-3", 8 * HOUR, {**spot, "SecondaryStatusTransitions": _interruptions(now, 2)}),
        ("detector-large-2", 11 * HOUR, several),
    ):
        yield told(record_of(ended(name, now, took=took, **fields), now), now, zone)
    unkept = record_of(ended("detector-42", now, took=70 * MINUTE, **_machines(2, keep_alive=HOUR)), now)
    yield told(_missing(unkept, why_not_kept(unkept.job, (), 1), AnnouncementType.FINISHED), now, zone)
    yield told(record_of(ended("detector-43", now, took=2 * HOUR), now, tags={}, gone=True), now, zone)


def _failed(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """One for each class of failure."""
    for number, (name, reason) in enumerate(REASONS.items(), start=44):
        never = name.value in {"quota", "no_capacity", "image_pull"}
        fields: Answer = {} if reason is None else {"FailureReason": reason}
        answer = ended(f"detector-{number}", now, took=25 * MINUTE, status="Failed", **fields)
        yield told(record_of(_without_training(answer) if never else answer, now), now, zone)


def _stopped(now: datetime, zone: tzinfo) -> Iterator[Card]:
    """On request, before it started and later; at the runtime limit; at the wait limit, with and without a start."""
    limit = {"SecondaryStatus": "MaxRuntimeExceeded", "StoppingCondition": {"MaxRuntimeInSeconds": 7200}}
    waited = {**SPOT, "SecondaryStatus": "MaxWaitTimeExceeded"}
    tried = {**waited, "SecondaryStatusTransitions": _interruptions(now, 4), "TrainingTimeInSeconds": 22800,
             "BillableTimeInSeconds": 7380}  # fmt: skip
    for name, took, fields, started in (
        ("detector-60", 3 * HOUR, {}, True),
        ("detector-61", 4 * MINUTE, {}, False),
        ("detector-62", 127 * MINUTE, limit, True),
        ("detector-spot-4", 18 * HOUR, waited, False),
        ("detector-spot-5", 18 * HOUR, tried, True),
    ):
        answer = ended(name, now, took=took, status="Stopped", **fields)
        yield told(record_of(answer if started else _without_training(answer), now), now, zone)


def _machines(count: int, *, keep_alive: timedelta, volume: int = 100) -> Answer:
    period = round(keep_alive.total_seconds())
    shape = {"InstanceType": "ml.g5.2xlarge", "InstanceCount": count, "VolumeSizeInGB": volume}
    return {"ResourceConfig": {**shape, "KeepAlivePeriodInSeconds": period}}


def _checkpoints(place: str) -> Answer:
    return {"CheckpointConfig": {"S3Uri": f"{BUCKET}/checkpoints/{place}"}}


def _interruptions(now: datetime, count: int) -> list[Answer]:
    """So many, an hour apart, the last one now."""
    return [{"Status": "Interrupted", "StartTime": now - place * HOUR} for place in range(count - 1, -1, -1)]


def _without_training(answer: Answer) -> Answer:
    """A job that never got to train."""
    fields = ("TrainingStartTime", "TrainingTimeInSeconds", "BillableTimeInSeconds")
    return {name: value for name, value in answer.items() if name not in fields}
