"""Jobs whose events were lost are found, within the walk's rate and time."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count

import pytest

from tests.builders import CREATED, at, job, record
from tests.fakes import FakeLedger, FakeQueue, FakeTrainingJobs
from trainops.domain.reconciliation import JobSummary, Watermark
from trainops.domain.training_jobs import JobKey
from trainops.errors import TryLater
from trainops.telemetry import Metric
from trainops.workflows.job_reconcile import JobReconcile

OVERLAP = timedelta(hours=6)
BEFORE = at(-1000)
FIRST_WALK = Watermark(at(60), complete=True, since=BEFORE)
TICK = {"time": at(60).isoformat()}


def summaries(*names: str, status: str = "Completed") -> list[JobSummary]:
    created = (at(index) for index in count())
    return [
        JobSummary(JobKey.of(f"arn:aws:sagemaker:::training-job/{name}", next(created)), name, status, at(10))
        for name in names
    ]


def reconciler(*pages: list[JobSummary] | Exception) -> tuple[JobReconcile, FakeLedger, FakeTrainingJobs, FakeQueue]:
    ledger, api, queue = FakeLedger(place=FIRST_WALK), FakeTrainingJobs(pages=list(pages)), FakeQueue()
    return JobReconcile(ledger, api, queue, OVERLAP), ledger, api, queue


def asked(queue: FakeQueue) -> list[str]:
    return [message["detail"]["TrainingJobName"] for message in queue.sent]


def test_jobs_the_ledger_does_not_have_are_asked_for() -> None:
    run, ledger, api, queue = reconciler(summaries("a", "b"), summaries("c"))
    outcome = run(TICK, lambda: True)
    assert asked(queue) == ["a", "b", "c"]
    assert api.listed_after == [at(60) - OVERLAP]
    assert ledger.place == Watermark(at(60), complete=True, since=BEFORE)
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
    assert ledger.place == Watermark(at(1), complete=False, since=BEFORE)
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
    assert ledger.place == Watermark(at(60), complete=True, since=BEFORE)


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


def test_the_first_walk_starts_now_and_jobs_from_before_the_installation_are_never_news() -> None:
    run, ledger, api, _ = reconciler([])
    ledger.place = None
    run(TICK, lambda: True)
    assert api.listed_after == [at(60)]
    run({"time": at(75).isoformat()}, lambda: True)
    run({"time": at(75 + 7 * 60).isoformat()}, lambda: True)
    run({"time": at(90 + 7 * 60).isoformat()}, lambda: True)
    assert api.listed_after == [at(60), at(60), at(60), at(75 + 60)]


def test_a_throttled_ledger_or_queue_is_a_walk_cut_short_and_no_fault() -> None:
    class Throttled(FakeLedger):
        def due_jobs(self, now: datetime, limit: int) -> Sequence[JobKey]:
            raise TryLater("Query: ThrottlingException")

    outcome = JobReconcile(Throttled(), FakeTrainingJobs(), FakeQueue(), OVERLAP)(TICK, lambda: True)
    assert "until Query: ThrottlingException" in outcome.reason
    assert outcome.counts[Metric.WALK_CUT_SHORT] == 1
    complete = reconciler([])[0](TICK, lambda: True)
    assert complete.counts[Metric.WALK_CUT_SHORT] == 0


def test_a_mixed_case_name_reaches_the_intake_as_it_was_given() -> None:
    listed = [
        JobSummary(JobKey.of("arn:aws:sagemaker:::training-job/resnet-50", CREATED), "ResNet-50", "Completed", at(10))
    ]
    run, _, _, queue = reconciler(listed)
    run(TICK, lambda: True)
    assert asked(queue) == ["ResNet-50"]
