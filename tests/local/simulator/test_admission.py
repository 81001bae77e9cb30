"""Quotas decide through one hook whether a job may start and whether its cluster is retained."""

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from local.sagemaker.admission import Admission
from local.sagemaker.errors import ServiceError
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.plans import Plan
from local.sagemaker.scope import Scope
from tests.local.simulator.bench import Bench, pool_request


def test_without_quota_the_pool_is_silently_not_kept() -> None:
    bench = Bench()
    bench.simulator.admission = Admission(may_retain=lambda _scope, _job, _jobs: False)
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(770)
    assert bench.describe()["TrainingJobStatus"] == "Completed"
    assert "WarmPoolStatus" not in bench.describe()


def test_admission_sees_whether_a_job_starts_warm_and_may_refuse_it() -> None:
    def no_cold_start(_scope: Scope, _request: Mapping[str, Any], _jobs: Collection[TrainingJob], warm: bool) -> None:
        if not warm:
            raise ServiceError("ResourceLimitExceeded", "no instances left")

    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(770)
    bench.simulator.admission = Admission(check_start=no_cold_start)
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    with pytest.raises(ServiceError, match="no instances left"):
        bench.call("CreateTrainingJob", **pool_request("job-3"))


def test_admission_sees_the_pools_of_that_moment_even_when_time_jumps() -> None:
    seen: list[list[str]] = []

    def note(_scope: Scope, _job: TrainingJob, jobs: Collection[TrainingJob]) -> bool:
        seen.append([job.retained.status for job in jobs if job.retained])
        return True

    bench = Bench(job_2=Plan(training_seconds=3000))
    bench.simulator.admission = Admission(may_retain=note)
    bench.call("CreateTrainingJob", **pool_request("job-1", keep_alive=600))
    bench.call("CreateTrainingJob", **pool_request("job-2", keep_alive=600))
    bench.pass_time(10_000)
    assert seen == [[], ["Terminated"]]


def test_a_job_prints_itself_without_the_whole_service() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    assert "Simulator(" not in repr(bench.simulator.get(bench.caller.scope, "job-1"))
