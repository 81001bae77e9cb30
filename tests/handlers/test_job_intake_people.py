"""Whose job it is and what is known of earlier ones, as the intake finds it out of what arrives on its queue."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import CREATED, arn, at, description, event, job
from tests.handlers.intake_world import STARTED, World
from tests.unit.test_owners import PIPELINE, role_session
from trainops.domain.owners import PIPELINE_TAG, Owner
from trainops.domain.past_runs import past_run
from trainops.errors import PoisonMessage


def call(name: str, made: dict[str, str], who: str, minutes: float = 0) -> dict[str, Any]:
    """The trail's event of a call that made something."""
    detail = {
        "eventName": name,
        "eventTime": at(minutes).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "userIdentity": role_session(who),
        "responseElements": made,
    }
    return {"detail-type": "AWS API Call via CloudTrail", "source": "aws.sagemaker", "detail": detail}


def created_by(who: str, minutes: float = 0) -> dict[str, Any]:
    return call("CreateTrainingJob", {"trainingJobArn": arn()}, who, minutes)


@pytest.mark.case("NO-05")
def test_who_created_a_job_without_an_owner_tag_is_told_with_its_start() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(created_by("jane@corp"))
    world.intake(STARTED)
    assert world.item.owner == Owner("jane@corp", "session name of the caller")
    assert world.bus.published[0].detail["owner"] == {"name": "jane", "source": "session name of the caller"}


def test_a_record_of_the_trail_that_comes_after_the_start_counts_from_the_next_news_on_and_is_never_lost() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    assert world.item.owner.name is None
    world.intake(created_by("jane@corp"))
    world.knows(description())
    world.intake(event())
    assert world.item.owner.name == "jane@corp"
    world.notes.calls.clear()
    world.intake(event(when=at(31)))
    assert world.item.owner.name == "jane@corp"


@pytest.mark.case("NO-05")
def test_a_step_of_a_pipeline_belongs_to_who_started_the_pipeline_hours_before() -> None:
    world = World()
    world.intake(created_by("SageMaker"))
    world.intake(call("StartPipelineExecution", {"pipelineExecutionArn": PIPELINE}, "jane@corp", minutes=-600))
    world.intake(event(tags={PIPELINE_TAG: PIPELINE}))
    assert world.item.owner == Owner("jane@corp", "session name of who started pipeline nightly")


@pytest.mark.case("NO-05")
def test_without_a_human_the_teams_owner_answers_and_without_one_the_owner_is_unknown() -> None:
    world = World(team_owners={"vision": "vision-team@example.com"})
    world.intake(created_by("SageMaker"))
    world.intake(event(tags={"team": "vision"}))
    assert world.item.owner == Owner("vision-team@example.com", "default of team vision")
    other = World()
    other.intake(created_by("SageMaker"))
    other.intake(event())
    assert other.item.owner == Owner(None, "no owner tag, and a service created it")


def test_an_owner_tag_asks_the_ledger_nothing_and_another_runs_caller_is_not_taken() -> None:
    world = World()
    world.intake(created_by("jane@corp", minutes=-60))
    world.intake(event(tags={"owner": "researcher"}))
    assert (world.item.owner.name, world.notes.reads) == ("researcher", 0)
    other = World()
    other.intake(created_by("jane@corp", minutes=-60))
    other.intake(event())
    assert other.item.owner.name is None


@pytest.mark.parametrize(
    "detail", [{}, {"eventName": "CreateTrainingJob", "responseElements": {"trainingJobArn": "a"}}]
)
def test_what_is_no_record_of_a_call_is_poison(detail: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="not a record of a call"):
        World().intake({"detail-type": "AWS API Call via CloudTrail", "detail": detail})


def test_a_restart_after_an_interruption_is_announced_once_whenever_it_is_reported() -> None:
    world = World()
    world.knows(description(status="InProgress", EnableManagedSpotTraining=True))
    world.intake(STARTED)
    world.intake(event(status="InProgress", secondary="Starting", when=at(1)))
    world.intake(event(status="InProgress", secondary="Interrupted", when=at(10)))
    for minutes in (22, 22.5, 23):
        world.intake(event(status="InProgress", secondary="Starting", when=at(minutes)))
    world.intake(event(status="InProgress", secondary="Starting", when=at(0)))
    assert world.bus.said == [
        "resnet-1 Started",
        "resnet-1 Interrupted/2026-03-02T09:10:00Z",
        "resnet-1 Restarted/2026-03-02T09:10:00Z",
    ]
    world.intake(event(status="InProgress", secondary="Interrupted", when=at(40)))
    world.intake(event(status="InProgress", secondary="Starting", when=at(50)))
    assert world.bus.said[-1] == "resnet-1 Restarted/2026-03-02T09:40:00Z"
    assert world.api.described == ["resnet-1"]


def test_a_restart_that_is_heard_of_after_the_end_is_not_announced() -> None:
    world = World()
    world.knows(description(status="InProgress"))
    world.intake(STARTED)
    world.intake(event(status="InProgress", secondary="Interrupted", when=at(10)))
    world.knows(description())
    world.intake(event())
    world.intake(event(status="InProgress", secondary="Starting", when=at(20)))
    assert world.bus.said[-1] == "resnet-1 Finished/Completed"


def test_the_failure_of_the_run_before_is_recognised_and_this_ones_noted_for_the_next() -> None:
    world = World()
    reason = "AlgorithmError: KeyError: 'label' in step {}"
    yesterday = job("resnet-0", "Failed", failure_reason=reason.format(7))
    run = replace(past_run(yesterday, at(0)), created=CREATED - timedelta(days=1), ended=at(-600))
    world.notes.put_run("default|resnet", run)
    world.knows(description(status="Failed", FailureReason=reason.format(99)))
    world.intake(event(status="Failed", FailureReason=reason.format(99)))
    assert world.item.same_failure is not None
    assert (world.item.same_failure.name, len(world.notes.runs)) == ("resnet-0", 2)


def test_a_start_knows_what_earlier_runs_took_and_what_its_pool_may_keep() -> None:
    world = World()
    for days in (1, 2, 3):
        run = past_run(job("resnet-0", training_time=timedelta(hours=3), match_fingerprint="f"), at(30))
        world.notes.put_run("default|resnet", replace(run, created=CREATED - timedelta(days=days)))
    world.quotas.known["ml.g5.xlarge"] = 0
    world.knows(description(status="InProgress"))
    known = world.api.jobs["resnet-1"]
    world.api.jobs["resnet-1"] = replace(known, match_fingerprint="f", keep_alive=timedelta(minutes=10))
    world.intake(STARTED)
    assert world.item.usual is not None
    assert (world.item.usual.trained, world.item.usual.runs, world.item.pool_quota) == (timedelta(hours=3), 3, 0)
