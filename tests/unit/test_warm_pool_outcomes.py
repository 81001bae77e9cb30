"""What a pool has become, read from SageMaker's answer."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from tests.builders import at, job
from tests.unit.test_warm_pool_plans import HOUR, pool
from trainops.domain.training_jobs import WarmPool
from trainops.domain.warm_pool_figures import avoided
from trainops.domain.warm_pool_outcomes import seen
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
