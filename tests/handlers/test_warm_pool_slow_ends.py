"""Ends of pools that take their time, or are asked for in vain."""

from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.sagemaker.plans import Plan
from tests.handlers.pool_world import MINUTE, world
from trainops.domain.warm_pools import PoolState
from trainops.errors import TryLater


def test_an_end_that_is_throttled_again_and_again_is_no_refusal() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=13)
    left = [5]

    def throttled(operation: str) -> None:
        if operation == "UpdateTrainingJob" and left[0]:
            left[0] -= 1
            raise TryLater("UpdateTrainingJob: ThrottlingException")

    w.client.before = throttled
    w.pass_time(10, minutes=20)
    assert (left, w.pool().state, w.pool().refusal) == ([0], PoolState.ENDED, None)


def test_an_end_that_is_agreed_to_and_not_carried_out_is_asked_for_three_times_before_it_counts_as_refused() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=13)
    agreed: list[Any] = []
    w.client.update_training_job = lambda **request: agreed.append(request) or {}  # type: ignore[method-assign,func-returns-value]
    w.pass_time(10, minutes=20)
    assert w.pool().refusal is None, "not before the last request has had its time"
    w.pass_time(10, minutes=5)
    assert (len(agreed), w.pool().state) == (3, PoolState.KEPT)
    assert w.pool().refusal == "it agreed, was asked 3 times in 12 min 20 s, and it is still Available"


@pytest.mark.parametrize(("seconds", "requests"), [(15, 1), (60, 2), (500, 3)])
def test_an_end_that_sagemaker_takes_its_time_over_is_waited_for_and_no_refusal(seconds: float, requests: int) -> None:
    w = world()
    w.run(plan=Plan(pool_ends_after_seconds=seconds), keep_alive=3600)
    w.pass_time(10, minutes=23 + 14)
    pool = w.pool()
    assert (pool.state, pool.refusal, w.news()) == (PoolState.ENDED, None, ["Warm Pool Ended job-1"])
    assert w.client.count("UpdateTrainingJob") == requests
    assert pool.released == pool.ended + 10 * MINUTE + timedelta(seconds=seconds)


def test_a_sweep_leaves_an_end_that_was_asked_for_its_time() -> None:
    w = world()
    w.run(plan=Plan(pool_ends_after_seconds=500), keep_alive=3600)
    w.pass_time(10, minutes=26)
    assert (w.pool().state, w.client.count("UpdateTrainingJob")) == (PoolState.REQUESTED, 3)
    w.tick()
    w.pass_time(10, minutes=12)
    assert (w.pool().state, w.client.count("UpdateTrainingJob")) == (PoolState.ENDED, 3)


def test_an_end_under_way_that_refuses_another_request_is_no_refusal() -> None:
    w = world()
    w.run(plan=Plan(pool_ends_after_seconds=100), keep_alive=3600)
    w.pass_time(minutes=13)

    def under_way(operation: str) -> None:
        if operation == "UpdateTrainingJob" and w.client.count(operation) > 1:
            raise ClientError({"Error": {"Code": "ValidationException", "Message": "it is ending"}}, operation)

    w.client.before = under_way
    w.pass_time(10, minutes=20)
    assert (w.pool().state, w.pool().refusal, w.news()) == (PoolState.ENDED, None, ["Warm Pool Ended job-1"])


def test_a_pool_whose_end_was_throttled_and_then_refused_goes_by_itself_and_not_by_us() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=13)
    answers: list[Exception] = [
        TryLater("UpdateTrainingJob: ThrottlingException"),
        ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, "UpdateTrainingJob"),
    ]

    def refused(operation: str) -> None:
        if operation == "UpdateTrainingJob":
            raise answers.pop(0)

    w.client.before = refused
    w.pass_time(10, minutes=65)
    assert answers == []
    assert (w.pool().state, w.pool().refusal) == (PoolState.EXPIRED, "AccessDeniedException: no")
