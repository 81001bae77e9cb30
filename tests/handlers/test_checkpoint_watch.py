"""Running spot jobs whose last checkpoint is old: which are told, which are left alone, and what is not looked at."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from tests.adapters.ledger_table import TABLE, table
from tests.builders import at, job, record
from tests.desks import desk
from tests.fakes import Crash, FakeBus, FakeQueue, Fuse
from tests.quiet_fakes import failure_storms
from trainops.adapters.checkpoints import PAGES, S3Checkpoints
from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pace import Pace
from trainops.errors import TryLater
from trainops.outcomes import Outcome
from trainops.telemetry import Field, Metric
from trainops.workflows.checkpoint_watch import LOOKS, CheckpointWatch
from trainops.workflows.job_notification import JobNotification

BUCKET, HOURS = "our-checkpoints", 60


@dataclass
class Shelf:
    """What lies in S3, by prefix; an exception is raised instead."""

    newest_by_prefix: dict[str, datetime | Exception] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def newest(self, bucket: str, prefix: str) -> datetime | None:
        assert bucket == BUCKET
        self.asked.append(prefix)
        found = self.newest_by_prefix.get(prefix)
        if isinstance(found, Exception):
            raise found
        return found


@dataclass
class Watch:
    ledger: DynamoLedger
    counts: DynamoJobCounts
    shelf: Shelf = field(default_factory=Shelf)
    bus: FakeBus = field(default_factory=FakeBus)

    def running(self, name: str, **fields: Any) -> None:
        known = {"spot": True, "checkpoint_uri": f"s3://{BUCKET}/vision/{name}/", **fields}
        self.ledger.put_job(record(job(name, "InProgress", **known), "Started", look_at=at(6 * HOURS), version=0))

    def look(self, minutes: float, *, has_time: bool = True) -> Outcome:
        watch = CheckpointWatch(self.ledger, self.counts, self.shelf, self.bus, BUCKET, timedelta(hours=2))
        return watch({"time": at(minutes).isoformat()}, lambda: has_time)


@pytest.fixture
def watch() -> Iterator[Watch]:
    with table() as dynamodb:
        yield Watch(DynamoLedger(LedgerTable(dynamodb, TABLE)), DynamoJobCounts(LedgerTable(dynamodb, TABLE)))


@pytest.mark.parametrize(("minutes", "old"), [(30 + 120, 0), (30 + 121, 1)])
def test_a_checkpoint_is_old_after_the_time_allowed_and_not_before(watch: Watch, minutes: float, old: int) -> None:
    watch.running("job-1")
    watch.shelf.newest_by_prefix["vision/job-1/"] = at(30)
    outcome = watch.look(minutes)
    assert outcome.counts == {Metric.CHECKPOINTS_OLD: old, Field.CHECKPOINTS_WATCHED: 1}


def test_the_log_names_job_owner_and_age(watch: Watch) -> None:
    watch.running("job-1")
    watch.shelf.newest_by_prefix["vision/job-1/"] = at(30)
    assert "job-1 (researcher): its last checkpoint is 3 h old" in watch.look(30 + 180).reason


def test_the_owner_is_told_once_of_each_checkpoint_that_grew_old(watch: Watch) -> None:
    watch.running("job-1")
    watch.shelf.newest_by_prefix["vision/job-1/"] = at(30)
    for hours in (2, 3, 4):
        watch.look(31 + 60 * hours)
    watch.shelf.newest_by_prefix["vision/job-1/"] = at(300)
    watch.look(310)
    watch.look(500)
    assert watch.bus.said == [
        f"job-1 CheckpointsOld/{when}" for when in ("2026-03-02T09:30:00Z", "2026-03-02T14:00:00Z")
    ]
    [first, _] = watch.bus.published
    assert first.detail_type == "Training Job CheckpointsOld"
    assert first.detail["reason"] == "its last checkpoint is 2 h 1 min old"


def test_what_is_told_reads_as_a_warning_with_what_to_do(watch: Watch) -> None:
    watch.running("job-1")
    watch.look(240)
    channel = FakeQueue()
    [event] = watch.bus.published
    handed = desk(("CheckpointsOld",), channel)
    JobNotification(watch.ledger, handed, UTC, failure_storms(handed), None)(
        {"detail-type": event.detail_type, "detail": dict(event.detail), "time": event.time.isoformat()}
    )
    [card] = channel.sent
    assert (card["title"], card["tone"]) == ("job-1 has not saved its work for long", "warning")
    assert card["summary"].endswith("lost: no checkpoint in the 4 h since it was created.")
    assert card["lines"][0].endswith("/opt/ml/checkpoints \N{RIGHTWARDS ARROW} s3://our-checkpoints/vision/job-1/.")


@pytest.mark.parametrize(("before", "after"), [(1, None), (None, 1)])
def test_news_that_a_crash_left_pending_is_looked_at_soon(watch: Watch, before: int | None, after: int | None) -> None:
    watch.running("job-1")
    watch.bus.fuse = Fuse(before=before, after=after)
    with pytest.raises(Crash):
        watch.look(240)
    [key] = watch.ledger.due_jobs(at(246), 10)
    found = watch.ledger.job(key)
    assert found is not None
    assert list(found.pending) == ["CheckpointsOld/2026-03-02T09:00:00Z"], "the intake publishes it at that look"


def test_checkpoints_from_before_the_job_are_not_its_own(watch: Watch) -> None:
    watch.running("job-1")
    watch.shelf.newest_by_prefix["vision/job-1/"] = at(-5)
    assert "no checkpoint in the 3 h since it was created" in watch.look(180).reason


def test_only_running_spot_jobs_with_checkpoints_in_our_bucket_are_looked_at(watch: Watch) -> None:
    watch.running("on-demand", spot=False)
    watch.running("elsewhere", checkpoint_uri="s3://their-bucket/exp-1/")
    watch.running("nowhere", checkpoint_uri=None)
    watch.ledger.put_job(record(job("over", spot=True, checkpoint_uri=f"s3://{BUCKET}/over/"), version=0))
    assert watch.look(600).counts == {Metric.CHECKPOINTS_OLD: 0, Field.CHECKPOINTS_WATCHED: 0}
    assert watch.shelf.asked == []


def test_what_cannot_be_seen_is_not_known_and_no_alarm(watch: Watch) -> None:
    watch.running("job-1")
    watch.shelf.newest_by_prefix["vision/job-1/"] = TryLater("more than 5000 objects")
    outcome = watch.look(600)
    assert outcome.counts[Metric.CHECKPOINTS_OLD] == 0
    assert outcome.reason.endswith("not known: job-1: more than 5000 objects")


def test_a_run_looks_at_a_bounded_number_of_jobs_and_says_what_it_left(watch: Watch) -> None:
    for number in range(LOOKS + 3):
        watch.running(f"job-{number}")
    outcome = watch.look(60)
    assert len(watch.shelf.asked) == LOOKS
    assert outcome.reason.endswith("3 more were not looked at")
    assert watch.look(60, has_time=False).reason.startswith(f"{LOOKS + 3} running spot jobs")
    assert len(watch.shelf.asked) == LOOKS, "without time nothing is asked"


@pytest.fixture
def s3() -> Iterator[Stubber]:
    with Stubber(boto3.client("s3", region_name="us-east-1")) as stub:
        yield stub


def page(*minutes: float, more: bool = False) -> dict[str, Any]:
    objects = [{"Key": f"epoch-{minute}", "LastModified": at(minute)} for minute in minutes]
    return {"Contents": objects} | ({"NextContinuationToken": "more", "IsTruncated": True} if more else {})


def test_the_newest_object_of_all_pages_counts(s3: Stubber) -> None:
    first = {"Bucket": BUCKET, "Prefix": "vision/job-1/"}
    s3.add_response("list_objects_v2", page(10, 40, more=True), first)
    s3.add_response("list_objects_v2", page(20), {**first, "ContinuationToken": "more"})
    assert S3Checkpoints(s3.client, Pace(timedelta(0))).newest(BUCKET, "vision/job-1/") == at(40)


def test_no_object_is_no_checkpoint_and_too_many_are_not_known(s3: Stubber) -> None:
    s3.add_response("list_objects_v2", {})
    shelf = S3Checkpoints(s3.client, Pace(timedelta(0)))
    assert shelf.newest(BUCKET, "vision/job-1/") is None
    for _ in range(PAGES):
        s3.add_response("list_objects_v2", page(1, more=True))
    with pytest.raises(TryLater, match="more than 5000 objects"):
        shelf.newest(BUCKET, "vision/job-1/")
    s3.assert_no_pending_responses()
