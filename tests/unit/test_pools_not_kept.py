"""Why an ended job that asked for a warm pool left none."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import arn, at, description, job, record
from trainops.domain.pool_misses import MissKind, PoolMiss
from trainops.domain.pools_not_kept import needed, why_not_kept
from trainops.domain.training_jobs import JobKey, TrainingJob, WarmPool, from_description
from trainops.domain.warm_pools import PoolRecord, PoolState, opened

TIMES = "\N{MULTIPLICATION SIGN}"
ASKED = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30, "KeepAlivePeriodInSeconds": 600}


def ended(status: str = "Completed", **request: Any) -> TrainingJob:
    return from_description(description(status=status, **{"ResourceConfig": ASKED, **request}), {})


def pool(name: str, **fields: Any) -> PoolRecord:
    left = opened(record(job(name, key=JobKey.of(arn(name), at(-60)), keep_alive=timedelta(hours=1))))
    return replace(left, **{"confirmed": True, **fields})


def told(a_job: TrainingJob, *pools: PoolRecord, quota: int | None = None) -> PoolMiss:
    miss = why_not_kept(a_job, pools, quota)
    assert miss is not None
    return miss


@pytest.mark.case("WP-01")
def test_a_job_that_asked_and_got_none_is_told_which_quota_is_short_its_value_and_the_needed_one() -> None:
    miss = told(ended(), quota=0)
    assert miss.kind is MissKind.QUOTA
    assert miss.sentence == (
        f"No warm pool: it asked for 1 {TIMES} ml.g5.xlarge for 10 min, and SageMaker shows none so far; the quota "
        '"ml.g5.xlarge for training warm pool usage" is short (value 0, needed 1).'
    )


@pytest.mark.case("WP-01")
def test_a_quota_that_is_not_known_is_never_taken_as_zero() -> None:
    assert told(ended()).reason.endswith(
        'most likely the quota "ml.g5.xlarge for training warm pool usage" is short (value not known here, default 0, '
        "needed 1)"
    )
    assert told(ended(), quota=1).reason.endswith("allows it (value 1, needed 1), so the reason is not known")


def test_the_idle_pools_of_its_type_count_towards_what_is_needed() -> None:
    two = replace(ended(), instance_count=2)
    others = [
        pool("idle", instance_count=3),
        pool("unseen", confirmed=False, instance_count=5),
        pool("over", state=PoolState.EXPIRED, instance_count=7),
        pool("other", instance_type="ml.p4d.24xlarge", instance_count=11),
        replace(pool("own", instance_count=13), key=two.key),
    ]
    assert needed(two, others) == 5
    assert needed(replace(two, instance_count=None), others) is None


@pytest.mark.parametrize(
    "shown",
    [
        WarmPool("Available"),
        WarmPool("Reused", timedelta(seconds=5), "next"),
        WarmPool("Terminated", timedelta(seconds=600)),
    ],
)
def test_a_pool_that_was_there_is_not_missed(shown: WarmPool) -> None:
    assert why_not_kept(replace(ended(), warm_pool=shown), [], 0) is None


def test_nothing_is_missed_that_was_not_asked_for_or_could_not_be() -> None:
    assert why_not_kept(replace(ended(), keep_alive=None), [], 0) is None
    assert why_not_kept(replace(ended(), keep_alive=timedelta(0)), [], 0) is None
    assert why_not_kept(replace(ended(), described=False), [], 0) is None
    assert why_not_kept(replace(ended("Stopped"), started=None), [], 0) is None, "it never had a cluster"
    assert why_not_kept(ended("InProgress"), [], 0) is None


def test_what_the_ledger_saw_later_wins_over_the_answer_at_the_end() -> None:
    own = replace(pool("own"), key=ended().key)
    assert why_not_kept(ended(), [own], 0) is None
    over = replace(own, confirmed=False, state=PoolState.EXPIRED)
    assert why_not_kept(ended(), [over], 0) is None
    absent = replace(own, confirmed=False, state=PoolState.ABSENT)
    assert "SageMaker never showed one; the quota" in told(ended(), absent, quota=0).reason


def test_a_cluster_that_went_with_a_failed_job_is_not_put_down_to_the_quota() -> None:
    miss = told(replace(ended("Failed"), warm_pool=WarmPool("Terminated", timedelta(0))), quota=0)
    assert miss.kind is MissKind.LET_GO
    assert miss.reason.endswith(
        "SageMaker kept none: it let the cluster go with the job, as after a failure that may have harmed it"
    )


@pytest.mark.case("WP-07")
def test_spot_and_instance_groups_are_named_as_what_excludes_a_pool() -> None:
    half = {**ASKED, "KeepAlivePeriodInSeconds": 1800}
    spot = told(ended(EnableManagedSpotTraining=True, ResourceConfig=half), quota=0)
    assert spot.kind is MissKind.SPOT
    assert spot.reason == (f"it asked for 1 {TIMES} ml.g5.xlarge for 30 min, but managed spot jobs leave no warm pool")
    groups = [{"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "InstanceGroupName": "a"}]
    mixed = told(ended(ResourceConfig={"InstanceGroups": groups, "KeepAlivePeriodInSeconds": 1800}))
    assert mixed.kind is MissKind.GROUPS
    assert mixed.reason.endswith("but a cluster of several instance groups leaves no warm pool")


def test_a_tuning_jobs_child_has_no_quota_to_raise() -> None:
    miss = told(ended(TuningJobArn=arn("tuner")), quota=0)
    assert miss.kind is MissKind.TUNING
    assert "warm pools do not apply to tuning jobs" in miss.reason
