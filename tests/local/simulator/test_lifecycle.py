"""A training job goes through the statuses, times and fields that the API describes."""

from datetime import timedelta

import pytest

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.plans import Plan
from local.sagemaker.scope import Scope
from tests.local.simulator.bench import START, Bench, create_request, spot_request

QUICK = Plan(starting_seconds=100, downloading_seconds=10, training_seconds=300, uploading_seconds=20)


def test_a_job_goes_from_starting_to_completed() -> None:
    bench = Bench(job_1=QUICK)
    bench.call("CreateTrainingJob", **create_request())
    assert (bench.describe()["TrainingJobStatus"], bench.describe()["SecondaryStatus"]) == ("InProgress", "Starting")
    bench.pass_time(429)
    assert bench.describe()["TrainingJobStatus"] == "InProgress"
    bench.pass_time(1)
    assert bench.statuses() == ["Starting", "Downloading", "Training", "Uploading", "Completed"]
    assert bench.describe()["TrainingJobStatus"] == "Completed"


def test_a_running_job_has_none_of_the_fields_that_come_with_its_end() -> None:
    bench = Bench(job_1=QUICK)
    bench.call("CreateTrainingJob", **create_request())
    assert "TrainingStartTime" not in bench.describe()
    bench.pass_time(100)
    running = bench.describe()
    assert running["TrainingStartTime"] == START + timedelta(seconds=100)
    assert {"TrainingEndTime", "TrainingTimeInSeconds", "BillableTimeInSeconds", "WarmPoolStatus"}.isdisjoint(running)


def test_an_on_demand_job_is_billed_for_the_seconds_that_it_trained() -> None:
    bench = Bench(job_1=QUICK)
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(430)
    ended = bench.describe()
    assert ended["TrainingEndTime"] == START + timedelta(seconds=430)
    assert (ended["TrainingTimeInSeconds"], ended["BillableTimeInSeconds"]) == (330, 330)


def test_an_interrupted_spot_job_starts_again_and_waits_for_free() -> None:
    bench = Bench(job_1=Plan(interruptions=2, training_seconds=600, interrupted_seconds=50))
    bench.call("CreateTrainingJob", **spot_request())
    bench.pass_time(3600)
    attempt = ["Starting", "Downloading", "Training"]
    assert bench.statuses() == [*attempt, "Interrupted", *attempt, "Interrupted", *attempt, "Uploading", "Completed"]
    assert bench.describe()["TrainingTimeInSeconds"] == 600 + 3 * 30 + 20


def test_managed_spot_bills_less_than_it_trained() -> None:
    bench = Bench(job_1=Plan(billable_seconds=200), job_2=Plan())
    bench.call("CreateTrainingJob", **spot_request("job-1"))
    bench.call("CreateTrainingJob", **spot_request("job-2"))
    bench.pass_time(3600)
    assert bench.describe("job-1")["BillableTimeInSeconds"] == 200
    assert bench.describe("job-2")["BillableTimeInSeconds"] < bench.describe("job-2")["TrainingTimeInSeconds"]


def test_a_failed_job_says_why() -> None:
    bench = Bench(job_1=Plan(outcome="Failed", failure_reason="AlgorithmError: out of memory"))
    bench.call("CreateTrainingJob", **create_request())
    assert "FailureReason" not in bench.describe()
    bench.pass_time(3600)
    assert bench.describe()["TrainingJobStatus"] == "Failed"
    assert bench.describe()["FailureReason"] == "AlgorithmError: out of memory"


def test_a_job_that_never_launched_has_no_seconds() -> None:
    bench = Bench(job_1=Plan(outcome="Failed", fails_in="Starting", failure_reason="CapacityError"))
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(3600)
    ended = bench.describe()
    assert ended["TrainingJobStatus"] == "Failed"
    assert {"TrainingStartTime", "TrainingTimeInSeconds", "BillableTimeInSeconds"}.isdisjoint(ended)


def test_a_stopped_job_is_stopping_for_its_grace_time() -> None:
    bench = Bench(job_1=Plan(stopping_seconds=60))
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(200)
    bench.call("StopTrainingJob", TrainingJobName="job-1")
    assert bench.describe()["TrainingJobStatus"] == "Stopping"
    bench.pass_time(60)
    assert (bench.describe()["TrainingJobStatus"], bench.statuses()[-2:]) == ("Stopped", ["Stopping", "Stopped"])


@pytest.mark.parametrize(
    ("plan", "end"),
    [
        (Plan(training_seconds=5000), "MaxRuntimeExceeded"),
        (Plan(interruptions=1, interrupted_seconds=9000), "MaxWaitTimeExceeded"),
        (Plan(starting_seconds=9000), "MaxWaitTimeExceeded"),
    ],
)
def test_a_limit_ends_in_a_stopped_job_whose_secondary_status_names_it(plan: Plan, end: str) -> None:
    bench = Bench(job_1=plan)
    bench.call("CreateTrainingJob", **spot_request())
    bench.pass_time(30_000)
    assert bench.describe()["TrainingJobStatus"] == "Stopped"
    assert bench.statuses()[-2:] == ["Stopping", end]


def test_time_spent_waiting_does_not_count_towards_the_maximum_runtime() -> None:
    bench = Bench(job_1=Plan(interruptions=1, interrupted_seconds=3000, training_seconds=3000))
    bench.call("CreateTrainingJob", **spot_request(max_wait=20_000))
    bench.pass_time(20_000)
    assert bench.describe()["TrainingJobStatus"] == "Completed"


def test_each_transition_ends_where_the_next_begins() -> None:
    bench = Bench(job_1=QUICK)
    bench.call("CreateTrainingJob", **create_request())
    bench.pass_time(430)
    steps = bench.describe()["SecondaryStatusTransitions"]
    assert [step["EndTime"] for step in steps[:-1]] == [step["StartTime"] for step in steps[1:]]


def test_a_follower_may_start_a_job_at_the_moment_at_which_another_ended() -> None:
    bench, started = Bench(job_1=QUICK, job_2=QUICK), list[TrainingJob]()

    def follow(scope: Scope, job: TrainingJob) -> None:
        if job.name == "job-1" and job.ended is not None and not started:
            started.append(bench.simulator.start(scope, create_request("job-2"), job.ended))

    bench.simulator.followers.append(follow)
    bench.call("CreateTrainingJob", **create_request("job-1"))
    bench.pass_time(10_000)
    assert bench.describe("job-2")["CreationTime"] == START + timedelta(seconds=430)
    assert bench.describe("job-2")["TrainingEndTime"] == START + timedelta(seconds=860)
