"""New or seen: the one decision that says what is written and announced for a message."""

from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from tests.builders import CREATED, arn, at, description, event, job, price, record
from trainops.domain.job_records import Decision, JobRecord, decide, needs_description
from trainops.domain.reconciliation import look_message
from trainops.domain.state_changes import parse_state_change
from trainops.domain.training_jobs import JobKey, TrainingJob, from_description


def decided(raw: dict[str, Any], before: JobRecord | None = None, answer: TrainingJob | None = None) -> Decision:
    change = parse_state_change(raw)
    return decide(before, change, answer, None, change.at)


def keys(decision: Decision) -> dict[str, str]:
    assert decision.record is not None, decision.reason
    return {key: item.state.value for key, item in decision.record.announcements.items()}


def test_a_first_start_is_announced_and_written_with_its_facts() -> None:
    answer = from_description(description(status="InProgress", EnableManagedSpotTraining=True), {"team": "vision"})
    decision = decided(event(status="InProgress", secondary="Starting", when=at(0)), None, answer)
    assert keys(decision) == {"Started": "pending"}
    assert decision.record is not None
    assert (decision.record.team, decision.record.job.spot, decision.record.version) == ("vision", True, 0)
    assert decision.reason == "Started: pending (first seen running)"


@pytest.mark.case("NO-01")
def test_a_second_event_for_the_same_end_changes_nothing() -> None:
    seen = record(job(), "Started", "Finished/Completed")
    again = event(when=at(30) + timedelta(seconds=4))
    assert not needs_description(seen, parse_state_change(again)), "a repetition costs no API call"
    decision = decided(again, seen)
    assert decision == Decision(None, "Completed is known already; nothing is new")


def test_a_start_that_arrives_after_the_end_is_recorded_not_announced() -> None:
    ended = decided(event(), None, from_description(description(), {}))
    assert keys(ended) == {"Started": "late", "Finished/Completed": "pending"}
    late = decided(event(status="InProgress", secondary="Starting", when=at(0)), ended.record)
    assert late.record is None


def test_an_answer_that_is_ahead_of_its_event_announces_the_end_at_once() -> None:
    ahead = from_description(description(), {})
    decision = decided(event(status="InProgress", secondary="Starting", when=at(0)), None, ahead)
    assert keys(decision)["Finished/Completed"] == "pending"


def test_an_answer_that_lags_behind_its_event_does_not_undo_the_end() -> None:
    behind = from_description(description(status="InProgress"), {})
    decision = decided(event(status="Failed", FailureReason="boom"), record(behind, "Started"), behind)
    assert decision.record is not None
    assert (decision.record.job.status, decision.record.job.failure_reason) == ("Failed", "boom")
    assert decision.record.job.ended == at(30)


def test_a_job_that_ended_stays_ended() -> None:
    seen = record(job(), "Started", "Finished/Completed")
    behind = from_description(description(status="InProgress"), {})
    assert decided(event(status="InProgress", secondary="Training", when=at(40)), seen, behind).record is None


def test_every_interruption_is_announced_once_in_whatever_order_they_come() -> None:
    first = event(status="InProgress", secondary="Interrupted", when=at(5))
    second = event(status="InProgress", secondary="Interrupted", when=at(15))
    for order in permutations([first, second, first, second]):
        known = record(job(status="InProgress"), "Started")
        for raw in order:
            known = decided(raw, known).record or known
        found = [key for key in known.announcements if key.startswith("Interrupted")]
        assert sorted(found) == ["Interrupted/2026-03-02T09:05:00Z", "Interrupted/2026-03-02T09:15:00Z"]


def test_two_reports_half_a_minute_apart_are_one_interruption() -> None:
    known = record(job(status="InProgress", interruptions=(at(5),)), "Started", "Interrupted/2026-03-02T09:05:00Z")
    near = event(status="InProgress", secondary="Interrupted", when=at(5.5))
    assert decided(near, known).record is None
    beyond = event(status="InProgress", secondary="Interrupted", when=at(5.52))
    assert "Interrupted/2026-03-02T09:05:31Z" in keys(decided(beyond, known))


@pytest.mark.case("SP-07")
def test_the_interruptions_of_a_timed_out_spot_job_are_counted_from_its_transitions() -> None:
    words = ["Starting", "Training", "Interrupted", "Starting", "Training", "Interrupted", "Stopping"]
    transitions = [{"Status": word, "StartTime": at(5 * index)} for index, word in enumerate(words)]
    answer = from_description(
        description(status="Stopped", SecondaryStatus="MaxWaitTimeExceeded", SecondaryStatusTransitions=transitions), {}
    )
    decision = decided(event(status="Stopped", secondary="MaxWaitTimeExceeded"), None, answer)
    assert decision.record is not None
    assert len(decision.record.job.interruptions) == 2
    assert [state for key, state in keys(decision).items() if key.startswith("Interrupted")] == ["late", "late"]


def test_a_name_used_again_is_another_run() -> None:
    later = CREATED + timedelta(days=1)
    change = parse_state_change(event(created=later, when=later))
    assert change.job.key == JobKey.of(arn(), later)
    assert change.job.key != record().job.key


def test_a_deleted_job_is_announced_from_its_event_and_says_so() -> None:
    decision = decided(event(status="Failed", FailureReason="AlgorithmError: gone"))
    assert decision.record is not None
    assert not decision.record.job.described
    assert decision.record.job.billable_time is None
    assert "known from the event alone" in decision.reason


def test_what_was_known_before_a_job_was_deleted_is_kept() -> None:
    running = job(status="InProgress", spot=True, checkpoint_uri="s3://b/c/")
    decision = decided(event(status="Failed", FailureReason="x"), record(running, "Started"))
    assert decision.record is not None
    assert (decision.record.job.spot, decision.record.job.checkpoint_uri) == (True, "s3://b/c/")


def test_a_job_deleted_before_its_end_was_seen_is_closed_without_a_guess() -> None:
    look = look_message(job().key, at(600))
    decision = decided(look, record(job(status="InProgress"), "Started", look_at=at(500)))
    assert decision.record is not None
    assert (decision.record.job.status, decision.record.look_at) == ("Deleted", None)
    assert not decision.record.pending


def test_a_look_at_a_job_nobody_knows_writes_nothing() -> None:
    assert decided(look_message(job().key, at(600))).record is None


def test_a_job_still_running_when_looked_at_is_due_again_later() -> None:
    running = from_description(description(status="InProgress"), {})
    known = record(running, "Started", look_at=at(360))
    decision = decided(look_message(running.key, at(600)), known, running)
    assert decision.record is not None
    assert decision.record.look_at == at(900)


def test_a_price_once_known_is_kept() -> None:
    change = parse_state_change(event())
    known = replace(record(job(status="InProgress"), "Started"), price=price())
    decision = decide(known, change, job(), None, change.at)
    assert decision.record is not None
    assert decision.record.price == price()


def test_publishing_settles_everything_pending_and_nothing_else() -> None:
    ended = decided(event(), None, from_description(description(), {}))
    assert ended.record is not None
    assert ended.record.look_at == at(35), "the reconciler asks again for what stays pending"
    done = ended.record.with_published(at(30))
    assert done.pending == {}
    assert done.announcements["Started"].state == "late"
    assert done.look_at is None
