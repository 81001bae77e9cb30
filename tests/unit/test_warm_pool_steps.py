"""Which step follows from a pool's plan, its state and the time."""

from dataclasses import replace
from typing import Any

import pytest

from tests.builders import at
from tests.unit.test_warm_pool_plans import MINUTE, planned, pool
from trainops.domain.warm_pool_holds import HOLD_TAG
from trainops.domain.warm_pool_steps import StepKind, next_step
from trainops.domain.warm_pools import Plan, PoolState


def step(plan: Plan, minute: float, *, grace: int = 2, **fields: Any) -> tuple[StepKind, float]:
    """The next step, and when to look again in minutes after creation."""
    found = next_step(pool(**fields), plan, grace * MINUTE, at(minute))
    return found.kind, (found.at - at(0)) / MINUTE


DUE_40 = planned()


@pytest.mark.parametrize(
    ("minute", "fields", "expected"),
    [
        (30, {}, (StepKind.WAIT, 38)),
        (37.9, {}, (StepKind.WAIT, 38)),
        (38, {}, (StepKind.WARN, 40)),
        (45, {}, (StepKind.WARN, 47)),
        (39, {"state": PoolState.WARNED, "look_at": at(40)}, (StepKind.WAIT, 40)),
        (40, {"state": PoolState.WARNED, "look_at": at(40)}, (StepKind.END, 91)),
        (89.5, {}, (StepKind.WAIT, 91)),
        (91, {}, (StepKind.SETTLE, 106)),
        (41, {"state": PoolState.REQUESTED}, (StepKind.SETTLE, 56)),
        (45, {"refusal": "no"}, (StepKind.WAIT, 91)),
    ],
)
def test_the_step_follows_from_plan_state_and_time(minute: float, fields: Any, expected: Any) -> None:
    assert step(DUE_40, minute, **fields) == expected


@pytest.mark.parametrize(("minute", "expected"), [(84, (StepKind.WAIT, 85)), (85, (StepKind.READ, 91))])
def test_a_pool_that_is_left_to_expire_is_read_once_more_before(minute: float, expected: Any) -> None:
    assert step(replace(DUE_40, due=at(90)), minute) == expected


def test_without_grace_nobody_is_told_before() -> None:
    assert step(DUE_40, 40, grace=0)[0] is StepKind.END


def test_a_warned_pool_that_may_stay_longer_after_all_is_kept() -> None:
    later = replace(DUE_40, due=at(60))
    assert step(later, 40, state=PoolState.WARNED, look_at=at(40)) == (StepKind.WAIT, 58)


def test_a_hold_beyond_the_period_is_extended_shortly_before_it_is_over() -> None:
    held = planned(pool(tags={HOLD_TAG: "2026-03-02T12:00Z"}))
    assert step(held, 50) == (StepKind.WAIT, 85)
    assert step(held, 85) == (StepKind.EXTEND, 91)
