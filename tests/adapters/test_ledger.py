"""The ledger against DynamoDB as moto plays it: every field comes back, and no write overwrites another."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from tests.adapters.ledger_table import TABLE, table
from tests.builders import CREATED, at, job, price, record
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.job_records import JobRecord
from trainops.domain.past_runs import SameFailure, UsualRuntime
from trainops.domain.reconciliation import Watermark
from trainops.domain.training_jobs import JobKey, TrainingJob, WarmPool
from trainops.errors import LedgerConflict, TryLater


@pytest.fixture
def ledger() -> Iterator[DynamoLedger]:
    with table() as dynamodb:
        yield DynamoLedger(LedgerTable(dynamodb, TABLE))


FULL = record(
    job(
        warm_pool=WarmPool("Available", timedelta(seconds=9), "next-1"),
        keep_alive=timedelta(minutes=10),
        interruptions=(at(3), at(9)),
        tags={"owner": "réseau", "empty": ""},
        checkpoint_uri="s3://b/c/",
        checkpoint_directory="/opt/ml/other",
        failure_reason="x" * 1024,
        experiment="ablation / lr-3",
    ),
    "Started",
    price=price("1.408"),
    usual=UsualRuntime(series="resnet", trained=timedelta(hours=3), runs=5),
    pool_quota=0,
    same_failure=SameFailure(name="resnet-0", ended=at(-600), times=2),
    look_at=at(99),
)


def new(item: JobRecord) -> JobRecord:
    return replace(item, version=0)


def test_an_item_comes_back_as_it_was_written(ledger: DynamoLedger) -> None:
    written = ledger.put_job(new(FULL))
    assert written.version == 1
    assert ledger.job(FULL.job.key) == written


def test_unknown_stays_unknown_and_zero_stays_zero(ledger: DynamoLedger) -> None:
    sparse = TrainingJob(key=FULL.job.key, status="InProgress", billable_time=timedelta(0))
    ledger.put_job(new(record(sparse)))
    found = ledger.job(sparse.key)
    assert found is not None
    assert (found.job.billable_time, found.job.training_time, found.price) == (timedelta(0), None, None)


def test_money_keeps_every_digit() -> None:
    stored = to_map(record(price=price("1.2701")))
    assert from_map(JobRecord, stored).price == price("1.2701")
    assert stored["price"]["usd_per_hour"] == Decimal("1.2701")


def test_a_first_write_does_not_overwrite(ledger: DynamoLedger) -> None:
    ledger.put_job(new(FULL))
    with pytest.raises(LedgerConflict):
        ledger.put_job(new(FULL))


def test_a_write_on_an_old_version_is_refused(ledger: DynamoLedger) -> None:
    first = ledger.put_job(new(FULL))
    second = ledger.put_job(first)
    assert second.version == 2
    with pytest.raises(LedgerConflict):
        ledger.put_job(first)
    assert ledger.job(FULL.job.key) == second


def test_the_newest_run_under_a_name_is_found(ledger: DynamoLedger) -> None:
    later = JobKey.of(FULL.job.key.arn, CREATED + timedelta(days=1))
    ledger.put_job(new(FULL))
    ledger.put_job(new(record(job(key=later))))
    newest = ledger.latest_job(FULL.job.key.arn)
    assert newest is not None
    assert newest.job.key == later
    assert ledger.latest_job("arn:none") is None


def test_what_is_due_comes_longest_overdue_first_and_leaves_the_index_when_settled(ledger: DynamoLedger) -> None:
    keys = [JobKey.of(f"arn:a:b:c:d:training-job/{name}", CREATED) for name in "abc"]
    items = [
        ledger.put_job(new(record(job(key=key), look_at=at(minutes))))
        for key, minutes in zip(keys, (30, 10, 61), strict=True)
    ]
    assert ledger.due_jobs(at(60), 100) == [keys[1], keys[0]]
    ledger.put_job(replace(items[1], look_at=None))
    assert ledger.due_jobs(at(60), 100) == [keys[0]]
    assert ledger.due_jobs(at(90), 1) == [keys[0]]


def test_statuses_are_read_in_one_call_and_unknown_runs_are_absent(ledger: DynamoLedger) -> None:
    ledger.put_job(new(FULL))
    other = JobKey.of(FULL.job.key.arn, CREATED + timedelta(seconds=1))
    assert ledger.statuses([FULL.job.key, other]) == {FULL.job.key: "Completed"}
    assert ledger.statuses([]) == {}


def test_the_watermark_is_remembered(ledger: DynamoLedger) -> None:
    assert ledger.watermark() is None
    ledger.put_watermark(Watermark(at(5), complete=False, since=at(1)))
    assert ledger.watermark() == Watermark(at(5), complete=False, since=at(1))


def test_an_item_expires_its_retention_after_the_job_ended(ledger: DynamoLedger) -> None:
    ledger.put_job(new(FULL))
    [raw] = ledger.table.dynamodb.scan(TableName=TABLE)["Items"]
    assert int(raw["expires_at"]["N"]) == int((at(30) + timedelta(days=400)).timestamp())


@pytest.mark.parametrize(
    "code", ["ThrottlingException", "ProvisionedThroughputExceededException", "InternalServerError"]
)
def test_a_throttled_table_means_later(code: str) -> None:
    dynamodb: Any = boto3.client("dynamodb")
    with Stubber(dynamodb) as stub:
        stub.add_client_error("get_item", code)
        with pytest.raises(TryLater, match=f"GetItem: {code}"):
            DynamoLedger(LedgerTable(dynamodb, TABLE)).job(FULL.job.key)


def test_announcement_states_are_stored_as_words() -> None:
    said = Announcement(AnnouncementType.STARTED, AnnouncementState.LATE, at(0), "why")
    stored = to_map(record(announcements={"Started": said}))
    assert stored["announcements"]["Started"]["state"] == "late"
    assert from_map(JobRecord, stored).announcements == {"Started": said}
