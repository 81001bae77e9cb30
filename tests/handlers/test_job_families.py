"""Jobs that a tuning job, a pipeline or AutoML launched: one message about the whole, whatever comes in which order."""

import random

import pytest

from tests.handlers.family_world import (
    EXECUTION,
    OUT_OF_MEMORY,
    TUNING,
    FamilyWorld,
    of_pipeline,
    pipeline_end,
    run_pipeline,
    run_tuning,
    step,
    tuning_end,
)
from trainops.telemetry import Field


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
    failed = "nothing is left of 28 min of instance time"
    assert ["Spot savings", f"75 %; {failed}"] in world.cards[0]["facts"]
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
