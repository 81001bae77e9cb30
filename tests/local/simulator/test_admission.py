"""Quotas decide through one hook whether a job may start and whether its cluster is retained."""

from collections.abc import Mapping
from typing import Any

import pytest

from local.sagemaker.admission import Admission
from local.sagemaker.errors import ServiceError
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.plans import Plan
from local.sagemaker.scope import Scope
from local.sagemaker.usage import Usage
from tests.local.simulator.bench import Bench, pool_request


def test_without_quota_the_pool_is_silently_not_kept() -> None:
    bench = Bench()
    bench.simulator.admission = Admission(may_retain=lambda _scope, _job, _usage: False)
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(770)
    assert bench.describe()["TrainingJobStatus"] == "Completed"
    assert "WarmPoolStatus" not in bench.describe()


def test_admission_sees_whether_a_job_starts_warm_and_may_refuse_it() -> None:
    def no_cold_start(_scope: Scope, _request: Mapping[str, Any], _usage: Usage, warm: bool) -> None:
        if not warm:
            raise ServiceError("ResourceLimitExceeded", "no instances left")

    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    bench.pass_time(770)
    bench.simulator.admission = Admission(check_start=no_cold_start)
    bench.call("CreateTrainingJob", **pool_request("job-2"))
    with pytest.raises(ServiceError, match="no instances left"):
        bench.call("CreateTrainingJob", **pool_request("job-3"))


def test_admission_sees_what_is_held_at_that_moment_even_when_time_jumps() -> None:
    seen: list[tuple[str, int, int]] = []

    def note(_scope: Scope, job: TrainingJob, usage: Usage) -> bool:
        seen.append((job.name, usage.training.total(), usage.pools.total()))
        return True

    bench = Bench(job_2=Plan(training_seconds=700), job_3=Plan(training_seconds=3000))
    bench.simulator.admission = Admission(may_retain=note)
    for name in ("job-1", "job-2", "job-3"):
        bench.call("CreateTrainingJob", **pool_request(name, keep_alive=600))
    bench.pass_time(10_000)
    assert seen == [("job-1", 6, 0), ("job-2", 6, 2), ("job-3", 2, 0)]


def test_a_job_prints_itself_without_the_whole_service() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request())
    assert "Simulator(" not in repr(bench.simulator.get(bench.caller.scope, "job-1"))
