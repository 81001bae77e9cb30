"""The simulator looks at the jobs that are due and at no other, and knows how many instances are held."""

from datetime import datetime

import pytest

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import Bench, create_request, pool_request, spot_request

RUN = 770


def held(bench: Bench) -> tuple[int, int, int]:
    """Instances on demand, those of them that wait in pools, and managed spot; each request of the bench has two."""
    usage = bench.simulator.usage(bench.caller.scope)
    return usage.training.total(), usage.pools.total(), usage.spot.total()


def test_instances_are_held_from_creation_to_the_end_or_to_the_end_of_the_pool() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request("job-1"))
    bench.call("CreateTrainingJob", **spot_request("job-2"))
    bench.call("CreateTrainingJob", **pool_request("job-3"))
    assert held(bench) == (4, 0, 2)
    bench.pass_time(RUN)
    assert held(bench) == (2, 2, 0)
    bench.pass_time(599)
    assert held(bench) == (2, 2, 0)
    bench.pass_time(1)
    assert held(bench) == (0, 0, 0)


def test_a_pool_that_is_taken_is_held_once_by_the_job_that_took_it() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **pool_request("job-1"))
    bench.pass_time(RUN)
    bench.call("CreateTrainingJob", **create_request("job-2"))
    assert held(bench) == (2, 0, 0)
    bench.pass_time(RUN)
    assert held(bench) == (0, 0, 0)


def test_a_pool_that_is_let_go_or_kept_longer_counts_as_long_as_it_is_there() -> None:
    bench = Bench()
    for name in ("job-1", "job-2"):
        bench.call("CreateTrainingJob", **pool_request(name))
    bench.pass_time(RUN)
    bench.call("UpdateTrainingJob", TrainingJobName="job-1", ResourceConfig={"KeepAlivePeriodInSeconds": 0})
    bench.call("UpdateTrainingJob", TrainingJobName="job-2", ResourceConfig={"KeepAlivePeriodInSeconds": 1800})
    assert held(bench) == (2, 2, 0)
    bench.pass_time(600)
    assert held(bench) == (2, 2, 0), "the end that the pool was given at first no longer holds"
    bench.pass_time(1200)
    assert held(bench) == (0, 0, 0)


def test_a_stopped_job_ends_when_it_was_told_to_and_not_as_planned() -> None:
    bench = Bench(job_1=Plan(stopping_seconds=5000))
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(200)
    bench.call("StopTrainingJob", TrainingJobName="job-1")
    bench.pass_time(4999)
    assert (bench.describe()["TrainingJobStatus"], held(bench)) == ("Stopping", (2, 0, 0))
    bench.pass_time(1)
    assert (bench.describe()["TrainingJobStatus"], held(bench)) == ("Stopped", (0, 0, 0))


def test_a_name_used_again_is_another_job_with_times_of_its_own() -> None:
    bench = Bench()
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(RUN)
    bench.call("DeleteTrainingJob", TrainingJobName="job-1")
    bench.call("CreateTrainingJob", **create_request())
    assert (bench.statuses(), held(bench)) == (["Starting"], (2, 0, 0))
    bench.pass_time(RUN)
    assert (bench.describe()["TrainingJobStatus"], held(bench)) == ("Completed", (0, 0, 0))


def test_time_in_which_nothing_is_due_looks_at_no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    for number in range(50):
        bench.call("CreateTrainingJob", **create_request(f"job-{number}"))
    looked_at: list[TrainingJob] = []
    next_at = TrainingJob.next_at.fget  # type: ignore[attr-defined]

    def noting(job: TrainingJob) -> datetime | None:
        looked_at.append(job)
        found: datetime | None = next_at(job)
        return found

    monkeypatch.setattr(TrainingJob, "next_at", property(noting))
    bench.pass_time(119)
    assert looked_at == []
    bench.pass_time(1)
    assert len({job.name for job in looked_at}) == 50
