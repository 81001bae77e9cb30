"""Whatever is asked in whatever order: answers fit the model, pools, bills and events stay consistent.

Every answer is checked against botocore's model by the Api itself; here is what must hold between answers.
"""

from collections import Counter
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import Bench, create_request, pool_request, spot_request
from tests.local.simulator.tuning_requests import tuning_request

NAMES = [f"job-{number}" for number in range(5)]
ENDED = frozenset({"Completed", "Failed", "Stopped"})
EXPECTED = frozenset({"ValidationException", "ResourceNotFound", "ResourceInUse", "ResourceLimitExceeded"})
TRAINING = "SageMaker Training Job State Change"
Jobs = list[dict[str, Any]]
names = st.sampled_from(NAMES)
plans = st.builds(  # no job ends at the moment of its creation: its name and that moment tell it from the next one
    Plan,
    outcome=st.sampled_from(["Completed", "Failed"]),
    fails_in=st.sampled_from(["Starting", "Downloading", "Training"]),
    interruptions=st.integers(0, 3),
    starting_seconds=st.sampled_from([1, 120]),
    training_seconds=st.sampled_from([0, 1, 600, 5000]),
    interrupted_seconds=st.sampled_from([0, 300, 9000]),
    stopping_seconds=st.sampled_from([1, 60]),
    keep_pool=st.booleans(),
)
requests = st.one_of(
    st.builds(create_request, names),
    st.builds(spot_request, names, max_wait=st.sampled_from([3600, 7200])),
    st.builds(pool_request, names, keep_alive=st.sampled_from([0, 1, 600, 3600])),
    st.builds(pool_request, names, keep_alive=st.just(600), EnableManagedSpotTraining=st.booleans()),
)


class AnyCourse(RuleBasedStateMachine):
    """A simulated account and everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench()
        self.created: Counter[str] = Counter()
        self.final: dict[tuple[str, Any], dict[str, Any]] = {}

    def call(self, operation: str, **request: Any) -> dict[str, Any] | None:
        """The answer, or None when the service refuses in a way that it may."""
        try:
            return self.bench.call(operation, **request)
        except ServiceError as error:
            assert error.code in EXPECTED, error.code  # noqa: PT017 anything else is a fault of the simulator
            return None

    @rule(request=requests, plan=plans)
    def create(self, request: dict[str, Any], plan: Plan) -> None:
        name = request["TrainingJobName"]
        self.bench.simulator.plans[name] = plan
        if self.call("CreateTrainingJob", **request) is not None:
            self.created[name] += 1

    @precondition(lambda self: len(self.tuning_jobs()) < 3)
    @rule(number=st.integers(1, 4), parallel=st.integers(1, 3), plan=plans)
    def tune(self, number: int, parallel: int, plan: Plan) -> None:
        name = f"tune-{len(self.tuning_jobs())}"
        self.bench.simulator.plans[name] = plan
        self.call("CreateHyperParameterTuningJob", **tuning_request(name, number=number, parallel=parallel))

    @rule(number=st.integers(0, 2))
    def stop_tuning(self, number: int) -> None:
        self.call("StopHyperParameterTuningJob", HyperParameterTuningJobName=f"tune-{number}")

    @rule(name=names)
    def stop(self, name: str) -> None:
        self.call("StopTrainingJob", TrainingJobName=name)

    @rule(name=names, seconds=st.sampled_from([0, 1, 600, 7200]))
    def update(self, name: str, seconds: int) -> None:
        self.call("UpdateTrainingJob", TrainingJobName=name, ResourceConfig={"KeepAlivePeriodInSeconds": seconds})

    @rule(name=names)
    def delete(self, name: str) -> None:
        self.call("DeleteTrainingJob", TrainingJobName=name)

    @rule(seconds=st.sampled_from([0, 59, 600, 3601, 100_000]))
    def advance(self, seconds: int) -> None:
        self.bench.pass_time(seconds)

    @rule(size=st.integers(1, 4), by=st.sampled_from(["Name", "CreationTime", "Status"]))
    def list_all(self, size: int, by: str) -> None:
        found: list[str] = []
        request: dict[str, Any] = {"MaxResults": size, "SortBy": by}
        while True:
            answer = self.bench.call("ListTrainingJobs", **request)
            found += [job["TrainingJobName"] for job in answer["TrainingJobSummaries"]]
            if "NextToken" not in answer:
                break
            request["NextToken"] = answer["NextToken"]
        assert sorted(found) == sorted(job["TrainingJobName"] for job in self.jobs())

    def jobs(self) -> list[dict[str, Any]]:
        """Every training job, described and found alike."""
        results = self.bench.call("Search", Resource="TrainingJob", MaxResults=100)["Results"]
        return [self.bench.describe(one["TrainingJob"]["TrainingJobName"]) for one in results]

    def tuning_jobs(self) -> list[dict[str, Any]]:
        answer = self.bench.call("ListHyperParameterTuningJobs")
        found: list[dict[str, Any]] = answer["HyperParameterTuningJobSummaries"]
        return found

    @invariant()
    def all_jobs_are_consistent(self) -> None:
        jobs = self.jobs()
        self.a_pool_is_taken_by_one_job_and_its_bill_is_not_negative(jobs)
        self.seconds_belong_to_ended_jobs_and_spot_bills_no_more_than_it_trained(jobs)
        self.an_ended_job_stays_as_it_ended(jobs)
        self.events_are_exactly_the_transitions_in_the_order_of_time(jobs)

    def a_pool_is_taken_by_one_job_and_its_bill_is_not_negative(self, jobs: Jobs) -> None:
        pools = [job["WarmPoolStatus"] for job in jobs if "WarmPoolStatus" in job]
        taken = Counter(pool["ReusedByJob"] for pool in pools if "ReusedByJob" in pool)
        assert all(count <= self.created[name] for name, count in taken.items())
        for pool in pools:
            assert (pool["Status"] == "Reused") is ("ReusedByJob" in pool)
            assert pool.get("ResourceRetainedBillableTimeInSeconds", 0) >= 0
            assert ("ResourceRetainedBillableTimeInSeconds" in pool) is (pool["Status"] in {"Reused", "Terminated"})

    def seconds_belong_to_ended_jobs_and_spot_bills_no_more_than_it_trained(self, jobs: Jobs) -> None:
        for job in jobs:
            billed, trained = job.get("BillableTimeInSeconds"), job.get("TrainingTimeInSeconds")
            assert (billed is None) is (trained is None)
            if billed is None or trained is None:
                continue
            assert job["TrainingJobStatus"] in ENDED
            assert billed <= trained if job["EnableManagedSpotTraining"] else billed == trained

    def an_ended_job_stays_as_it_ended(self, jobs: Jobs) -> None:
        for job in jobs:
            if job["TrainingJobStatus"] in ENDED:
                kept = ("TrainingJobStatus", "SecondaryStatus", "TrainingEndTime", "SecondaryStatusTransitions")
                now = {name: job.get(name) for name in kept}
                assert self.final.setdefault((job["TrainingJobName"], job["CreationTime"]), now) == now

    def events_are_exactly_the_transitions_in_the_order_of_time(self, jobs: Jobs) -> None:
        moments = [event["Time"] for event in self.bench.events]
        assert moments == sorted(moments)
        told: dict[tuple[str, str], list[tuple[str, float]]] = {}
        for event in self.bench.events:
            if event["DetailType"] == TRAINING:
                detail = event["Detail"]
                key = (detail["TrainingJobName"], detail["CreationTime"])
                told.setdefault(key, []).append((detail["SecondaryStatus"], event["Time"]))
        for job in jobs:
            happened = [(s["Status"], s["StartTime"].timestamp()) for s in job["SecondaryStatusTransitions"]]
            key = (job["TrainingJobName"], str(round(job["CreationTime"].timestamp() * 1000)))
            assert told[key] == happened

    @invariant()
    def a_tuning_job_runs_no_more_than_it_may(self) -> None:
        for job in self.tuning_jobs():
            counters, limits = job["TrainingJobStatusCounters"], job["ResourceLimits"]
            assert counters["InProgress"] <= limits["MaxParallelTrainingJobs"]
            assert sum(counters.values()) <= limits["MaxNumberOfTrainingJobs"]
            assert ("HyperParameterTuningEndTime" in job) is (job["HyperParameterTuningJobStatus"] in ENDED)
            if job["HyperParameterTuningJobStatus"] in ENDED:
                assert counters["InProgress"] == 0


AnyCourse.TestCase.settings = settings(max_examples=100, stateful_step_count=20, deadline=None)
TestAnyCourse = AnyCourse.TestCase
