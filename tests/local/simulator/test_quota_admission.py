"""Instance quotas refuse jobs and withhold pools as AWS's pages say."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.quota_admission import ALL_SPOT, ALL_TRAINING, SPOT, TRAINING, WARM_POOL, admission_by
from local.sagemaker.scope import Scope
from local.service_quotas.catalogue import by_code
from tests.local.simulator.bench import Bench, code_of, create_request, pool_request, spot_request

KIND = "ml.g5.xlarge"  # every request of the bench asks for two of them
RUN = 770


def limited(training: float = 100, spot: float = 100, warm_pool: float = 100, **of_account: float) -> Bench:
    """A bench whose account has these quotas, those `of_account` by code, and none for any other instance type."""
    values = {TRAINING.format(KIND): training, SPOT.format(KIND): spot, WARM_POOL.format(KIND): warm_pool}
    values |= {by_code()[code.replace("_", "-")].name: value for code, value in of_account.items()}

    def applied(_scope: Scope, name: str) -> float:
        return values[name]

    bench = Bench()
    bench.simulator.admission = admission_by(applied)
    return bench


def refused(bench: Bench, **request: Any) -> str:
    with pytest.raises(ServiceError) as caught:
        bench.call("CreateTrainingJob", **request)
    assert code_of(caught.value) == "ResourceLimitExceeded"
    return caught.value.message


def test_a_refusal_names_the_quota_its_value_the_use_and_the_demand() -> None:
    bench = limited(training=3)
    bench.call("CreateTrainingJob", **create_request())
    expected = (
        "The account-level service limit 'ml.g5.xlarge for training job usage' is 3 Instances, with current "
        "utilization of 2 Instances and a request delta of 2 Instances."
    )
    assert refused(bench, **create_request("job-2")).startswith(expected)
    bench.pass_time(RUN)
    bench.call("CreateTrainingJob", **create_request("job-2"))


def test_spot_has_a_quota_of_its_own() -> None:
    bench = limited(training=2, spot=0)
    assert "'ml.g5.xlarge for spot training job usage' is 0" in refused(bench, **spot_request())
    bench.call("CreateTrainingJob", **create_request())


def test_an_idle_pool_counts_towards_the_training_quota_but_its_reuse_is_no_new_demand() -> None:
    bench = limited(training=2)
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(RUN)
    assert "utilization of 2" in refused(bench, **pool_request("job-2", EnableNetworkIsolation=True))
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    assert bench.describe("job-2")["WarmPoolStatus"] == {"Status": "InUse"}
    assert "utilization of 2" in refused(bench, **create_request("job-3"))


@pytest.mark.parametrize(("quota", "kept"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)])
def test_as_many_pools_are_kept_as_the_warm_pool_quota_allows(quota: float, kept: int) -> None:
    bench = limited(warm_pool=quota)
    for name in ("job-1", "job-2"):
        bench.call("CreateTrainingJob", **pool_request(name))
    bench.pass_time(RUN)
    statuses = [bench.describe(name).get("WarmPoolStatus") for name in ("job-1", "job-2")]
    assert statuses == [{"Status": "Available"}] * kept + [None] * (2 - kept)
    assert bench.describe("job-2")["TrainingJobStatus"] == "Completed", "the job itself does not suffer"


def test_all_instances_together_are_limited_idle_pools_included_and_a_warm_start_is_not_counted_again() -> None:
    bench = limited(L_00C91CB5=4)
    bench.call("CreateTrainingJob", **create_request("job-1"))
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    expected = f"'{ALL_TRAINING}' is 4 Instances, with current utilization of 4 Instances and a request delta of 2"
    assert expected in refused(bench, **create_request("job-3"))
    bench.call("CreateTrainingJob", **spot_request("job-4"))
    bench.pass_time(RUN - 1)
    assert expected in refused(bench, **create_request("job-3"))
    bench.pass_time(1)
    bench.call("CreateTrainingJob", **create_request("job-5", EnableNetworkIsolation=True))
    assert expected in refused(bench, **create_request("job-3", EnableNetworkIsolation=True))
    bench.call("CreateTrainingJob", **pool_request("job-6"))
    assert bench.describe("job-6")["WarmPoolStatus"] == {"Status": "InUse"}


def test_all_spot_instances_together_are_limited_apart_from_those_on_demand() -> None:
    bench = limited(L_00C91CB5=2, L_93958082=2)
    bench.call("CreateTrainingJob", **create_request("job-1"))
    bench.call("CreateTrainingJob", **spot_request("job-2"))
    assert f"'{ALL_SPOT}' is 2 Instances" in refused(bench, **spot_request("job-3"))


@pytest.mark.parametrize(
    ("code", "limit", "request_", "said"),
    [
        ("L_33A961FD", 3599, create_request(), "'Longest run time for a training job' is 3599 Seconds"),
        ("L_33A961FD", 86_399, create_request(StoppingCondition={}), "a request delta of 86400 Seconds"),
        ("L_622CFD70", 1, create_request(), "'Maximum number of instances per training job' is 1 Instances"),
        ("L_DB62C864", 1, spot_request(), "'Maximum number of instances per spot training job' is 1 Instances"),
        ("L_C5A266EB", 49, create_request(), "'Size of EBS volume for a training job instance' is 49 Gigabytes"),
    ],
)
def test_what_one_job_asks_for_is_limited_by_itself(
    code: str, limit: float, request_: dict[str, Any], said: str
) -> None:
    assert said in refused(limited(**{code: limit}), **request_)
    limited(**{code: limit + 1}).call("CreateTrainingJob", **request_)


def test_the_longest_run_limits_a_warm_start_too() -> None:
    bench = limited(L_33A961FD=3600)
    bench.call("CreateTrainingJob", **pool_request("job-1"))
    bench.pass_time(RUN)
    longer = {"MaxRuntimeInSeconds": 3601}
    assert "is 3600 Seconds" in refused(bench, **pool_request("job-2", StoppingCondition=longer))
    bench.call("CreateTrainingJob", **pool_request("job-2"))


def test_a_type_without_quota_is_not_available() -> None:
    resources = {"InstanceType": "ml.g5.2xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1}
    with pytest.raises(ServiceError, match=r"training-job/ml\.g5\.2xlarge is not available in this region"):
        limited().call("CreateTrainingJob", **create_request(ResourceConfig=resources))


def test_each_group_of_a_heterogeneous_cluster_counts() -> None:
    group = {"InstanceType": KIND, "InstanceCount": 2}
    groups = [{**group, "InstanceGroupName": name} for name in ("one", "two")]
    resources = {"InstanceGroups": groups, "VolumeSizeInGB": 1}
    assert "request delta of 4" in refused(limited(training=3), **create_request(ResourceConfig=resources))
