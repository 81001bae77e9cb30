"""From a job's end to its pool's, against the simulator of SageMaker on a stepped clock."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.plans import Plan
from local.sagemaker.switches import OTHER_POSITIONS, Switches
from tests.handlers.pool_world import MINUTE, world
from tests.local.simulator.bench import create_request, spot_request
from tests.local.simulator.tuning_requests import definition, tuning_request
from trainops.domain.warm_pool_settings import PoolRule
from trainops.domain.warm_pools import PoolState


@pytest.mark.case("IA-01")
@pytest.mark.parametrize("counts_from", ["end", "now"])
def test_a_pool_is_ended_when_it_is_due_and_the_result_is_read_back(counts_from: Any) -> None:
    w = world()
    w.bench.simulator.switches = Switches(keep_alive_update_counts_from=counts_from)
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=22, seconds=40)
    assert w.status() == "Available"
    w.pass_time(10, minutes=1)
    assert w.status() == "Terminated"
    pool = w.pool()
    assert (pool.state, pool.released) == (PoolState.ENDED, pool.ended + 10 * MINUTE), "requested, and confirmed"
    assert w.news() == ["Warm Pool Ended job-1"]
    assert pool.news["Ended"].reason.startswith(
        "ended 10 min after its job, avoids $2.35: release now, of 1 h asked for"
    )


@pytest.mark.parametrize("switches", [Switches(), Switches(**OTHER_POSITIONS)], ids=["default", "turned"])
def test_a_pool_whose_jobs_start_and_end_are_told_together_afterwards_is_ended_without_another_wait(
    switches: Switches,
) -> None:
    w = world(idle_limit=timedelta(seconds=20))
    w.bench.simulator.switches = switches
    w.run(keep_alive=3600)
    w.bench.pass_time(30 * 60)
    w.pass_time(10, minutes=2)
    pool = w.pool()
    assert (pool.state, w.status()) == (PoolState.ENDED, "Terminated")
    [told] = [event for event in w.bus.published if event.detail_type == "Training Job Finished"]
    assert told.time >= pool.ended, "the news of an end is never older than the end"


def test_the_budget_of_a_pool_that_is_ended_is_a_describe_an_update_and_a_describe() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=13)
    assert w.client.count("DescribeTrainingJob") == 2, "the intake's own, at the start and the end"
    w.pass_time(10, minutes=20)
    assert [name for name, _ in w.client.asked][-4:] == [
        "DescribeTrainingJob",
        "ListTags",
        "UpdateTrainingJob",
        "DescribeTrainingJob",
    ]
    assert w.client.count("DescribeTrainingJob") == 4


@pytest.mark.case("WP-03")
def test_the_pool_of_a_failed_job_is_ended_like_any_other() -> None:
    w = world()
    w.run(plan=Plan(outcome="Failed", failure_reason="AlgorithmError: ExitCode 1"), keep_alive=3600)
    w.pass_time(minutes=13)
    assert w.bench.describe()["TrainingJobStatus"] == "Failed"
    assert w.status() == "Available"
    w.pass_time(10, minutes=12)
    assert (w.status(), w.pool().state) == ("Terminated", PoolState.ENDED)


def test_the_pool_of_a_stopped_job_is_ended_like_any_other() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=5)
    w.bench.call("StopTrainingJob", TrainingJobName="job-1")
    w.pass_time(10, minutes=13)
    assert w.pool().state is PoolState.ENDED


def test_a_pool_that_failed_with_its_machines_never_was() -> None:
    w = world()
    w.run(plan=Plan(outcome="Failed", failure_reason="InternalServerError"), keep_alive=3600)
    w.pass_time(minutes=30)
    assert w.pool().state is PoolState.EXPIRED
    assert w.pool().released == w.pool().ended
    assert w.client.count("UpdateTrainingJob") == 0


@pytest.mark.case("WP-06")
def test_jobs_of_a_tuning_job_are_told_once_that_pools_do_not_apply_and_never_looked_at() -> None:
    w = world()
    resources = {**create_request()["ResourceConfig"], "KeepAlivePeriodInSeconds": 600}
    asked = definition(HyperParameterTuningResourceConfig=None, ResourceConfig=resources)
    request = tuning_request(number=1, parallel=1, TrainingJobDefinition=asked)
    w.bench.call("CreateHyperParameterTuningJob", **request)
    w.pass_time(minutes=60)
    child = w.bench.call("ListTrainingJobs")["TrainingJobSummaries"][0]["TrainingJobName"]
    described = w.client.count("DescribeTrainingJob")
    said = [outcome.reason for outcome in w.outcomes if "warm pools do not apply to tuning jobs" in outcome.reason]
    assert len(said) == 1
    assert w.pools.items == {}
    assert w.queue.waiting == []
    assert described == 2, f"{child} is described at its start and end and never again"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (spot_request(), "managed spot jobs leave no warm pool"),
        (create_request(), "no warm pool was asked for"),
    ],
)
def test_a_job_that_leaves_no_pool_is_left_alone(request_: dict[str, Any], reason: str) -> None:
    w = world()
    w.bench.call("CreateTrainingJob", **request_)
    w.pass_time(minutes=30)
    assert reason in [outcome.reason for outcome in w.outcomes]
    assert w.pools.items == {}


def test_the_owner_is_told_before_and_after() -> None:
    w = world(grace=2 * MINUTE)
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=21)
    assert w.news() == ["Warm Pool Ending job-1"]
    assert w.pool().look_at == w.pool().ended + 10 * MINUTE
    assert w.status() == "Available"
    w.pass_time(10, minutes=2)
    assert w.news() == ["Warm Pool Ending job-1", "Warm Pool Ended job-1"]
    assert w.pool().released == w.pool().ended + 10 * MINUTE


def test_a_pool_that_goes_by_itself_before_its_due_time_is_not_announced() -> None:
    w = world(grace=2 * MINUTE)
    w.run(keep_alive=300)
    w.pass_time(minutes=30)
    assert w.news() == []
    assert (w.pool().state, w.client.count("UpdateTrainingJob")) == (PoolState.EXPIRED, 0)


@pytest.mark.case("WP-15")
def test_an_expensive_pool_idle_for_five_minutes_is_ended_and_a_cheap_one_idle_for_25_is_not() -> None:
    rules = (PoolRule(idle_limit=5 * MINUTE, instance_types=("ml.p4d.*",)),)
    w = world(idle_limit=30 * MINUTE, rules=rules)
    resources = {"InstanceCount": 1, "VolumeSizeInGB": 50, "KeepAlivePeriodInSeconds": 3600}
    long = Plan(training_seconds=600 + 20 * 60)
    for name, kind, plan in (("cheap", "ml.m5.xlarge", None), ("dear", "ml.p4d.24xlarge", long)):
        w.run(name, plan=plan, ResourceConfig={**resources, "InstanceType": kind})
    w.pass_time(10, minutes=38)
    assert (w.status("dear"), w.status("cheap")) == ("Terminated", "Available")
    dear, cheap = w.pool("dear"), w.pool("cheap")
    assert dear.released == dear.ended + 5 * MINUTE
    assert w.now - cheap.ended > 25 * MINUTE
    assert dear.plan is not None
    assert dear.plan.reason.startswith("idle limit 5 min for ml.p4d.*; without it: keep 30 min after the end")


@pytest.mark.case("WP-15")
def test_a_policy_that_was_deleted_ends_nothing_and_counts_again_once_it_is_back() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=15)
    w.settings.missing = {"default"}
    w.pass_time(10, minutes=15)
    assert w.status() == "Available"
    assert "later: the settings of default cannot be read" in [outcome.reason for outcome in w.outcomes]
    w.settings.missing = set()
    w.settings.chosen = replace(w.settings.chosen, idle_limit=25 * MINUTE)
    w.pass_time(10, minutes=20)
    pool = w.pool()
    assert pool.plan is not None
    assert (pool.state, pool.plan.due) == (PoolState.ENDED, pool.ended + 25 * MINUTE), "the policy as it is now"
    assert pool.released is not None
    assert pool.released >= pool.plan.due


def test_every_start_and_end_is_noted_for_the_sweep_to_learn_from() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=20)
    w.run("job-2", keep_alive=0)
    w.pass_time(minutes=20)
    notes = sorted((lesson.at, type(lesson).__name__) for lesson in w.histories.notes.values())
    assert [kind for _, kind in notes] == ["JobCreated", "JobEnded", "JobCreated", "JobEnded"]
    ended = [lesson for lesson in w.histories.notes.values() if type(lesson).__name__ == "JobEnded"]
    assert [lesson.trial is not None for lesson in ended] == [True, False]  # type: ignore[union-attr]
