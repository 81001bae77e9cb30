"""Pools that go, are taken, refused or never were, between two looks; and messages that are repeated or forged."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.plans import Plan
from local.sagemaker.switches import Switches
from tests.handlers.pool_world import MINUTE, figures, world
from tests.local.simulator.bench import Everyone, pool_request
from tests.pool_fakes import settings
from trainops.domain.warm_pools import PoolState
from trainops.errors import PoisonMessage
from trainops.telemetry import Field, Metric


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
    assert figures(w)[Field.POOLS_REUSED] == 1
    assert figures(w)[Field.POOLS_OVER] == 2


def test_a_running_job_that_has_the_name_of_an_earlier_one_keeps_the_pool_it_took() -> None:
    w = world()
    w.run("job-1", keep_alive=3600)
    w.pass_time(10, minutes=14)
    w.bench.simulator.emit = False
    w.run("job-2", plan=Plan(starting_seconds=20, training_seconds=60), keep_alive=3600)
    w.pass_time(10, minutes=3)
    w.bench.call("DeleteTrainingJob", TrainingJobName="job-1")
    w.run("job-1", plan=Plan(training_seconds=3600), keep_alive=3600)
    assert w.status("job-1") == "InUse"
    w.pass_time(10, minutes=10)
    assert (w.status("job-1"), w.client.count("UpdateTrainingJob")) == ("InUse", 0)
    assert w.pool("job-1").state is PoolState.ABSENT


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


def test_repeated_messages_end_a_pool_once() -> None:
    w = world()
    w.run(keep_alive=3600)
    while w.now < w.bench.describe()["CreationTime"] + 40 * MINUTE:
        w.queue.waiting = [item for item in w.queue.waiting for _ in range(2)][:6]
        w.pass_time(30, minutes=1)
    assert w.client.count("UpdateTrainingJob") == 1
    assert w.news() == ["Warm Pool Ended job-1"]


def test_a_forged_announcement_does_nothing() -> None:
    w = world()
    detail = {"job": {"arn": "arn:a:training-job/x", "created": "2026-03-01T12:00:00Z"}, "announcement": "Finished/x"}
    outcome = w.control({"detail-type": "Training Job Finished", "detail": detail})
    assert outcome.counts == {Field.IGNORED: 1}
    assert w.client.asked == []


@pytest.mark.parametrize("message", [{}, {"detail-type": "Warm Pool Look"}, {"detail": {"job": 1}}])
def test_a_malformed_message_is_poison(message: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="neither a trainops event of version 1 nor a look"):
        world().control(message)


def test_a_fault_of_our_own_while_acting_is_not_put_down_to_the_message() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(minutes=15)
    w.settings.chosen = settings(policy="unheard-of")
    with pytest.raises(KeyError, match="unheard-of"):
        w.pass_time(minutes=10)


def test_the_kill_switch_stops_every_action_and_observation_goes_on() -> None:
    w = world(grace=MINUTE)
    w.kill_switch.on = True
    w.run(keep_alive=3600)
    w.pass_time(minutes=30)
    assert (w.status(), w.pool().state, w.news()) == ("Available", PoolState.KEPT, [])
    assert sum(outcome.counts.get(Field.SUPPRESSED, 0) for outcome in w.outcomes) >= 1
    w.kill_switch.on = False
    w.pass_time(10, minutes=20)
    assert w.pool().state is PoolState.ENDED
