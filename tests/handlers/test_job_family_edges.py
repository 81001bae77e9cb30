"""Families of jobs at their edges: without an end, retried, outside the scope, in a storm, or no family at all."""

from typing import Any

import pytest

from tests.builders import at, event
from tests.handlers.family_world import (
    AUTOML,
    OUT_OF_MEMORY,
    TUNING,
    FamilyWorld,
    pipeline_end,
    run_pipeline,
    step,
    tuning_end,
)
from trainops.errors import PoisonMessage


def test_automl_has_no_event_and_is_told_once_its_jobs_are_silent() -> None:
    world = FamilyWorld()
    for number in range(3):
        world.child(f"candidate-{number}", minute=20 + number, AutoMLJobArn=AUTOML, TuningJobArn=TUNING)
    world.tells(tuning_end())
    assert {when for when, look in world.looks.waiting if look["detail"]["because"] == "silence"}
    world.settle()
    [card] = world.cards
    assert card["title"] == "AutoML job churn completed"
    assert card["summary"] == "3 training jobs: 3 completed."
    assert card["context"][1] == "Why now: no job of it ran for 15 min, and no end was seen."


def test_a_family_with_a_job_that_still_runs_is_not_silent() -> None:
    world = FamilyWorld()
    world.child("candidate-0", minute=20, AutoMLJobArn=AUTOML)
    world.child("candidate-1", "InProgress", minute=1, AutoMLJobArn=AUTOML)
    world.settle()
    assert world.cards == []
    assert world.outcomes[-1].reason == "1 of its jobs and steps still run"


def test_a_pipeline_whose_end_was_lost_is_told_when_it_falls_silent() -> None:
    world = FamilyWorld()
    for message in run_pipeline(world)[:-1]:
        world.tells(message)
    world.settle()
    [card] = world.cards
    assert card["title"].startswith("Pipeline p4jn9xou8a8s failed at step step-4")


def test_an_execution_that_is_retried_is_told_again() -> None:
    world = FamilyWorld()
    for message in (pipeline_end("Failed", 60), pipeline_end("Failed", 60), pipeline_end("Succeeded", 90)):
        world.tells(message)
        world.settle()
    assert [card["word"] for card in world.cards] == ["Failed", "Completed"]


@pytest.mark.parametrize(("tags", "told"), [({"department": "research"}, 1), ({"department": "sales"}, 0)])
def test_what_is_outside_the_scope_is_not_told(tags: dict[str, str], told: int) -> None:
    world = FamilyWorld(scope={"department": "research"})
    world.child("hpo-1-000", TuningJobArn=TUNING, tags=tags)
    world.tells(tuning_end(Tags={}))
    world.settle()
    assert len(world.cards) == told


def test_the_jobs_of_a_family_that_failed_count_for_no_storm_but_families_do() -> None:
    world = FamilyWorld()
    for number in range(9):
        world.child(f"hpo-1-00{number}", "Failed", 20, TuningJobArn=TUNING, FailureReason=OUT_OF_MEMORY)
    world.tells(tuning_end("Failed", FailureReason="All training jobs failed."))
    world.settle()
    [card] = world.cards
    assert card["summary"] == "9 training jobs: 9 failed."
    assert card["lines"][0].startswith("9 failed: GPU out of memory (hpo-1-000, hpo-1-001,")
    assert "and 4 more" in card["lines"][0]


def test_a_job_of_its_own_is_told_as_before() -> None:
    world = FamilyWorld()
    world.child("resnet-1", tags={"sagemaker:pipeline-execution-arn": "not an execution"})
    assert [card["title"] for card in world.cards] == ["resnet-1 started", "resnet-1 completed"]


@pytest.mark.parametrize(
    "broken",
    [
        {"detail-type": "SageMaker HyperParameter Tuning Job State Change", "detail": {}},
        {"detail-type": "SageMaker Model Building Pipeline Execution Status Change", "detail": None},
        {**step("a", "Failed", 1), "detail": {"pipelineExecutionArn": "x", "stepName": "a", "currentStepStatus": "y"}},
        {"detail-type": "Job Family Look", "time": at(1).isoformat(), "detail": {"arn": TUNING}},
    ],
)
def test_what_is_no_news_of_a_family_in_form_is_poison(broken: dict[str, Any]) -> None:
    with pytest.raises(PoisonMessage, match="not "):
        FamilyWorld().tells(broken)


@pytest.mark.case("NO-01")
def test_two_events_with_other_ids_seconds_apart_about_one_end_are_one_message() -> None:
    world = FamilyWorld()
    world.child("resnet-1", minute=30)
    first, second = event(when=at(30)), event(when=at(30.05))
    assert first["id"] != second["id"]
    for again in (first, second):
        world.intake(again)
        world.heard()
    assert [card["word"] for card in world.cards] == ["Started", "Completed"]
