"""Whatever is asked in whatever order: answers fit the model, pools, bills and events stay consistent, limits are kept.

Every answer is checked against botocore's model by the Api itself; here is what must hold between answers, and, of the
quotas, at every moment at which anything changes.
"""

from collections import Counter, defaultdict
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from local.limits import SAGEMAKER, Limits
from local.sagemaker.describe import describe
from local.sagemaker.errors import ServiceError
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.plans import Plan
from local.sagemaker.quota_admission import admission_by
from local.sagemaker.scope import Scope
from tests.local.simulator import what_must_hold
from tests.local.simulator.bench import Bench, pool_request
from tests.local.simulator.drawn import durations, names, plans, several, small_quotas, which
from tests.local.simulator.tuning_requests import tuning_request
from tests.local.simulator.what_must_hold import ENDED

REFUSALS = {"ValidationException", "ResourceNotFound", "ResourceInUse", "ResourceLimitExceeded", "ThrottlingException"}


class AnyCourse(RuleBasedStateMachine):
    """A simulated account and everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench()
        self.created: Counter[str] = Counter()
        self.final: dict[tuple[str, Any], dict[str, Any]] = {}
        self.quotas: dict[str, float] = {}
        self.moved: dict[int, TrainingJob] = {}
        self.bench.simulator.admission = admission_by(lambda _scope, name: self.quotas[name])
        self.bench.simulator.followers.append(self.quotas_hold_when_a_job_moves_on)
        self.seconds = 0.0
        self.limits = Limits(lambda: self.seconds)
        self.admitted: defaultdict[str, list[float]] = defaultdict(list)

    @initialize(
        quotas=small_quotas, limited=st.sampled_from([False, False, False, True]), wanted=several, seconds=durations
    )
    def open_account(
        self, quotas: dict[str, float], wanted: list[tuple[dict[str, Any], Plan]], seconds: int, *, limited: bool
    ) -> None:
        """In every course jobs are created and time passes, whichever rules are tried beside."""
        self.quotas |= quotas
        self.limits.on = limited
        self.create(wanted, seconds)

    def call(self, operation: str, **request: Any) -> dict[str, Any] | None:
        """The answer, or None when the service refuses in a way that it may."""
        self.refusal = ""
        try:
            self.limits.admit(SAGEMAKER, self.bench.caller.scope, operation)
            self.admitted[operation].append(self.seconds)
            return self.bench.call(operation, **request)
        except ServiceError as error:
            assert error.code in REFUSALS, error.code  # noqa: PT017 anything else is a fault of the simulator
            self.refusal = error.code
            return None

    @rule(wanted=several, seconds=durations)
    def create(self, wanted: list[tuple[dict[str, Any], Plan]], seconds: int) -> None:
        for request, plan in wanted:
            self.create_one(request, plan)
        self.advance(seconds)

    def create_one(self, request: dict[str, Any], plan: Plan) -> None:
        name = request["TrainingJobName"]
        self.bench.simulator.plans[name] = plan
        if self.call("CreateTrainingJob", **request) is not None:
            self.created[name] += 1
        if self.refusal == "ResourceLimitExceeded":
            what_must_hold.a_quota_refused_it(request, self.jobs(), self.quotas)

    @precondition(lambda self: len(self.tuning_jobs()) < 3)
    @rule(number=st.integers(1, 4), parallel=st.integers(1, 3), plan=plans)
    def tune(self, number: int, parallel: int, plan: Plan) -> None:
        name = f"tune-{len(self.tuning_jobs())}"
        self.bench.simulator.plans[name] = plan
        self.call("CreateHyperParameterTuningJob", **tuning_request(name, number=number, parallel=parallel))

    @rule(number=st.integers(0, 2))
    def stop_tuning(self, number: int) -> None:
        self.call("StopHyperParameterTuningJob", HyperParameterTuningJobName=f"tune-{number}")

    @rule(name=names, keep_alive=st.sampled_from([3600, 600]))
    def leave_a_pool(self, name: str, keep_alive: int) -> None:
        """What comes of chance too rarely for pools to be taken and updated."""
        self.create_one(pool_request(name, keep_alive=keep_alive), Plan())
        self.advance(900)

    @rule(number=which)
    def stop(self, number: int) -> None:
        self.call("StopTrainingJob", TrainingJobName=self.one_of_the_jobs(number))

    @rule(number=which, seconds=st.sampled_from([600, 7200, 1, 0]))
    def update(self, number: int, seconds: int) -> None:
        period = {"KeepAlivePeriodInSeconds": seconds}
        self.call("UpdateTrainingJob", TrainingJobName=self.one_of_the_jobs(number), ResourceConfig=period)

    @rule(number=which)
    def delete(self, number: int) -> None:
        self.call("DeleteTrainingJob", TrainingJobName=self.one_of_the_jobs(number))

    def one_of_the_jobs(self, number: int) -> str:
        known = [*self.created, "nobody"]
        return known[number % len(known)]

    @rule(seconds=durations)
    def advance(self, seconds: int) -> None:
        self.seconds += seconds
        self.bench.pass_time(seconds)

    @rule(seconds=st.sampled_from([0.1, 0.5, 1, 5]))
    def wait(self, seconds: float) -> None:
        self.seconds += seconds

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
        what_must_hold.a_pool_is_taken_by_one_job_and_its_bill_is_not_negative(jobs, self.created)
        what_must_hold.seconds_belong_to_ended_jobs_and_spot_bills_no_more_than_it_trained(jobs)
        what_must_hold.events_are_exactly_the_transitions_in_the_order_of_time(jobs, self.bench.events)
        what_must_hold.no_quota_is_exceeded(jobs, self.quotas)
        what_must_hold.the_count_is_that_of_the_jobs(self.bench.simulator.usage(self.bench.caller.scope), jobs)
        self.an_ended_job_stays_as_it_ended(jobs)

    @invariant()
    def nothing_is_overdue(self) -> None:
        now = self.bench.clock.now()
        due = {job.name: job.next_at for job in self.bench.simulator.jobs(self.bench.caller.scope)}
        assert all(at is None or at > now for at in due.values()), due

    @invariant()
    def calls_keep_to_the_rates(self) -> None:
        if self.limits.on:
            what_must_hold.calls_keep_to_the_rates(self.admitted)

    def quotas_hold_when_a_job_moves_on(self, _scope: Scope, job: TrainingJob) -> None:
        """Also in the middle of a jump of the clock."""
        self.moved[job.number] = job
        what_must_hold.no_quota_is_exceeded([describe(one) for one in self.moved.values()], self.quotas)

    def an_ended_job_stays_as_it_ended(self, jobs: list[dict[str, Any]]) -> None:
        for job in jobs:
            if job["TrainingJobStatus"] in ENDED:
                kept = ("TrainingJobStatus", "SecondaryStatus", "TrainingEndTime", "SecondaryStatusTransitions")
                now = {name: job.get(name) for name in kept}
                assert self.final.setdefault((job["TrainingJobName"], job["CreationTime"]), now) == now

    @invariant()
    def a_tuning_job_runs_no_more_than_it_may(self) -> None:
        for job in self.tuning_jobs():
            counters, limits = job["TrainingJobStatusCounters"], job["ResourceLimits"]
            assert counters["InProgress"] <= limits["MaxParallelTrainingJobs"]
            assert sum(counters.values()) <= limits["MaxNumberOfTrainingJobs"]
            assert ("HyperParameterTuningEndTime" in job) is (job["HyperParameterTuningJobStatus"] in ENDED)
            if job["HyperParameterTuningJobStatus"] in ENDED:
                assert counters["InProgress"] == 0


AnyCourse.TestCase.settings = settings(max_examples=150, stateful_step_count=20, deadline=None)
TestAnyCourse = AnyCourse.TestCase
