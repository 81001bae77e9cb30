"""Faults of delivery are repeatable, bounded, and leave the genuine history alone."""

from datetime import timedelta
from typing import Any

import pytest

from local.event_faults import EventFaults, Faults
from local.sagemaker.api import Api
from local.sagemaker.clock import Clock
from local.sagemaker.simulator import Scope, Simulator
from tests.local.simulator.bench import START, Everyone, create_request

HOME = Scope("123456789012", "eu-central-1")


class Line:
    """Events on a stepped clock, numbered, through faults."""

    def __init__(self, **faults: Any) -> None:
        self.clock = Clock.stepped(START)
        self.arrived: list[int] = []
        self.faults = EventFaults(self.clock, lambda _scope, entry: self.arrived.append(entry["Detail"]))
        self.faults.set(Faults.from_json(faults))

    def send(self, count: int, *, apart: float = 0.0) -> list[int]:
        for number in range(count):
            moment = START + timedelta(seconds=number * apart)
            self.faults(HOME, {"Detail": number, "Time": moment.timestamp()})
        return self.arrived

    def pass_time(self, seconds: float) -> list[int]:
        self.clock.advance(timedelta(seconds=seconds))
        self.faults.flush()
        return self.arrived


def test_without_faults_every_event_arrives_at_once_and_in_order() -> None:
    assert Line().send(50) == list(range(50))


def test_the_same_seed_gives_the_same_fate_and_another_seed_another() -> None:
    fates = []
    for seed in (7, 7, 8):
        line = Line(seed=seed, loss=0.3, duplicates=0.3, shuffle_window=20)
        line.send(100, apart=1)
        fates.append(line.pass_time(1000))
    assert fates[0] == fates[1] != fates[2]


@pytest.mark.parametrize(("loss", "arrived"), [(0.0, 100), (1.0, 0)])
def test_certain_loss_loses_everything_and_none_nothing(loss: float, arrived: int) -> None:
    assert len(Line(loss=loss).send(100)) == arrived


def test_duplicates_add_copies_and_lose_nothing() -> None:
    assert Line(duplicates=1).send(3) == [0, 0, 1, 1, 2, 2]
    some = Line(duplicates=0.5).send(100)
    assert set(some) == set(range(100))
    assert 120 < len(some) < 180


@pytest.mark.parametrize(("waited", "arrived"), [(4.9, []), (5.0, [0])])
def test_a_delayed_event_arrives_when_its_delay_is_over_and_not_before(waited: float, arrived: list[int]) -> None:
    line = Line(delay_seconds=5)
    line.send(1)
    assert line.pass_time(waited) == arrived


def test_events_closer_than_the_window_change_places_and_others_do_not() -> None:
    near, far = Line(shuffle_window=10), Line(shuffle_window=10)
    near.send(30, apart=1)
    far.send(30, apart=10)
    assert sorted(near.pass_time(1000)) == list(range(30)) != near.arrived
    assert far.pass_time(1000) == list(range(30))


def test_an_event_does_not_overtake_those_that_wait_when_faults_end() -> None:
    line = Line(delay_seconds=0.5)
    line.send(1)
    line.faults.set(Faults())
    line.faults(HOME, {"Detail": 1, "Time": (START + timedelta(seconds=1)).timestamp()})
    assert line.pass_time(2) == [0, 1]


def test_the_history_lists_the_genuine_events_whatever_was_delivered() -> None:
    clock = Clock.stepped(START)
    arrived: list[dict[str, Any]] = []
    faults = EventFaults(clock, lambda _scope, entry: arrived.append(entry))
    faults.set(Faults(loss=0.5, duplicates=0.5, shuffle_window=600))
    simulator = Simulator(clock, faults)
    Api(simulator).call("CreateTrainingJob", Everyone(), create_request())
    clock.advance(timedelta(hours=5))
    simulator.tick()
    faults.flush()
    statuses = [entry["Detail"]["SecondaryStatus"] for entry in simulator.history]
    assert statuses == ["Starting", "Downloading", "Training", "Uploading", "Completed"]
    listed = faults.listed()
    assert (listed["genuine"], listed["delivered"], listed["waiting"]) == (5, len(arrived), 0)
    assert listed["genuine"] - listed["lost"] + listed["duplicated"] == len(arrived)


@pytest.mark.parametrize("body", [{"loss": 1.1}, {"duplicates": -0.1}, {"delay_seconds": -1}, {"colour": 1}])
def test_faults_that_mean_nothing_are_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be|unknown"):
        Faults.from_json(body)


def test_the_routes_set_and_show_faults() -> None:
    line = Line()
    steer = line.faults.routes()
    assert steer["PUT", "sagemaker/faults"]({"seed": 3, "loss": 1}, {})["loss"] == 1
    line.send(2)
    assert steer["GET", "sagemaker/faults"]({}, {})["lost"] == 2
