"""How a job's start and its interruptions are read from the simulator's own transitions."""

from datetime import timedelta

from local.sagemaker.plans import Plan
from tests.adapters.test_training_jobs_on_simulator import Account
from tests.local.simulator.bench import START, create_request, spot_request


def test_a_start_is_read_from_the_transition_to_training() -> None:
    plan = Plan(starting_seconds=120, downloading_seconds=30, training_seconds=600)
    account = Account(resnet_1=plan)
    account.create(**create_request("resnet-1"))
    account.bench.pass_time(3600)
    job = account.jobs.describe("resnet-1", {})
    assert job is not None
    assert job.phases is not None
    assert job.phases.training_began == START + timedelta(seconds=150)
    assert job.phases.waited == timedelta(seconds=120)
    assert job.phases.interrupted == timedelta(0)
    assert job.input_mode == "File"


def test_what_interruptions_take_lasts_until_it_trains_again() -> None:
    plan = Plan(starting_seconds=120, downloading_seconds=30, training_seconds=600, interruptions=2)
    account = Account(resnet_1=plan)
    account.create(**spot_request("resnet-1"))
    account.bench.pass_time(7200)
    job = account.jobs.describe("resnet-1", {})
    assert job is not None
    assert job.phases is not None
    assert job.status == "Completed"
    assert job.phases.interrupted >= 2 * timedelta(seconds=150), "each time instances and data come anew"
    assert job.phases.interrupted < 2 * timedelta(seconds=600)
