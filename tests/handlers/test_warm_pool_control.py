"""From a job's end to its pool's, against the simulator of SageMaker on a stepped clock."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.builders import price
from tests.handlers.pool_world import PoolWorld
from tests.local.simulator.bench import Everyone, create_request, pool_request, spot_request
from tests.local.simulator.tuning_requests import tuning_request
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pool_settings import Mode, PoolRule
from trainops.domain.warm_pools import PoolState
from trainops.errors import PoisonMessage
from trainops.telemetry import Metric

MINUTE = timedelta(minutes=1)


def world(**chosen: Any) -> PoolWorld:
    return PoolWorld(FakeSettings(settings(**chosen)), price=price())


def figures(w: PoolWorld) -> dict[Metric, Decimal]:
    """Everything that was published of team default."""
    found: dict[Metric, Decimal] = {}
    for outcome in w.outcomes:
        for metric, value in outcome.figures.get("default", {}).items():
            found[metric] = found.get(metric, Decimal(0)) + value
    return found


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


def test_an_observing_team_is_touched_nowhere_and_told_nothing_but_what_it_would_have_saved() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=90)
    assert w.client.count("UpdateTrainingJob") == 0
    assert w.news() == []
    assert (w.pool().state, w.client.count("DescribeTrainingJob")) == (PoolState.EXPIRED, 3)
    assert figures(w)[Metric.WOULD_AVOID_USD] == Decimal("2.3467"), "50 of 60 minutes on two instances"
    assert figures(w)[Metric.IDLE_USD] == Decimal("2.8160")
    assert Metric.AVOIDED_USD not in figures(w)


def test_an_observing_team_hears_how_many_reuses_ending_would_have_cost() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=35)
    w.run("job-2", keep_alive=3600)
    w.pass_time(minutes=5)
    assert (w.pool().state, w.pool().reused_by) == (PoolState.REUSED, "job-2")
    assert figures(w)[Metric.WOULD_HAVE_MISSED] == 1


@pytest.mark.case("SP-18")
def test_what_was_avoided_is_the_rest_of_the_period_asked_for_and_not_counted_as_running() -> None:
    w = world()
    w.run(keep_alive=1800)
    w.pass_time(10, minutes=30)
    assert figures(w)[Metric.AVOIDED_HOURS] == Decimal(20 * 60 * 2) / 3600
    assert figures(w)[Metric.AVOIDED_USD] == Decimal("0.9387")
    assert figures(w)[Metric.RETAINED_USD] == Decimal("0.4693")
    assert not [metric for metric in figures(w) if "spot" in metric.lower()]


def test_money_without_a_price_is_unknown_and_counted() -> None:
    w = PoolWorld(FakeSettings(settings()))
    w.run(keep_alive=1800)
    w.pass_time(10, minutes=30)
    assert figures(w)[Metric.POOLS_WITHOUT_PRICE] == 1
    assert Metric.AVOIDED_USD not in figures(w)
    assert figures(w)[Metric.AVOIDED_HOURS] > 0
    assert "avoids unknown" in w.pool().news["Ended"].reason


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
    request = tuning_request(number=1, parallel=1)
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


@pytest.mark.parametrize("grace", [0, 2])
def test_a_pool_that_was_asked_for_and_never_kept_is_nobodys_news(grace: int) -> None:
    w = world(grace=grace * MINUTE, idle_limit=timedelta(0))
    w.bench.simulator.may_retain = lambda job: False  # type: ignore[method-assign]
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=30)
    assert (w.pool().state, w.news(), w.client.count("UpdateTrainingJob")) == (PoolState.ABSENT, [], 0)
    assert w.client.count("DescribeTrainingJob") <= 2 + 5
    assert figures(w) == {}


def test_a_pool_that_is_shown_some_seconds_after_its_jobs_end_is_ended_then() -> None:
    w = world(idle_limit=timedelta(0))
    w.bench.simulator.switches = Switches(pool_available_lag_seconds=5)
    w.run(keep_alive=3600)
    w.pass_time(5, minutes=15)
    assert w.pool().state is PoolState.ENDED
    assert w.pool().refusal is None


def test_a_pool_that_a_job_took_is_not_ended_and_the_start_says_so() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=20)
    w.run("job-2", keep_alive=3600)
    w.pass_time(minutes=2)
    first = w.pool()
    assert (first.state, first.reused_by, first.next_job) == (PoolState.REUSED, "job-2", "job-2")
    assert first.next_start == w.bench.describe("job-2")["CreationTime"]
    w.pass_time(10, minutes=60)
    assert w.pool("job-2").state is PoolState.ENDED
    assert w.client.count("UpdateTrainingJob") == 1
    assert figures(w)[Metric.POOLS_REUSED] == 1
    assert figures(w)[Metric.POOLS_OVER] == 2


@pytest.mark.parametrize("what", ["reused", "terminated", "patched"])
def test_a_pool_that_goes_between_look_and_act_is_an_ordinary_outcome(what: str) -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=13)
    happened: list[str] = []

    def meanwhile(operation: str) -> None:
        if operation == "UpdateTrainingJob" and not happened:
            happened.append(what)
            pool = w.bench.simulator.get(w.bench.caller.scope, "job-1").retained
            assert pool is not None
            if what == "reused":
                w.bench.call("CreateTrainingJob", **pool_request("job-2"))
            else:
                pool.terminate(w.now)

    w.client.before = meanwhile
    w.pass_time(10, minutes=11)
    assert happened == [what]
    expected = {"reused": PoolState.REUSED}.get(what, PoolState.EXPIRED)
    assert (w.pool().state, w.pool().refusal) == (expected, None)
    assert w.news() == []


@pytest.mark.case("IA-01")
def test_a_refusal_is_reported_once_with_its_text_and_the_pool_is_settled_when_it_expires() -> None:
    w = world()
    w.bench.caller = w.bench.caller.__class__(denied=frozenset({"sagemaker:UpdateTrainingJob"}))
    assert isinstance(w.bench.caller, Everyone)
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=30)
    pool = w.pool()
    assert (pool.state, pool.refusal) == (PoolState.KEPT, "AccessDeniedException: sagemaker:UpdateTrainingJob")
    assert w.news() == ["Warm Pool Ended job-1"]
    assert pool.news["Refused"].reason.startswith("SageMaker would not do it, so it stays and is billed: AccessDenied")
    assert sum(outcome.counts.get(Metric.POOLS_REFUSED, 0) for outcome in w.outcomes) == 1
    w.pass_time(minutes=60)
    assert w.pool().state is PoolState.EXPIRED
    assert w.client.count("UpdateTrainingJob") == 1


def test_the_kill_switch_stops_every_action_and_observation_goes_on() -> None:
    w = world(grace=MINUTE)
    w.kill_switch.on = True
    w.run(keep_alive=3600)
    w.pass_time(minutes=30)
    assert (w.status(), w.pool().state, w.news()) == ("Available", PoolState.KEPT, [])
    assert sum(outcome.counts.get(Metric.SUPPRESSED, 0) for outcome in w.outcomes) >= 1
    w.kill_switch.on = False
    w.pass_time(10, minutes=20)
    assert w.pool().state is PoolState.ENDED


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
    assert "idle limit 5 min for ml.p4d.* comes first" in dear.plan.reason


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


def test_a_forged_announcement_does_nothing() -> None:
    w = world()
    detail = {"job": {"arn": "arn:a:training-job/x", "created": "2026-03-01T12:00:00Z"}, "announcement": "Finished/x"}
    outcome = w.control({"detail-type": "Training Job Finished", "detail": detail})
    assert outcome.counts == {Metric.IGNORED: 1}
    assert w.client.asked == []


@pytest.mark.parametrize("message", [{}, {"detail-type": "Warm Pool Look"}, {"detail": {"job": 1}}])
def test_a_malformed_message_is_poison(message: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="neither a trainops event of version 1 nor a look"):
        world().control(message)


def test_repeated_messages_end_a_pool_once() -> None:
    w = world()
    w.run(keep_alive=3600)
    while w.now < w.bench.describe()["CreationTime"] + 40 * MINUTE:
        w.queue.waiting = [item for item in w.queue.waiting for _ in range(2)][:6]
        w.pass_time(30, minutes=1)
    assert w.client.count("UpdateTrainingJob") == 1
    assert w.news() == ["Warm Pool Ended job-1"]


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


def test_a_period_that_a_person_changed_meanwhile_is_what_is_avoided_of() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=15)
    w.bench.call("UpdateTrainingJob", TrainingJobName="job-1", ResourceConfig={"KeepAlivePeriodInSeconds": 1200})
    w.pass_time(10, minutes=15)
    assert w.pool().state is PoolState.ENDED
    assert figures(w)[Metric.AVOIDED_HOURS] == Decimal(10 * 60 * 2) / 3600
