"""Two hundred random days in each position of the simulator's switches: no pool is ended while a job has it."""

from datetime import timedelta

import pytest

from local.sagemaker.switches import OTHER_POSITIONS, Switches
from tests.handlers.pool_days import Day
from trainops.domain.warm_pools import PoolState

POSITIONS = {"default": Switches(), "turned": Switches(**OTHER_POSITIONS)}
LONG = timedelta(minutes=20)
"""Longer than a sweep's interval and what is left to events."""
EXPECTED = {"Terminated": {PoolState.ENDED, PoolState.EXPIRED}, "Reused": {PoolState.REUSED}}


@pytest.mark.parametrize("position", sorted(POSITIONS))
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_over_random_days_no_pool_is_ended_while_a_job_has_it_and_every_pools_end_is_known(
    first: int, position: str
) -> None:
    ended = reused = 0
    for seed in range(first, first + 20):
        day = Day(seed, POSITIONS[position])
        day.live()
        assert [update for update in day.updates if update[1] == "InProgress" or update[2] == "InUse"] == [], seed
        states = known(day)
        assert states == [], seed
        everything = [pool.state for pool in day.world.pools.items.values()]
        ended, reused = ended + everything.count(PoolState.ENDED), reused + everything.count(PoolState.REUSED)
    assert ended > 20, "a day on which nothing is ended proves nothing"
    assert reused > 5, "nor one on which nothing is taken"


def known(day: Day) -> list[str]:
    """Pools of which the ledger does not know the end that SageMaker shows."""
    w = day.world
    wrong = []
    for job in w.bench.simulator.jobs(w.bench.caller.scope):
        if job.retained is None or job.retained.status not in EXPECTED:
            continue
        pool = w.pools.items.get(w.key(job.name))
        # A pool that no event told of and that was gone before any sweep is nobody's to know.
        if pool is None and not (job.retained.released_at and job.retained.released_at - job.retained.since > LONG):
            continue
        if pool is None or pool.state not in EXPECTED[job.retained.status]:
            wrong.append(f"{job.name}: {job.retained.status} at SageMaker, {pool.state if pool else 'unknown'} here")
    return wrong
