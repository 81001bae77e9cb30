"""An account with 500 pools and a long past: what a sweep takes of the control plane, and what is left to others."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from local.limits import SAGEMAKER, Limits
from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.builders import price
from tests.handlers.pool_world import PoolWorld
from tests.local.simulator.bench import START, create_request, pool_request
from tests.pool_fakes import FakeSettings, settings
from trainops.adapters.pace import Pace
from trainops.adapters.warm_pools import SageMakerWarmPools
from trainops.domain.job_records import JobRecord
from trainops.domain.owners import Owner
from trainops.domain.training_jobs import from_description
from trainops.domain.warm_pools import opened

POOLS, PAST = 500, 100_000
LISTS_PER_SECOND = 0.5


@dataclass
class Seconds:
    """A clock that only waiting moves."""

    now: float = 0.0


def account(past: int) -> PoolWorld:
    """500 pools whose jobs ended within the last half hour, known to the ledger; so many jobs in the month before."""
    w = PoolWorld(FakeSettings(settings(idle_limit=timedelta(minutes=45))), price=price())
    w.bench.simulator.emit, w.bench.simulator.switches = False, Switches(transitions_emit="primary")
    now = START + timedelta(days=31)
    w.bench.clock.advance(now - START)
    for number in range(past):
        started(w, create_request(f"past-{number}"), now - timedelta(hours=8, seconds=number * 25))
    for number in range(POOLS):
        started(w, pool_request(f"pool-{number}", keep_alive=3600), now - timedelta(minutes=15, seconds=2 * number))
    for number in range(POOLS):
        job = from_description(w.bench.describe(f"pool-{number}"), {})
        pool = opened(JobRecord(job=job, team="default", owner=Owner(None, "no owner tag"), price=price()))
        w.pools.items[job.key] = replace(pool, look_at=now + timedelta(minutes=10), version=1)
    return w


def started(w: PoolWorld, request: dict[str, Any], at: datetime) -> None:
    """Start a job in the past; it lives through it as soon as the simulator looks at the time."""
    w.bench.simulator.plans[request["TrainingJobName"]] = Plan(starting_seconds=20, training_seconds=60)
    w.bench.simulator.start(w.bench.caller.scope, request, at)


def test_a_sweep_takes_a_list_call_for_a_hundred_pools_and_one_more_and_no_describe() -> None:
    world = account(PAST)
    outcome = world.sweep({"time": world.now.isoformat()}, lambda: True)
    assert outcome.reason.startswith(f"{POOLS} pools are available, 0 to be looked at, 0 have gone")
    assert world.client.count("ListTrainingJobs") <= POOLS / 100 + 1
    assert {name for name, _ in world.client.asked} == {"ListTrainingJobs"}


def test_nobody_else_is_throttled_while_a_sweep_lists() -> None:
    """Others list all the time, up to what a sweep leaves to them of the account's two calls a second."""
    world = account(past=0)
    seconds = Seconds()
    limits = Limits(lambda: seconds.now, on=True)
    scope = world.bench.caller.scope
    people: list[float] = []

    def others(until: float) -> None:
        while seconds.now < until:
            seconds.now += 1 / 1.5
            limits.admit(SAGEMAKER, scope, "ListTrainingJobs")
            people.append(seconds.now)

    def before(operation: str) -> None:
        limits.admit(SAGEMAKER, scope, operation)

    world.client.before = before
    pace = Pace(timedelta(seconds=1 / LISTS_PER_SECOND), lambda: seconds.now, lambda wait: others(seconds.now + wait))
    sweep = replace(world.sweep, warm_pools=SageMakerWarmPools(world.client, pace))
    sweep({"time": world.now.isoformat()}, lambda: True)
    counted = {item["operation"]: item for item in limits.listed()["operations"]}
    assert len(people) > 10
    assert counted["ListTrainingJobs"]["throttled"] == 0
