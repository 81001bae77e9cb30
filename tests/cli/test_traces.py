"""Traces from files."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from boto3.dynamodb.types import TypeSerializer

from tests.builders import CREATED, at, job, price, record
from trainops.adapters.record_codec import to_map
from trainops.domain.job_records import JobRecord, Price
from trainops_cli.replay.csv_files import START, read_csv
from trainops_cli.replay.jobs import PastJob, TraceError
from trainops_cli.replay.ledger_export import read_ledger
from trainops_cli.replay.trace_files import read_trace

HEAD = "created,ended,team,instance_type,instance_count,keep_alive_s,usd_per_hour"
GOOD = "2026-03-02T09:00:00Z,2026-03-02T10:30:00+01:00,vision,ml.g5.xlarge,2,1800,1.408"


def rows(*lines: str) -> list[PastJob]:
    return read_csv(lines, "jobs.csv")


def fault(*lines: str) -> str:
    with pytest.raises(TraceError) as caught:
        rows(*lines)
    return str(caught.value)


def test_a_row_says_when_a_job_ran_on_what_and_for_whom() -> None:
    assert rows(HEAD, GOOD) == [
        PastJob(
            team="vision",
            fingerprint="vision//2 x ml.g5.xlarge",
            created=datetime(2026, 3, 2, 9, tzinfo=UTC),
            ended=datetime(2026, 3, 2, 9, 30, tzinfo=UTC),
            instance_type="ml.g5.xlarge",
            instance_count=2,
            keep_alive=timedelta(minutes=30),
            price=Price(Decimal("1.408"), "trace"),
        )
    ]


def test_seconds_from_any_start_and_a_training_time_do_too() -> None:
    (found,) = rows("job_id,user,submit_s,duration_s,num_gpus,status", "0,itp07,1999,600,1,")
    assert (found.created, found.ended) == (START + timedelta(seconds=1999), START + timedelta(seconds=1999 + 20 + 600))
    assert (found.team, found.instance_type, found.price) == ("itp07", "ml.g5.xlarge", None)
    assert found.keep_alive == timedelta(hours=1)


@pytest.mark.parametrize(
    ("gpus", "kind", "count"),
    [(1, "ml.g5.xlarge", 1), (2, "ml.g5.12xlarge", 1), (8, "ml.g5.48xlarge", 1), (9, "ml.g5.48xlarge", 2)],
)
def test_gpus_become_the_smallest_g5_instances_that_have_them(gpus: int, kind: str, count: int) -> None:
    (found,) = rows("submit_s,duration_s,num_gpus", f"0,1,{gpus}")
    assert (found.instance_type, found.instance_count) == (kind, count)


def test_jobs_with_other_numbers_of_gpus_do_not_share_pools() -> None:
    two, four = rows("submit_s,duration_s,num_gpus", "0,1,2", "0,1,4")
    assert two.fingerprint != four.fingerprint


@pytest.mark.parametrize(
    ("column", "given", "accepted"),
    [
        ("created", "2026-03-02 09:00", "an ISO-8601 time with a zone such as 2026-03-02T09:00:00Z"),
        ("created", "yesterday", "an ISO-8601 time with a zone such as 2026-03-02T09:00:00Z"),
        ("ended", "2026-03-01T00:00:00Z", "a time that is not before created"),
        ("instance_count", "0", "a whole number, 1 or more"),
        ("instance_count", "1.5", "a whole number, 1 or more"),
        ("keep_alive_s", "-1", "seconds, 0 or more, such as 1999 or 12.5"),
        ("keep_alive_s", "inf", "seconds, 0 or more, such as 1999 or 12.5"),
        ("usd_per_hour", "$1", "US dollars per instance-hour such as 1.408"),
    ],
)
def test_what_cannot_be_read_is_named_with_line_column_and_accepted_form(
    column: str, given: str, accepted: str
) -> None:
    names, values = HEAD.split(","), GOOD.split(",")
    values[names.index(column)] = given
    assert fault(HEAD, GOOD, ",".join(values)) == (
        f"jobs.csv: 1 fault\n  line 3, {column}: given {given!r}; accepted: {accepted}"
    )


def test_an_empty_required_field_is_a_fault() -> None:
    assert "line 2, submit_s: given ''" in fault("submit_s,duration_s", ",5")
    assert "line 2, duration_s: given ''" in fault("submit_s,duration_s", "5")


def test_all_faults_are_said_at_once_but_not_more_than_twenty() -> None:
    said = fault("submit_s,duration_s", *["x,1"] * 25)
    assert said.startswith("jobs.csv: 25 faults\n  line 2, ")
    assert said.endswith(
        "\n  line 21, submit_s: given 'x'; accepted: seconds, 0 or more, such as 1999 or 12.5\n  and 5 more"
    )


def test_a_missing_column_is_named_with_those_there_are() -> None:
    assert (
        fault("submit_s,end", "1,2")
        == "jobs.csv: line 1: no column 'ended' or 'duration_s'; its columns: submit_s, end"
    )


def pooled(**fields: Any) -> JobRecord:
    known = {"match_fingerprint": "0123456789abcdef", "keep_alive": timedelta(minutes=10)}
    return record(job(**{**known, **fields}), price=price())


def line(a_record: JobRecord, *, exported: bool = True) -> str:
    item = {"pk": f"JOB#{a_record.job.key.arn}", "sk": "2026-03-02T09:00:00Z", "record": to_map(a_record)}
    if exported:
        return json.dumps({"Item": {name: TypeSerializer().serialize(value) for name, value in item.items()}})
    return json.dumps(item, default=float)


@pytest.mark.parametrize("exported", [True, False])
def test_the_ledgers_export_is_read_in_both_its_forms(exported: bool) -> None:
    jobs, skipped = read_ledger([line(pooled(), exported=exported), ""], "ledger")
    assert jobs == [
        PastJob(
            team="default",
            fingerprint="0123456789abcdef",
            created=CREATED,
            ended=at(30),
            instance_type="ml.g5.xlarge",
            instance_count=1,
            keep_alive=timedelta(minutes=10),
            price=price(),
        )
    ]
    assert not skipped


def test_a_job_that_asked_for_no_pool_is_kept_as_such() -> None:
    ((found,), _) = read_ledger([line(pooled(keep_alive=None))], "ledger")
    assert found.keep_alive == timedelta(0)


def test_jobs_that_cannot_be_replayed_are_left_out_by_reason() -> None:
    left_out = [pooled(spot=True), pooled(match_fingerprint=None), pooled(status="InProgress")]
    other = json.dumps({"Item": {"pk": {"S": "ONCE#x"}, "sk": {"S": "x"}}})
    jobs, skipped = read_ledger([*map(line, left_out), other], "ledger")
    assert jobs == []
    assert sorted(skipped) == [
        "fields that a pool must match are unknown",
        "managed spot, which takes no warm pool",
        "not ended, or its end is unknown",
    ]


@pytest.mark.parametrize("bad", ["{", "[]", '"text"', '{"pk": "JOB#x"}', '{"Item": {"pk": {"Q": 1}}}'])
def test_a_line_that_is_no_item_is_named(bad: str) -> None:
    with pytest.raises(TraceError, match=r"line 2, record: given .*; accepted: one item of the ledger"):
        read_ledger([line(pooled()), bad], "ledger")


def test_a_file_is_read_by_its_ending_and_its_jobs_put_in_order(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv.gz"
    path.write_bytes(gzip.compress(b"submit_s,duration_s\n50,1\n10,1\n"))
    trace = read_trace(path)
    assert [(found.created - START).seconds for found in trace.jobs] == [10, 50]
    assert trace.source == "jobs.csv.gz"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("jobs.xlsx", b"", "accepted: a file that ends in .csv"),
        ("jobs.csv.gz", b"submit_s,duration_s", "cannot be read"),
        ("jobs.csv", b"\xff\xfe", "cannot be read"),
        ("jobs.csv", b"submit_s,duration_s\n", "no job in it can be replayed"),
        ("jobs.csv", b"", "no column 'created' or 'submit_s'"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_why(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TraceError) as caught:
        read_trace(tmp_path / name)
    assert name in str(caught.value)
    assert said in str(caught.value)
