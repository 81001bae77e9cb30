"""Jobs that a tuning job, a pipeline or AutoML launched: one message about the whole, whatever comes in which order."""

import random
from typing import Any

import pytest

from tests.builders import arn, at, event
from tests.handlers.family_world import (
    AUTOML,
    EXECUTION,
    TUNING,
    FamilyWorld,
    of_pipeline,
    pipeline_end,
    step,
    tuning_end,
)
from trainops.errors import PoisonMessage
from trainops.telemetry import Field

OUT_OF_MEMORY = "AlgorithmError: CUDA out of memory. Tried to allocate 2.00 GiB"


def run_pipeline(world: FamilyWorld) -> list[dict[str, Any]]:
    """Six steps of processing and training, the fourth of which fails; the events of SageMaker about them."""
    for number, status in ((2, "Completed"), (4, "Failed")):
        reason = {"FailureReason": OUT_OF_MEMORY} if status == "Failed" else {}
        tags = of_pipeline(team="vision", owner="alpha")
        world.child(f"pipelines-p4jn9xou8a8s-train-{number}", status, number * 10, tags=tags, **reason)
    told = []
    for number in range(1, 7):
        kind = "Training" if number in {2, 4} else "Processing"
        job = arn(f"pipelines-p4jn9xou8a8s-train-{number}") if kind == "Training" else ""
        status = "Failed" if number == 4 else "Stopped" if number > 4 else "Succeeded"
        told += [step(f"step-{number}", said, number * 10, kind, job) for said in ("Executing", status)]
    return [*told, pipeline_end()]


@pytest.mark.case("NO-16")
def test_a_pipeline_of_six_steps_is_one_message_that_names_the_failing_step() -> None:
    world = FamilyWorld()
    for message in run_pipeline(world):
        world.tells(message)
    world.settle()
    [card] = world.cards
    assert card["title"] == "Pipeline Churn (nightly) failed at step step-4"
    assert card["summary"] == "2 training jobs: 1 completed, 1 failed."
    assert card["cause"] == OUT_OF_MEMORY
    assert card["lines"][0].startswith("1 failed: GPU out of memory (pipelines-p4jn9xou8a8s-train-4).")
    assert (card["word"], card["team"], card["owner"]) == ("Failed", "vision", "alpha")
    assert ["Owner", "alpha (tag owner)"] in card["facts"]
    assert card["thread"] == f"{EXECUTION.lower()}|2026-03-02T09:00:00Z"


@pytest.mark.case("NO-16")
def test_who_opts_in_to_steps_hears_of_each_job_alone() -> None:
    world = FamilyWorld(single=True)
    run_pipeline(world)
    world.settle()
    names = [f"pipelines-p4jn9xou8a8s-train-{number} " for number in (2, 4)]
    assert [sum(name in card["title"] for card in world.cards) for name in names] == [2, 2], "its start and its end"


@pytest.mark.parametrize("seed", range(10))
def test_a_pipelines_events_in_any_order_and_repetition_are_the_same_one_message(seed: int) -> None:
    dice = random.Random(seed)
    world = FamilyWorld()
    messages = [message for message in run_pipeline(world) for _ in range(dice.choice([1, 2, 3]))]
    dice.shuffle(messages)
    for message in messages:
        world.tells(message)
    world.settle()
    [card] = world.cards
    assert card["title"] == "Pipeline Churn (nightly) failed at step step-4"


def test_a_step_that_created_no_training_job_is_named_with_its_own_reason() -> None:
    world = FamilyWorld()
    world.tells(step("prepare", "Failed", 5, failureReason="ClientError: no such file s3://a/b, NoSuchKey"))
    world.tells(pipeline_end())
    world.settle()
    [card] = world.cards
    assert card["title"].endswith("failed at step prepare")
    assert "NoSuchKey" in card["cause"]
    assert card["summary"] == "It ran no training job."


def run_tuning(world: FamilyWorld, **described: Any) -> None:
    """Two trials that complete and one that runs out of memory."""
    for number in range(2):
        world.child(f"hpo-1-00{number}", minute=20 + number, TuningJobArn=TUNING, **described)
    world.child("hpo-1-002", "Failed", 25, TuningJobArn=TUNING, FailureReason=OUT_OF_MEMORY, **described)


def test_a_tuning_job_is_one_message_with_its_trials_counted_and_the_failing_one_named() -> None:
    world = FamilyWorld()
    run_tuning(world)
    assert world.cards == []
    assert [outcome.counts for outcome in world.outcomes] == [{Field.FOLDED: 1}] * 6
    world.tells(tuning_end())
    world.settle()
    [card] = world.cards
    assert card["title"] == "Tuning job hpo-1 completed"
    assert card["tone"] == "warning", "a trial failed"
    assert card["summary"] == "3 training jobs: 2 completed, 1 failed."
    assert card["lines"][0].startswith("1 failed: GPU out of memory (hpo-1-002).")
    assert [label for label, _ in card["links"]] == ["Tuning job", "Failed job"]
    assert card["word"] == "Completed"


def test_what_spot_saved_is_added_up_over_the_trials() -> None:
    world = FamilyWorld()
    run_tuning(world, EnableManagedSpotTraining=True, BillableTimeInSeconds=420)
    world.tells(tuning_end())
    world.settle()
    assert ["Spot savings", "75 %"] in world.cards[0]["facts"]
    assert ["Cost estimate", "unknown"] in world.cards[0]["facts"], "no price is known"


def test_a_trial_whose_end_never_came_is_counted_from_the_tuning_jobs_own_numbers() -> None:
    world = FamilyWorld()
    world.child("hpo-1-000", TuningJobArn=TUNING)
    world.tells(tuning_end())
    world.settle()
    assert world.cards[0]["summary"] == "3 training jobs: 1 completed, 2 of unknown end."


def test_a_tuning_step_of_a_pipeline_is_told_with_the_pipeline() -> None:
    world = FamilyWorld()
    world.child("trial-1", TuningJobArn=TUNING, tags=of_pipeline())
    world.tells(tuning_end(Tags={}))
    world.tells(pipeline_end("Succeeded"))
    world.settle()
    assert [card["title"] for card in world.cards] == ["Pipeline Churn (nightly) completed"]
    assert world.cards[0]["summary"] == "1 training job: 1 completed."


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
