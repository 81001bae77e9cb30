"""Measured start-up times follow the benchmark of warm pools and repeat with their seed."""

from typing import Any

import pytest

from local.sagemaker.plans import Plan
from local.sagemaker.startup import P90, with_startup
from tests.local.simulator.bench import create_request

FSX = {"ChannelName": "train", "DataSource": {"FileSystemDataSource": {}}}
BY_MODE: dict[str, dict[str, Any]] = {
    "FSx": {"InputDataConfig": [FSX]},
    "FastFile": {"InputDataConfig": [{"ChannelName": "train", "InputMode": "FastFile"}]},
    "File": {},
}


def seconds(mode: str, *, warm: bool, **fields: Any) -> float:
    """From the request to Training."""
    plan = with_startup(Plan(startup="measured", **fields), create_request(**BY_MODE[mode]), warm=warm)
    return plan.starting_seconds + plan.downloading_seconds


@pytest.mark.parametrize("mode", list(P90))
@pytest.mark.parametrize("warm", [False, True])
def test_one_start_in_ten_takes_longer_than_the_p90(mode: str, warm: bool) -> None:
    over = sum(seconds(mode, warm=warm, seed=number) > P90[mode][warm] for number in range(1000))
    assert 70 <= over <= 130


def test_the_same_seed_gives_the_same_start() -> None:
    assert seconds("File", warm=False, seed=7) == seconds("File", warm=False, seed=7)
    assert seconds("File", warm=False, seed=7) != seconds("File", warm=False, seed=8)


def test_a_scripted_cold_start_stays_as_it_is() -> None:
    assert with_startup(Plan(), create_request(), warm=False) == Plan()


def test_the_plan_may_say_how_long_a_warm_start_takes() -> None:
    assert with_startup(Plan(warm_starting_seconds=5), create_request(), warm=True).starting_seconds == 5
