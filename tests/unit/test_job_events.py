"""The event contract, version 1, against its published schema."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.builders import at, job, price, record
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.job_events import events_of, trigger_of
from trainops.domain.pool_misses import Difference, Missed, MissKind, PoolMiss
from trainops.domain.training_jobs import JobKey, TrainingJob, WarmPool

SCHEMA = json.loads(Path("docs/events/training-job.v1.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def detail(a_job: TrainingJob, key: str, **fields: Any) -> dict[str, Any]:
    said = Announcement(AnnouncementType(key.split("/", maxsplit=1)[0]), AnnouncementState.PENDING, at(30), "why")
    [event] = events_of(record(a_job, announcements={key: said}, **fields), at(31))
    assert event.detail_type == f"Training Job {said.type}"
    plain: dict[str, Any] = json.loads(json.dumps(event.detail))
    return plain


@pytest.mark.parametrize(
    ("a_job", "key"),
    [
        (job(), "Finished/Completed"),
        (job(status="Failed", failure_reason="CUDA out of memory"), "Finished/Failed"),
        (job(status="Stopped", secondary_status="MaxWaitTimeExceeded", spot=True), "Finished/Stopped"),
        (job(status="InProgress", interruptions=(at(5),)), "Interrupted/2026-03-02T09:05:00Z"),
        (TrainingJob(key=JobKey.of(job().key.arn, at(0)), status="InProgress"), "Started"),
        (job(warm_pool=WarmPool("Available"), keep_alive=timedelta(minutes=5), match_fingerprint="0" * 16), "Started"),
    ],
)
def test_every_event_fits_the_schema(a_job: TrainingJob, key: str) -> None:
    VALIDATOR.validate(detail(a_job, key, price=price()))


def test_the_schema_itself_is_one_and_refuses_what_is_not_version_1() -> None:
    VALIDATOR.check_schema(SCHEMA)
    assert not VALIDATOR.is_valid({**detail(job(), "Finished/Completed"), "version": 2})
    assert not VALIDATOR.is_valid({**detail(job(), "Finished/Completed"), "owner": {"name": "a@b", "source": "x"}})


def test_an_event_says_what_is_known_of_pools_and_its_announcement_may_tell() -> None:
    fields = PoolMiss(
        missed=Missed.REUSE,
        kind=MissKind.FIELDS,
        reason="the pool of first does not match: RoleArn: a \N{RIGHTWARDS ARROW} b",
        pool="first",
        differences=(Difference("RoleArn", "a", "b"),),
        told_in=AnnouncementType.STARTED,
    )
    quota = PoolMiss(missed=Missed.POOL, kind=MissKind.QUOTA, reason="short", told_in=AnnouncementType.FINISHED)
    silent = PoolMiss(missed=Missed.POOL, kind=MissKind.TUNING, reason="in ledger and log only")
    started = detail(job(status="InProgress"), "Started", pool_misses=(fields, quota, silent))
    finished = detail(job(), "Finished/Completed", pool_misses=(fields, quota, silent))
    for event in (started, finished):
        VALIDATOR.validate(event)
    assert started["warm_pool_misses"] == [
        {
            "missed": "reuse",
            "kind": "fields-differ",
            "pool": "first",
            "differences": [{"field": "RoleArn", "old": "a", "new": "b"}],
            "reason": fields.reason,
        }
    ]
    assert [miss["kind"] for miss in finished["warm_pool_misses"]] == ["fields-differ", "quota"]
    interrupted = job(status="InProgress", interruptions=(at(5),))
    assert detail(interrupted, "Interrupted/2026-03-02T09:05:00Z", pool_misses=(fields,))["warm_pool_misses"] == []


def test_spot_numbers_and_money_are_exact() -> None:
    spot = job(spot=True, training_time=timedelta(seconds=500), billable_time=timedelta(seconds=100), instance_count=2)
    found = detail(spot, "Finished/Completed", price=price("1.408"))
    assert found["spot"] == {
        "managed": True,
        "training_seconds": 500,
        "billable_seconds": 100,
        "savings_percent": 80.0,
        "interruptions": 0,
    }
    assert found["money"]["price_per_instance_hour"] == "1.408"
    assert found["money"]["estimated_cost"] == "0.0782"


def test_unknown_is_null_never_zero() -> None:
    bare = detail(TrainingJob(key=job().key, status="Failed"), "Finished/Failed")
    assert bare["money"]["estimated_cost"] is None
    assert bare["spot"]["billable_seconds"] is None
    assert bare["known_from"] == "event"


def test_a_failure_text_with_a_secret_stays_out() -> None:
    leaky = job(status="Failed", failure_reason="AlgorithmError: token=hunter2, exit code: 1")
    assert "hunter2" not in json.dumps(detail(leaky, "Finished/Failed"))


def test_an_event_leads_back_to_its_item() -> None:
    found = trigger_of({"time": "2026-03-02T09:31:00Z", "detail": detail(job(), "Finished/Completed")})
    assert (found.key, found.announcement, found.at) == (job().key, "Finished/Completed", at(31))
