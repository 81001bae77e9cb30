"""A matching job takes an available warm pool, exactly one takes it, and a chain ends after 28 days."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from local.sagemaker.scope import Scope
from tests.local.simulator.bench import Bench, create_request, pool_request, spot_request

RUN = 120 + 30 + 600 + 20  # the default plan on a cold cluster
DAY = 86_400
NETWORK = {"SecurityGroupIds": ["sg-1", "sg-2"], "Subnets": ["subnet-1", "subnet-2"]}
CHAINING = {"EnableSessionTagChaining": True}


def pool(bench: Bench, name: str) -> dict[str, Any] | None:
    return bench.describe(name).get("WarmPoolStatus")


def kept(*, job_2: Plan | None = None) -> Bench:
    """A bench whose job-1 has ended 100 seconds ago and left a pool."""
    bench = Bench(job_2=job_2 or Plan())
    bench.call("CreateTrainingJob", **pool_request(VpcConfig=NETWORK))
    bench.pass_time(RUN + 100)
    assert pool(bench, "job-1") == {"Status": "Available"}
    return bench


def with_resources(**changes: Any) -> dict[str, Any]:
    request = pool_request("job-2", VpcConfig=NETWORK)
    return {**request, "ResourceConfig": {**request["ResourceConfig"], **changes}}


def test_three_users_share_pools_one_after_another() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request("user-1"))
    bench.pass_time(RUN)
    assert pool(bench, "user-1") == {"Status": "Available"}
    bench.pass_time(60)
    bench.call("CreateTrainingJob", **pool_request("user-2", HyperParameters={"rate": "0.1"}))
    reused = {"Status": "Reused", "ResourceRetainedBillableTimeInSeconds": 60, "ReusedByJob": "user-2"}
    assert pool(bench, "user-1") == reused
    assert pool(bench, "user-2") == {"Status": "InUse"}
    bench.pass_time(60)
    bench.call("CreateTrainingJob", **pool_request("user-3"))
    assert pool(bench, "user-3") is None, "the pool is in use: a third job starts cold"
    bench.pass_time(RUN - 1)
    assert pool(bench, "user-2") == {"Status": "Available"}
    assert bench.describe("user-3")["TrainingJobStatus"] == "InProgress", "a cold start takes longer"
    bench.pass_time(1)
    assert pool(bench, "user-3") == {"Status": "Available"}
    live = bench.call("ListTrainingJobs", WarmPoolStatusEquals="Available")["TrainingJobSummaries"]
    assert {job["TrainingJobName"] for job in live} == {"user-2", "user-3"}
    assert pool(bench, "user-1") == reused, "what became of a pool stays on its job"


def test_a_job_without_keep_alive_takes_a_pool_and_lets_it_go() -> None:
    bench = kept()
    bench.call("CreateTrainingJob", **create_request("job-2", VpcConfig=NETWORK))
    assert pool(bench, "job-2") == {"Status": "InUse"}
    bench.pass_time(RUN)
    assert bench.describe("job-2")["TrainingJobStatus"] == "Completed"
    assert pool(bench, "job-2") is None


def test_the_pool_takes_the_period_of_the_latest_job() -> None:
    bench = kept(job_2=Plan(warm_starting_seconds=10))
    bench.call("CreateTrainingJob", **with_resources(KeepAlivePeriodInSeconds=50))
    bench.pass_time(10 + 30 + 600 + 20 + 50)
    assert pool(bench, "job-2") == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 50}


@pytest.mark.parametrize(
    "second",
    [
        with_resources(InstanceCount=1),
        with_resources(InstanceType="ml.g5.2xlarge"),
        with_resources(VolumeSizeInGB=51),
        pool_request("job-2", VpcConfig=NETWORK, RoleArn="arn:aws:iam::123456789012:role/other"),
        pool_request("job-2", VpcConfig=NETWORK, EnableNetworkIsolation=True),
        pool_request("job-2", VpcConfig=NETWORK, EnableInterContainerTrafficEncryption=True),
        pool_request("job-2", VpcConfig={**NETWORK, "Subnets": ["subnet-3"]}),
        pool_request("job-2", VpcConfig={**NETWORK, "SecurityGroupIds": ["sg-1"]}),
        pool_request("job-2"),
        spot_request("job-2", VpcConfig=NETWORK),
    ],
)
def test_a_job_that_differs_in_one_matched_member_starts_cold(second: dict[str, Any]) -> None:
    bench = kept()
    bench.call("CreateTrainingJob", **second)
    assert pool(bench, "job-2") is None
    assert pool(bench, "job-1") == {"Status": "Available"}


def test_a_pool_under_another_volume_key_is_not_taken() -> None:
    bench = Bench()
    resources = {**pool_request()["ResourceConfig"], "InstanceType": "ml.m5.xlarge"}
    for name, key in (("job-1", "one"), ("job-2", "another"), ("job-3", "one")):
        bench.call("CreateTrainingJob", **create_request(name, ResourceConfig={**resources, "VolumeKmsKeyId": key}))
        bench.pass_time(RUN if name == "job-1" else 1)
    assert pool(bench, "job-2") is None
    assert pool(bench, "job-3") == {"Status": "InUse"}


@pytest.mark.parametrize(
    "free",
    [
        {"HyperParameters": {"a": "b"}},
        {"AlgorithmSpecification": {"TrainingImage": "other", "TrainingInputMode": "FastFile"}},
        {"Environment": {"A": "b"}},
        {"Tags": [{"Key": "team", "Value": "other"}]},
        {"StoppingCondition": {"MaxRuntimeInSeconds": 60}},
        {"EnableNetworkIsolation": False},
    ],
)
def test_what_is_not_in_the_list_is_free_to_change(free: dict[str, Any]) -> None:
    bench = kept()
    bench.call("CreateTrainingJob", **pool_request("job-2", VpcConfig=NETWORK, **free))
    assert pool(bench, "job-2") == {"Status": "InUse"}


@pytest.mark.parametrize(
    ("first", "second", "keys", "taken"),
    [
        (CHAINING, CHAINING, {"project"}, True),
        (CHAINING, CHAINING, {"project", "team"}, False),
        (CHAINING, None, {"project"}, False),
        (None, CHAINING, {"project"}, True),
    ],
)
def test_session_tag_chaining_asks_for_the_same_session_keys(first: Any, second: Any, keys: Any, taken: bool) -> None:
    bench = Bench()
    create, scope = bench.simulator.create, bench.caller.scope
    create(scope, pool_request("job-1", SessionChainingConfig=first), frozenset({"project"}))
    bench.pass_time(RUN)
    create(scope, pool_request("job-2", SessionChainingConfig=second), frozenset(keys))
    assert (pool(bench, "job-2") is not None) is taken


def test_another_account_never_takes_the_pool() -> None:
    bench = kept()
    bench.simulator.create(Scope("999999999999", "eu-central-1"), pool_request("job-2", VpcConfig=NETWORK))
    assert pool(bench, "job-1") == {"Status": "Available"}


def test_a_chain_ends_28_days_after_its_cluster_was_launched() -> None:
    half = Plan(starting_seconds=0, downloading_seconds=0, training_seconds=14 * DAY - 300, uploading_seconds=0)
    bench = Bench(job_1=half, job_2=half)
    limit = {"MaxRuntimeInSeconds": 28 * DAY}
    bench.call("CreateTrainingJob", **pool_request("job-1", StoppingCondition=limit))
    bench.pass_time(14 * DAY - 300)
    bench.call("CreateTrainingJob", **pool_request("job-2", keep_alive=3600, StoppingCondition=limit))
    bench.pass_time(14 * DAY + 3600)
    assert pool(bench, "job-2") == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 600}


def test_two_jobs_at_the_same_instant_do_not_share_a_pool() -> None:
    bench = kept()
    for name in ("job-2", "job-3"):
        bench.call("CreateTrainingJob", **pool_request(name, VpcConfig=NETWORK))
    assert [pool(bench, name) for name in ("job-2", "job-3")] == [{"Status": "InUse"}, None]
    held = [job.name for job in bench.simulator.jobs(bench.caller.scope) if job.holds_cluster]
    assert held == ["job-2", "job-3"], "a reused cluster counts once"


def test_a_pool_may_be_taken_away_for_a_patch() -> None:
    bench = Bench(job_1=Plan(pool_patched_after_seconds=30))
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(RUN + 30)
    assert pool(bench, "job-1") == {"Status": "Terminated", "ResourceRetainedBillableTimeInSeconds": 30}


def test_a_heterogeneous_cluster_takes_no_pool_and_may_not_keep_one() -> None:
    bench = kept()
    group = {"InstanceGroupName": "gpu", "InstanceType": "ml.g5.xlarge", "InstanceCount": 2}
    resources = {"InstanceGroups": [group], "VolumeSizeInGB": 50}
    bench.call("CreateTrainingJob", **create_request("job-2", VpcConfig=NETWORK, ResourceConfig=resources))
    assert pool(bench, "job-2") is None
    resources["KeepAlivePeriodInSeconds"] = 600
    with pytest.raises(ServiceError, match="InstanceGroups"):
        bench.call("CreateTrainingJob", **create_request("job-3", ResourceConfig=resources))


def test_a_warm_start_is_shorter_in_the_benchmarks_proportion() -> None:
    bench = kept(job_2=Plan(starting_seconds=176))
    bench.call("CreateTrainingJob", **pool_request("job-2", VpcConfig=NETWORK))
    bench.pass_time(69)
    assert bench.statuses("job-2") == ["Starting"]
    bench.pass_time(1)
    assert bench.statuses("job-2") == ["Starting", "Downloading"]
