"""The simulator's clock scales, steps and never goes back."""

from datetime import datetime, timedelta

import pytest

from local.sagemaker.clock import Clock
from tests.local.simulator.bench import START


class Machine:
    """A machine clock that the test sets."""

    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        return self.moment


def test_a_scaled_clock_runs_faster() -> None:
    machine = Machine()
    clock = Clock(rate=60, real=machine)
    machine.moment += timedelta(seconds=10)
    assert clock.now() == START + timedelta(minutes=10)


def test_a_new_rate_leaves_the_past_as_it_was() -> None:
    machine = Machine()
    clock = Clock(rate=60, real=machine)
    machine.moment += timedelta(seconds=10)
    clock.set_rate(1)
    machine.moment += timedelta(seconds=10)
    assert clock.now() == START + timedelta(minutes=10, seconds=10)


def test_a_stepped_clock_moves_only_when_advanced() -> None:
    clock = Clock.stepped(START)
    clock.advance(timedelta(hours=1))
    assert clock.now() == START + timedelta(hours=1)


def test_time_cannot_go_back() -> None:
    with pytest.raises(ValueError, match="cannot go back"):
        Clock.stepped(START).advance(timedelta(seconds=-1))
    with pytest.raises(ValueError, match="0 or more"):
        Clock(rate=-1)
