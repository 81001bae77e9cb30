"""How the end of a job is told: completed, failed, and three ways to be stopped."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.builders import at, description, price, record
from tests.unit.told import card, everything, facts, finished
from trainops.domain.cards import Tone
from trainops.domain.job_phases import Phases
from trainops.domain.training_jobs import WarmPool, from_description

TIMES = "\N{MULTIPLICATION SIGN}"


@pytest.mark.case("NO-14")
def test_the_three_ways_to_be_stopped_differ_in_words_and_severity() -> None:
    plain = finished("Stopped")
    runtime = finished("Stopped", "MaxRuntimeExceeded")
    wait = finished("Stopped", "MaxWaitTimeExceeded", spot=True, max_wait=timedelta(hours=2))
    assert [said.title for said in (plain, runtime, wait)] == [
        "resnet-1 stopped",
        "resnet-1 stopped: hit max runtime",
        "resnet-1 stopped: waited too long for spot capacity",
    ]
    assert [said.tone for said in (plain, runtime, wait)] == [Tone.NEUTRAL, Tone.WARNING, Tone.BAD]
    assert len({said.summary for said in (plain, runtime, wait)}) == 3


@pytest.mark.case("SP-15")
def test_time_over_the_runtime_limit_is_explained_and_no_alarm() -> None:
    seconds = timedelta(seconds=841)
    said = finished("Stopped", "MaxRuntimeExceeded", max_runtime=timedelta(seconds=603), training_time=seconds)
    assert "hit max runtime" in said.title
    assert "limit of 10 min 3 s" in said.summary
    assert any("14 min 1 s, 3 min 58 s over the limit" in line and "2 min to stop" in line for line in said.lines)
    assert said.tone is Tone.WARNING
    far_over = finished("Stopped", "MaxRuntimeExceeded", max_runtime=timedelta(seconds=603), training_time=seconds * 10)
    assert any("only a part" in line for line in far_over.lines)
    assert not any("only a part" in line for line in said.lines)


def test_a_completed_job_says_whether_its_interruptions_made_it_begin_anew() -> None:
    twice: dict[str, Any] = {
        "spot": True,
        "interruptions": (at(5), at(9)),
        "phases": Phases(cut_short=timedelta(minutes=7)),
    }
    assert finished(**twice).lines == (
        "Interrupted 2 times and restarted from scratch, since no checkpoint location was set: 7 min of training was "
        "done again.",
    )
    assert finished(**{**twice, "checkpoint_uri": "s3://b/c/"}).lines == (
        "Interrupted 2 times; it could resume from s3://b/c/.",
    )
    assert finished(**{**twice, "described": False}).lines == (), "the event alone does not say"
    assert finished(spot=True).lines == ()


@pytest.mark.case("CK-07")
def test_a_job_killed_at_its_limit_says_whether_anything_is_left() -> None:
    nothing = finished("Stopped", "MaxRuntimeExceeded")
    assert "Nothing was saved: no checkpoint location and no output." in nothing.lines
    resumable = finished("Stopped", "MaxRuntimeExceeded", checkpoint_uri="s3://b/exp-1/")
    assert any(line.startswith("Resume from s3://b/exp-1/") for line in resumable.lines)
    assert not any("Nothing was saved" in line for line in resumable.lines)


@pytest.mark.case("SP-07")
def test_work_lost_at_the_wait_limit_is_said_apart_from_savings() -> None:
    answer = description(
        status="Stopped",
        SecondaryStatus="MaxWaitTimeExceeded",
        EnableManagedSpotTraining=True,
        StoppingCondition={"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200},
        TrainingTimeInSeconds=6000,
        BillableTimeInSeconds=3900,
        SecondaryStatusTransitions=[
            {"Status": status, "StartTime": at(minute)}
            for status, minute in (("Training", 2), ("Interrupted", 20), ("Training", 30), ("Interrupted", 60))
        ],
    )
    said = card(record(from_description(answer, {}), price=price()))
    assert facts(said)["Interruptions"] == "2"
    assert "2 interruptions" in said.summary
    assert "1 h 5 min of billed time is lost." in said.lines
    assert facts(said)["Spot savings"] == "none: nothing of the work is left (35 % of it was not billed)"
    kept = card(record(replace(from_description(answer, {}), checkpoint_uri="s3://b/c/"), price=price()))
    assert facts(kept)["Spot savings"].startswith("35 %, about $")
    assert not any("lost" in line for line in kept.lines)


@pytest.mark.case("SP-02")
def test_a_job_that_never_started_is_told_without_any_times() -> None:
    said = finished("Stopped", started=None, ended=None, training_time=None, billable_time=None)
    assert said.title == "resnet-1 stopped before it started"
    assert facts(said)["Duration"] == "never started"
    assert facts(said)["Cost estimate"] == "unknown (no billable time)"


def test_spot_that_never_came_is_told_as_such() -> None:
    said = finished(
        "Stopped", "MaxWaitTimeExceeded", spot=True, started=None, training_time=None, max_wait=timedelta(hours=2)
    )
    assert said.summary == "No spot capacity came within the wait limit of 2 h; the job never started."


@pytest.mark.case("WP-03")
def test_a_failed_job_says_what_its_pool_still_costs_and_how_to_end_it() -> None:
    said = finished(
        "Failed", failure_reason="AlgorithmError: Exit Code: 1",
        keep_alive=timedelta(seconds=3600), warm_pool=WarmPool("Available"), instance_count=2,
    )  # fmt: skip
    assert f"Warm pool: 2 {TIMES} ml.g5.xlarge stays warm until 10:30 UTC, costs up to $2.82." in said.lines
    assert any("KeepAlivePeriodInSeconds=0" in line for line in said.context)


@pytest.mark.case("NO-12")
def test_a_reason_that_sagemaker_cut_is_said_to_be_cut() -> None:
    reason = ("AlgorithmError: Traceback (most recent call last): File train.py line 1 " * 20)[:1024]
    said = finished("Failed", failure_reason=reason)
    assert any("1,024 characters" in line for line in said.context)
    assert "characters cut" in str(said.cause)
    assert "Logs" in [link.label for link in said.links]
    assert not any("1,024" in line for line in finished("Failed", failure_reason=reason[:1000]).context)


def test_a_failed_job_says_its_cause_in_the_headline_and_what_to_do() -> None:
    said = finished("Failed", failure_reason="RuntimeError: CUDA out of memory. --hf-token hf_AbCdEfGhIjKlMnOpQr")
    assert (said.title, said.tone) == ("resnet-1 failed: GPU out of memory", Tone.BAD)
    assert said.lines[0].startswith("Next: lower the batch size")
    assert "hf_AbCd" not in everything(said)


def test_a_status_nobody_knows_yet_is_shown_as_it_is() -> None:
    assert finished("Paused").title == "resnet-1 ended: Paused"
