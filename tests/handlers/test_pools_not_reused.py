"""Why a warm pool was not reused, through intake and control against the simulator: what events, ledger, log and cards
come to say.
"""

from typing import Any

import pytest

from tests.handlers.pool_answers import RESOURCES, card, item, kept, said
from tests.handlers.pool_world import world
from tests.local.simulator.bench import spot_request
from tests.local.simulator.tuning_requests import tuning_request
from trainops.domain.announcements import AnnouncementType
from trainops.domain.pool_misses import MissKind
from trainops.domain.warm_pool_settings import Mode


@pytest.mark.case("WP-04")
def test_a_changed_volume_is_named_in_the_start_message_the_event_the_ledger_and_the_log() -> None:
    w = kept()
    described = w.client.count("DescribeTrainingJob")
    w.run("job-2", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 200})
    w.settle()
    [miss] = item(w, "job-2").pool_misses
    assert (miss.kind, miss.pool, miss.told_in) == (MissKind.FIELDS, "job-1", AnnouncementType.STARTED)
    [told] = said(w, "job-2", "Started")
    assert told["differences"] == [{"field": "ResourceConfig.VolumeSizeInGB", "old": "250", "new": "200"}]
    assert miss.sentence in card(w, "job-2", "Started")
    assert any(miss.sentence in outcome.reason for outcome in w.outcomes)
    assert w.client.count("DescribeTrainingJob") == described + 1, "its own start, nothing more"
    w.pass_time(minutes=20)
    assert said(w, "job-2", "Finished/Completed") == [told], "not everyone hears of starts"
    assert miss.sentence in card(w, "job-2", "Finished/Completed")
    assert item(w, "job-2").pool_misses == (miss,)


def test_a_job_that_takes_the_pool_misses_nothing_from_its_start_to_its_end() -> None:
    w = kept()
    w.run("other", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 50})
    w.pass_time(minutes=1)
    w.run("job-2", ResourceConfig=RESOURCES)
    w.pass_time(minutes=60)
    assert w.status() == "Reused"
    assert item(w, "job-2").started_warm
    assert item(w, "job-2").pool_misses == ()
    assert item(w, "other").pool_misses != ()


def test_a_warm_start_is_remembered_when_the_ledger_no_longer_has_the_pool() -> None:
    w = kept()
    w.run("other", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 50})
    w.run("job-2", ResourceConfig=RESOURCES)
    w.pass_time(minutes=5)
    del w.pools.items[w.key()]
    w.pass_time(minutes=20)
    w.run("job-3", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 70})
    w.settle()
    assert item(w, "job-2").pool_misses == ()
    assert item(w, "job-3").pool_misses != ()


def test_a_warm_start_that_the_api_shows_late_is_believed_and_what_was_said_is_taken_back() -> None:
    w = kept()
    w.run("other", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 50})
    w.pass_time(minutes=17)
    shown = w.bench.describe

    w.run("job-2", ResourceConfig=RESOURCES)
    hidden = {**shown("job-2"), "WarmPoolStatus": None}
    describe = w.client.describe_training_job
    w.client.describe_training_job = lambda **request: (  # type: ignore[method-assign]
        hidden if request["TrainingJobName"] == "job-2" else describe(**request)
    )
    w.settle()
    assert not item(w, "job-2").started_warm
    w.client.describe_training_job = describe  # type: ignore[method-assign]
    w.pass_time(minutes=17)
    assert item(w, "job-2").started_warm
    assert item(w, "job-2").pool_misses == ()


@pytest.mark.parametrize(("name", "fits"), [("job-2", True), ("job-3", False)])
def test_a_job_whose_start_nobody_saw_is_known_at_its_end_to_have_taken_a_pool(name: str, *, fits: bool) -> None:
    w = kept()
    w.run(name, ResourceConfig={**RESOURCES, "VolumeSizeInGB": 250 if fits else 60})
    w.lose_events()
    asked = w.client.count("DescribeTrainingJob")
    w.pass_time(minutes=16)
    assert item(w, name).took_pool is fits
    assert (item(w, name).pool_misses == ()) is fits
    assert w.client.count("DescribeTrainingJob") == asked + 1 + fits, "its own end, and who took the pool that fits"


def test_a_fitting_pool_that_was_not_taken_is_only_spoken_of_once_the_job_is_over() -> None:
    w = kept()
    w.bench.caller.session_keys = frozenset({"tenant"})
    chaining: dict[str, Any] = {"SessionChainingConfig": {"EnableSessionTagChaining": True}}
    w.run("job-a", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 60}, **chaining)
    w.pass_time(minutes=17)
    w.bench.caller.session_keys = frozenset({"other"})
    w.run("job-b", ResourceConfig={**RESOURCES, "VolumeSizeInGB": 60}, **chaining)
    w.pass_time(minutes=17)
    assert said(w, "job-b", "Started") == []
    [told] = said(w, "job-b", "Finished/Completed")
    assert (told["kind"], told["pool"]) == ("nothing-differs", "job-a")
    assert "not known here: session tags" in told["reason"]


def test_a_pool_that_another_job_took_is_named_with_its_taker() -> None:
    w = kept()
    w.run("job-2", ResourceConfig=RESOURCES)
    w.pass_time(minutes=1)
    w.run("job-3", ResourceConfig=RESOURCES)
    w.pass_time(minutes=20)
    [miss] = item(w, "job-3").pool_misses
    assert (miss.kind, miss.pool) == (MissKind.TAKEN, "job-1")
    assert miss.reason == "the pool of job-1 had been taken by job-2 1 min before"


def test_a_pool_that_expired_before_the_start_is_told_at_the_start() -> None:
    w = kept()
    w.pass_time(minutes=32)
    w.run("job-2", ResourceConfig=RESOURCES)
    w.settle()
    [told] = said(w, "job-2", "Started")
    assert told["kind"] == "expired"
    assert told["reason"].startswith("the pool of job-1 had expired ")


def test_a_pool_that_trainops_ended_is_told_with_the_decisions_reason() -> None:
    w = kept(mode=Mode.ENFORCE)
    w.pass_time(10, minutes=12)
    assert w.status() == "Terminated"
    w.run("job-2", ResourceConfig=RESOURCES)
    w.settle()
    [told] = said(w, "job-2", "Started")
    assert told["kind"] == "ended-by-trainops"
    assert "avoiding $" in told["reason"]
    plan = w.pool().plan
    assert plan is not None
    assert plan.reason in told["reason"]


def test_a_job_created_just_before_the_pool_was_there_is_told_at_its_end() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(ResourceConfig=RESOURCES)
    w.pass_time(10, seconds=760)
    w.run("job-2", ResourceConfig=RESOURCES)
    w.pass_time(10, minutes=20)
    assert said(w, "job-2", "Started") == []
    [told] = said(w, "job-2", "Finished/Completed")
    assert told["kind"] == "too-early"


@pytest.mark.case("WP-07")
def test_spot_with_a_keep_alive_period_is_told_that_both_cannot_be_had() -> None:
    w = kept()
    w.bench.call(
        "CreateTrainingJob", **spot_request("job-2", ResourceConfig={**RESOURCES, "KeepAlivePeriodInSeconds": 0})
    )
    w.settle()
    [told] = said(w, "job-2", "Started")
    assert told["reason"] == "managed spot jobs take no warm pool; nothing else kept it from the pool of job-1"


@pytest.mark.case("WP-06")
def test_a_tuning_jobs_children_are_explained_in_ledger_and_log_and_in_no_message() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=17)
    w.bench.call("CreateHyperParameterTuningJob", **tuning_request(number=2, parallel=1))
    w.pass_time(minutes=30)
    children = [record for record in w.ledger.items.values() if record.job.tuning_job]
    assert children
    for child in children:
        assert [(miss.kind, miss.told_in) for miss in child.pool_misses] == [(MissKind.TUNING, None)]
    assert not any(event.detail.get("warm_pool_misses") for event in w.bus.published)
