"""Jobs whose events were lost are found, within the walk's rate and time."""

from datetime import timedelta
from itertools import count

import pytest

from tests.builders import CREATED, at, job, record
from tests.fakes import FakeLedger, FakeQueue, FakeTrainingJobs
from trainops.domain.reconciliation import JobSummary, Watermark
from trainops.domain.training_jobs import JobKey
from trainops.errors import TryLater
from trainops.workflows.job_reconcile import JobReconcile

OVERLAP = timedelta(hours=6)
TICK = {"time": at(60).isoformat()}


def summaries(*names: str, status: str = "Completed") -> list[JobSummary]:
    created = (at(index) for index in count())
    return [
        JobSummary(JobKey.of(f"arn:aws:sagemaker:::training-job/{name}", next(created)), status, at(10))
        for name in names
    ]


def reconciler(*pages: list[JobSummary] | Exception) -> tuple[JobReconcile, FakeLedger, FakeTrainingJobs, FakeQueue]:
    ledger, api, queue = FakeLedger(), FakeTrainingJobs(pages=list(pages)), FakeQueue()
    return JobReconcile(ledger, api, queue, OVERLAP), ledger, api, queue


def asked(queue: FakeQueue) -> list[str]:
    return [message["detail"]["TrainingJobName"] for message in queue.sent]


def test_jobs_the_ledger_does_not_have_are_asked_for() -> None:
    run, ledger, api, queue = reconciler(summaries("a", "b"), summaries("c"))
    outcome = run(TICK, lambda: True)
    assert asked(queue) == ["a", "b", "c"]
    assert api.listed_after == [at(60) - OVERLAP]
    assert ledger.place == Watermark(at(60), complete=True)
    assert outcome.reason == "walked 3 jobs to the end; 3 missed by events, 0 due for a look"


def test_jobs_the_ledger_has_understood_are_left_alone() -> None:
    run, ledger, _, queue = reconciler(summaries("a"))
    [known] = summaries("a")
    ledger.items[known.key] = record(job(key=known.key))
    run(TICK, lambda: True)
    assert asked(queue) == []


@pytest.mark.case("WP-13")
def test_a_throttled_listing_says_how_far_it_came_and_goes_on_there() -> None:
    run, ledger, api, _ = reconciler(summaries("a", "b"), TryLater("ListTrainingJobs: ThrottlingException"))
    outcome = run(TICK, lambda: True)
    assert "until ListTrainingJobs: ThrottlingException; the next run goes on there" in outcome.reason
    assert ledger.place == Watermark(at(1), complete=False)
    run(TICK, lambda: True)
    assert api.listed_after == [at(60) - OVERLAP, at(1)]


def test_a_walk_out_of_time_is_continued_by_the_next_run() -> None:
    run, ledger, api, queue = reconciler(summaries("a", "b"), summaries("c"))
    outcome = run(TICK, lambda: False)
    assert "until time ran out" in outcome.reason
    assert asked(queue) == ["a", "b"]
    api.pages = [summaries("c")]
    run(TICK, lambda: True)
    assert api.listed_after[-1] == at(1)
    assert ledger.place == Watermark(at(60), complete=True)


def test_silent_jobs_and_announcements_that_stayed_pending_are_looked_at() -> None:
    run, ledger, _, queue = reconciler([])
    due, later = JobKey.of("arn:a:training-job/due", CREATED), JobKey.of("arn:a:training-job/later", CREATED)
    ledger.items[due] = record(job(key=due, status="InProgress"), look_at=at(59))
    ledger.items[later] = record(job(key=later, status="InProgress"), look_at=at(61))
    outcome = run(TICK, lambda: True)
    assert asked(queue) == ["due"]
    assert outcome.reason.endswith("1 due for a look")


def test_a_schedule_without_a_time_is_a_fault_that_names_it() -> None:
    run, *_ = reconciler()
    with pytest.raises(ValueError, match="no ISO-8601 time"):
        run({}, lambda: True)
