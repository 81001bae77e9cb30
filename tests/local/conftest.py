"""One local AWS for the whole test run: started, and bootstrapped, when the first test asks for it."""

import os
from collections.abc import Iterator

import pytest

from local.account import furnish
from local.laptop import Laptop
from local.sagemaker.switches import OTHER_POSITIONS
from tests.local.product import Product
from tests.local.teams import Teams

GRANTED = {
    "ml.g5.xlarge for training job usage": 300,  # two hundred jobs at once, and what other tests leave running
    "Number of instances across all training jobs": 300,
    "ml.g5.xlarge for spot training job usage": 4,
    "ml.g5.xlarge for training warm pool usage": 20,
}


@pytest.fixture(scope="session")
def laptop() -> Iterator[Laptop]:
    """A furnished, bootstrapped account on a free port, with AWS's limits; stacks that tests deploy share it."""
    with Laptop() as running:
        furnish(running, GRANTED)
        running.bootstrap()
        if os.environ.get("LOCAL_SWITCHES") == "other":
            running.control.switch(**OTHER_POSITIONS)
        yield running


@pytest.fixture(scope="session")
def product(laptop: Laptop) -> Product:
    """Both stacks deployed once, with a Slack channel and a mailbox."""
    return Product.deployed(laptop)


@pytest.fixture(scope="session")
def teams() -> Iterator[Teams]:
    """An account of its own with three teams and the people of each."""
    with Laptop() as running:
        running.bootstrap()
        yield Teams.deployed(running)
