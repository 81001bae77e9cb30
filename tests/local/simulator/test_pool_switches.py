"""What AWS leaves open about warm pools has a switch, and both of its positions do what they say."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.switches import Switches
from tests.local.simulator.bench import Bench, code_of, pool_request

RUN = 120 + 30 + 600 + 20  # the default plan


def ended(request: dict[str, Any] | None = None, **positions: Any) -> Bench:
    """A bench whose job-1 has just ended and left a pool."""
    bench = Bench()
    bench.simulator.switches = Switches.from_json(positions)
    bench.call("CreateTrainingJob", **(request or pool_request()))
    bench.pass_time(RUN)
    return bench


def update(bench: Bench, seconds: int, name: str = "job-1") -> None:
    bench.call("UpdateTrainingJob", TrainingJobName=name, ResourceConfig={"KeepAlivePeriodInSeconds": seconds})


def status(bench: Bench, name: str = "job-1") -> str | None:
    pool = bench.describe(name).get("WarmPoolStatus")
    return None if pool is None else str(pool["Status"])


@pytest.mark.parametrize(("start", "retained"), [("end", 900), ("now", 1400)])
def test_a_new_period_counts_from_the_end_or_from_the_update(start: str, retained: int) -> None:
    bench = ended(keep_alive_update_counts_from=start)
    bench.pass_time(500)
    update(bench, 900)
    bench.pass_time(5000)
    pool = bench.describe()["WarmPoolStatus"]
    assert pool == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": retained}


@pytest.mark.parametrize(("start", "left"), [("end", "Terminated"), ("now", "Available")])
def test_a_shorter_period_that_is_over_already_ends_the_pool_or_not(start: str, left: str) -> None:
    bench = ended(keep_alive_update_counts_from=start)
    bench.pass_time(500)
    update(bench, 300)
    assert status(bench) == left
    assert bench.describe()["WarmPoolStatus"].get("ResourceRetainedBillableTimeInSeconds") in {None, 500}


@pytest.mark.parametrize(("cap", "allowed"), [(3600, False), (21600, True)])
def test_six_hours_of_keep_alive_are_allowed_or_not(cap: int, allowed: bool) -> None:
    bench = ended(keep_alive_cap=cap)
    for attempt in (
        lambda: update(bench, 21_600),
        lambda: bench.call("CreateTrainingJob", **pool_request("job-2", keep_alive=21_600)),
    ):
        if allowed:
            attempt()
            continue
        with pytest.raises(ServiceError, match="less than or equal to 3600") as caught:
            attempt()
        assert code_of(caught.value) == "ValidationException"


@pytest.mark.parametrize(("pick", "taken"), [("lifo", "young"), ("fifo", "old")])
def test_the_youngest_or_the_oldest_pool_is_taken(pick: str, taken: str) -> None:
    bench = Bench()
    bench.simulator.switches = Switches.from_json({"pool_pick": pick})
    bench.call("CreateTrainingJob", **pool_request("old"))
    bench.pass_time(10)
    bench.call("CreateTrainingJob", **pool_request("young"))
    bench.pass_time(RUN)
    bench.call("CreateTrainingJob", **pool_request("job-3"))
    assert [name for name in ("old", "young") if status(bench, name) == "Reused"] == [taken]


@pytest.mark.parametrize(("lag", "at_once", "takes"), [(0, "Available", "InUse"), (20, None, None)])
def test_a_pool_appears_at_once_or_after_a_moment(lag: float, at_once: str | None, takes: str | None) -> None:
    bench = ended(pool_available_lag_seconds=lag)
    assert (bench.describe()["TrainingJobStatus"], status(bench)) == ("Completed", at_once)
    listed = bench.call("ListTrainingJobs", WarmPoolStatusEquals="Available")["TrainingJobSummaries"]
    assert len(listed) == (1 if at_once else 0)
    bench.call("CreateTrainingJob", **pool_request("too-early"))
    assert status(bench, "too-early") == takes
    bench.pass_time(20)
    assert status(bench) == ("Reused" if takes else "Available")


@pytest.mark.parametrize(("matters", "takes"), [(False, "InUse"), (True, None)])
@pytest.mark.parametrize("member", ["Subnets", "SecurityGroupIds"])
def test_the_order_of_subnets_and_groups_matters_or_not(member: str, matters: bool, takes: str | None) -> None:
    network = {"Subnets": ["subnet-1", "subnet-2"], "SecurityGroupIds": ["sg-1", "sg-2"]}
    bench = ended(pool_request(VpcConfig=network), subnet_order_matters=matters)
    turned = {**network, member: network[member][::-1]}
    bench.call("CreateTrainingJob", **pool_request("job-2", VpcConfig=turned))
    assert status(bench, "job-2") == takes


@pytest.mark.parametrize("seconds", [0, 50])
def test_a_pool_in_use_gets_the_new_period_at_its_jobs_end(seconds: int) -> None:
    bench = ended(update_in_use_pool=True)
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    update(bench, seconds, "job-2")
    assert status(bench, "job-2") == "InUse"
    bench.pass_time(RUN)
    assert status(bench, "job-2") == ("Terminated" if seconds else None)


def test_a_pool_in_use_cannot_be_updated_in_the_other_position() -> None:
    bench = ended(update_in_use_pool=False)
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    with pytest.raises(ServiceError, match="InUse") as caught:
        update(bench, 50, "job-2")
    assert code_of(caught.value) == "ValidationException"
