"""Which pools a job may have taken, and whether it did."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import arn, at
from tests.unit.pools_around import next_job, pool, ran, resources
from trainops.domain.pools_taken import may_have_taken, started_warm, took
from trainops.domain.training_jobs import JobKey, TrainingJob, WarmPool
from trainops.domain.warm_pools import PoolRecord, PoolState

TAKEN = WarmPool("Reused", timedelta(minutes=10), "Second")


def names(job: TrainingJob, *pools: PoolRecord) -> list[str]:
    return [found.name for found in may_have_taken(job, pools)]


def test_pools_of_its_kind_that_are_believed_idle_since_before_it_came_are_asked_for_youngest_first() -> None:
    younger = replace(pool("younger"), ended=at(35))
    assert names(next_job(), pool(), younger) == ["younger", "first"]
    assert names(next_job(), pool(request=resources(VolumeSizeInGB=60))) == []
    assert names(next_job(), replace(pool(), ended=at(41))) == []
    assert names(next_job(), pool(state=PoolState.EXPIRED, released=at(39))) == []
    assert names(next_job(), replace(pool(), key=next_job().key)) == []


@pytest.mark.parametrize("barred", [{"spot": True}, {"tuning_job": "tuning"}, {"described": False}])
def test_a_job_that_takes_no_pool_or_is_not_known_has_none_to_ask_for(barred: dict[str, Any]) -> None:
    assert names(replace(next_job(), **barred), pool()) == []


def test_only_the_run_that_left_the_pool_says_who_took_it_whatever_the_case_of_its_name() -> None:
    left = ran("first")
    assert took(next_job(), pool(), replace(left, warm_pool=TAKEN))
    assert not took(next_job(), pool(), replace(left, warm_pool=replace(TAKEN, reused_by="third")))
    assert not took(next_job(), pool(), replace(left, warm_pool=WarmPool("Available")))
    assert not took(next_job(), pool(), None)
    again = replace(left, key=JobKey.of(arn("first"), at(35)), warm_pool=TAKEN)
    assert not took(next_job(), pool(), again)


def test_a_job_in_a_pool_or_named_by_one_started_warm() -> None:
    assert started_warm(replace(next_job(), warm_pool=WarmPool("InUse")), [])
    assert started_warm(next_job(), [pool(state=PoolState.REUSED, reused_by="Second", released=at(40))])
    assert not started_warm(next_job(), [pool(), pool(state=PoolState.REUSED, reused_by=None, released=at(40))])
