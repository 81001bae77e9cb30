"""Control killed between any two steps of ending a pool: nothing is lost, and nothing is done twice that matters."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.builders import price
from tests.fakes import Crash, Fuse
from tests.handlers.pool_world import PoolWorld
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pools import PoolState
from trainops.errors import TryLater


def fused(target: Any, name: str, fuse: Fuse) -> None:
    """Let the fuse burn before and after a method of one object."""
    act: Callable[..., Any] = getattr(target, name)

    def burning(*args: Any, **kwargs: Any) -> Any:
        fuse.burn(name if name != "_call" else args[0])
        result = act(*args, **kwargs)
        fuse.burnt()
        return result

    setattr(target, name, burning)


def at_its_end(fuse: Fuse) -> tuple[PoolWorld, Mapping[str, Any]]:
    """A pool that is due, and the message that says so; from here on the fuse is lit."""
    w = PoolWorld(FakeSettings(settings()), price=price())
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=22)
    w.bench.pass_time(60)
    [message] = w.queue.due()
    for target, name in ((w.pools, "put_pool"), (w.client, "_call"), (w.bus, "publish"), (w.queue, "send")):
        fused(target, name, fuse)
    return w, message


STEPS = ["DescribeTrainingJob", "ListTags", "put_pool", "UpdateTrainingJob", "DescribeTrainingJob"]
STEPS += ["put_pool", "publish", "put_pool"]


def test_the_crash_points_cover_every_step_that_reaches_outside() -> None:
    fuse = Fuse()
    w, message = at_its_end(fuse)
    w.control(message)
    assert fuse.calls == STEPS


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_control_killed_at_any_step_ends_the_pool_and_tells_it(number: int, side: str) -> None:
    fuse = Fuse(before=number) if side == "before" else Fuse(after=number)
    w, message = at_its_end(fuse)
    with pytest.raises(Crash):
        w.control(message)
    for _ in range(2):
        w.control(message)
    w.pass_time(10, minutes=30)
    pool = w.pool()
    assert (pool.state, w.status()) == (PoolState.ENDED, "Terminated")
    assert set(w.news()) == {"Warm Pool Ended job-1"}
    assert len(w.news()) <= 2
    assert not pool.pending


def test_of_two_controls_at_once_one_is_told_to_come_back_and_the_pool_is_ended_once() -> None:
    w, message = at_its_end(Fuse())
    inner = w.client.before

    def meanwhile(operation: str) -> None:
        if operation == "ListTags":
            w.client.before = inner
            w.control(message)

    w.client.before = meanwhile
    with pytest.raises(TryLater, match="written by another"):
        w.control(message)
    w.control(message)
    assert w.client.count("UpdateTrainingJob") == 1
    assert w.news() == ["Warm Pool Ended job-1"]
