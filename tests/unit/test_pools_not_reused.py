"""Why a job started cold: exactly what differed from the nearest pool, or what had become of it."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import CREATED, arn, at
from tests.unit.pools_around import ROLE, next_job, pool, resources, told, why
from trainops.domain.pool_misses import MissKind
from trainops.domain.training_jobs import JobKey, WarmPool
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import Plan, PoolState


def test_that_nothing_differs_waits_for_the_jobs_end_and_a_difference_does_not() -> None:
    assert why(next_job(), pool(), final=False) is None
    early = why(next_job(**resources(VolumeSizeInGB=200)), pool(), final=False)
    assert early is not None
    assert early.kind is MissKind.FIELDS


def test_a_job_that_took_a_pool_missed_none() -> None:
    other = pool("other", resources(VolumeSizeInGB=200))
    assert why(replace(next_job(), warm_pool=WarmPool("InUse")), other) is None
    taken = pool(state=PoolState.REUSED, reused_by="Second", released=at(40))
    assert why(next_job(), other, taken) is None
    assert why(next_job(), other) is not None


def test_a_job_before_the_pool_was_available_came_too_early_and_one_long_before_never_waited() -> None:
    miss = told(next_job(minute=29.8), pool())
    assert miss.kind is MissKind.EARLY
    assert miss.sentence == (
        "Cold start: the pool of first was not Available yet: its job ended 12 s after this one was created."
    )
    assert why(next_job(minute=20), pool()) is None
    younger = replace(pool(), key=JobKey.of(arn("first"), at(29.9)))
    assert why(next_job(minute=29.8), younger) is None, "its job came later, and nobody waited for it"


def test_a_pool_that_expired_says_how_long_before() -> None:
    expired = pool(state=PoolState.EXPIRED, released=at(60))
    miss = told(next_job(minute=63), expired)
    assert miss.kind is MissKind.EXPIRED
    assert miss.sentence == "Cold start: the pool of first had expired 3 min before, after 30 min idle."
    assert told(next_job(minute=63), replace(expired, released=at(59.8))).kind is MissKind.EXPIRED, "a little early"
    assert told(next_job(minute=63), pool()) == miss, "its time was over, whether or not the ledger has looked since"
    assert why(next_job(minute=122), expired) is None, "too long ago to be missed"


def test_a_pool_that_another_job_took_says_which_and_when() -> None:
    miss = told(next_job(), pool(state=PoolState.REUSED, reused_by="third", released=at(38)))
    assert (miss.kind, miss.pool) == (MissKind.TAKEN, "first")
    assert miss.sentence == "Cold start: the pool of first had been taken by third 2 min before."
    at_once = told(next_job(), pool(state=PoolState.REUSED, reused_by="third", released=at(40.5)))
    assert at_once.reason == "the pool of first had been taken by third at the same moment"
    later = told(next_job(), pool(state=PoolState.REUSED, reused_by="third", released=at(50)))
    assert later.kind is MissKind.NOTHING_DIFFERS, "it was still there"


def test_a_pool_that_trainops_ended_says_when_and_what_that_avoided() -> None:
    plan = Plan(
        due=at(35), mode=Mode.ENFORCE, policy="fixed", reason="idle limit 5 min", waiting_usd_per_hour=Decimal(60)
    )
    miss = told(next_job(), pool(state=PoolState.ENDED, released=at(35), plan=plan))
    assert miss.kind is MissKind.ENDED
    assert miss.sentence == (
        "Cold start: the pool of first had been ended by trainops at 09:35:00 UTC, 5 min before, avoiding $0.59 "
        "(idle limit 5 min)."
    )


def test_a_pool_that_went_before_its_time_is_neither_expired_nor_ours() -> None:
    patched = told(next_job(), pool(state=PoolState.EXPIRED, released=at(37)))
    assert patched.kind is MissKind.LET_GO
    assert patched.reason == (
        "the pool of first had been let go 3 min before, 23 min before its time was over; SageMaker does not say why: "
        "a patch update, or somebody ended it"
    )
    failed = told(next_job(), pool(state=PoolState.EXPIRED, released=at(30)))
    assert failed.reason.endswith("10 min before, together with its job, as after a failure that may have harmed it")


def test_a_pool_that_was_asked_for_and_never_kept_is_named_while_it_would_have_been_there() -> None:
    absent = pool(state=PoolState.ABSENT, confirmed=False)
    miss = told(next_job(), absent)
    assert miss.kind is MissKind.NEVER_KEPT
    assert miss.reason == "the pool of first was never seen although first asked for it, probably for want of quota"
    assert told(next_job(), pool(confirmed=False)) == miss, (
        "as long as SageMaker has not shown it, it is not called idle"
    )
    assert why(next_job(minute=70), absent) is None
    assert why(next_job(), replace(absent, confirmed=True)) is None, "it was there, and its job was deleted"


@pytest.mark.case("WP-07")
@pytest.mark.parametrize(
    ("request_", "kind", "reason"),
    [
        ({"EnableManagedSpotTraining": True}, MissKind.SPOT, "managed spot jobs take no warm pool"),
        (
            {
                "ResourceConfig": {
                    "InstanceGroups": [{"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "InstanceGroupName": "a"}],
                    "VolumeSizeInGB": 250,
                    "KeepAlivePeriodInSeconds": 1800,
                }
            },
            MissKind.GROUPS,
            "a cluster of several instance groups takes no warm pool",
        ),
        (
            {"TuningJobArn": arn("tuner")},
            MissKind.TUNING,
            "a tuning job made it, and warm pools do not apply to tuning jobs",
        ),
    ],
)
def test_a_job_that_takes_no_pool_at_all_is_told_so_when_one_would_have_fitted(
    request_: dict[str, Any], kind: MissKind, reason: str
) -> None:
    miss = told(next_job(**request_), pool())
    assert miss.kind is kind
    assert miss.reason == f"{reason}; nothing else kept it from the pool of first"
    assert why(next_job(**request_), pool(request={"RoleArn": f"{ROLE}other"})) is None
    assert why(next_job(**request_), pool(state=PoolState.EXPIRED, released=at(35))) is None


def test_the_nearest_pool_is_named_fewest_differences_first_then_idle_then_latest_end() -> None:
    far = pool("far", {**resources(VolumeSizeInGB=100), "RoleArn": f"{ROLE}other"})
    gone = pool("gone", resources(VolumeSizeInGB=200), state=PoolState.EXPIRED, released=at(35))
    near = pool("near", resources(VolumeSizeInGB=300))
    late = pool("late", resources(VolumeSizeInGB=400), ended=at(35))
    assert told(next_job(), far, gone).pool == "gone"
    assert told(next_job(), far, gone, near).pool == "near"
    assert told(next_job(), far, gone, late, near).pool == "late"


def test_what_is_no_candidate_is_not_blamed() -> None:
    job = next_job()
    assert why(job) is None
    assert why(job, replace(pool(), team="vision")) is None
    assert why(job, pool(state=PoolState.OUTSIDE)) is None
    assert why(job, pool(match={})) is None, "what it must match is not known"
    assert why(job, pool(request={**resources(InstanceType="ml.p4d.24xlarge", VolumeSizeInGB=1)})) is None
    assert why(job, replace(pool(), key=JobKey.of(arn("second"), at(40)))) is None, "its own pool"
    assert why(replace(job, described=False), pool()) is None
    assert why(next_job(minute=40), pool(ended=CREATED - timedelta(days=1))) is None


def test_a_job_right_after_anothers_end_is_told_that_a_pool_takes_moments() -> None:
    assert (
        "idle since 09:30:00 UTC, as of 09:45:00 UTC, only 6 s before this job was created"
        in told(next_job(minute=30.1), pool()).reason
    )
