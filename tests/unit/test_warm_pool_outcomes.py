"""What a pool has become, read from SageMaker's answer."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from tests.builders import at, job
from tests.unit.test_warm_pool_plans import HOUR, MINUTE, planned, pool
from trainops.domain.training_jobs import WarmPool
from trainops.domain.warm_pool_figures import avoided, would_have_avoided
from trainops.domain.warm_pool_outcomes import seen
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolState


def test_an_end_that_takes_a_moment_still_counts_against_what_was_asked_for() -> None:
    requested = replace(pool(), state=PoolState.REQUESTED, requested_at=at(45))
    ending = seen(requested, job(keep_alive=timedelta(0), warm_pool=WarmPool("Available")), at(45))
    assert (ending.open, ending.asked) == (True, HOUR)
    over = job(keep_alive=timedelta(0), warm_pool=WarmPool("Terminated", timedelta(minutes=15)))
    ended = seen(ending, over, at(46))
    saved = avoided(ended)
    assert saved is not None
    assert (ended.state, saved.hours) == (PoolState.ENDED, Decimal("0.75"))


def test_a_period_that_a_person_changes_is_what_was_asked_for() -> None:
    changed = seen(pool(), job(keep_alive=2 * HOUR, warm_pool=WarmPool("Available")), at(45))
    assert (changed.asked, changed.keep_alive) == (2 * HOUR, 2 * HOUR)


@pytest.mark.parametrize(
    ("mode", "idle", "would_end"),
    [(Mode.OBSERVE, 15, at(40)), (Mode.OBSERVE, 9, None), (Mode.OBSERVE, 10, None), (Mode.ENFORCE, 15, None)],
)
def test_an_observed_pool_of_which_news_came_late_would_have_been_ended_at_its_time(
    mode: Mode, idle: int, would_end: datetime | None
) -> None:
    left = replace(pool(), plan=planned(mode=mode, policy="fixed", idle_limit=10 * MINUTE))
    over = seen(left, job(warm_pool=WarmPool("Reused", idle * MINUTE, "job-2")), at(60))
    assert (over.state, over.would_end) == (PoolState.REUSED, would_end)
    saved = would_have_avoided(over)
    assert (saved and saved.hours) == (Decimal(5) / 60 if would_end else Decimal(0) if mode is Mode.OBSERVE else None)
