"""A job history as CSV: the columns and what each accepts.

Required: `created` (ISO-8601 with a zone) or `submit_s` (seconds from any start), and `ended` (as `created`) or
`duration_s` (seconds of training; 20 s of warm start are added). Optional: `team` or `user`; `fingerprint` (else jobs
of one team and one shape share pools); `instance_type` and `instance_count`, or `num_gpus` (taken as g5 instances);
`keep_alive_s`
(else an hour); `usd_per_hour` (per instance). Other columns are passed over, and an empty optional field is unknown.
"""

import csv
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

from trainops.domain.job_records import Price
from trainops_cli.replay.jobs import ASKED, WARM_START, Faults, PastJob, TraceError

Row = Mapping[str, str]
START = datetime(2026, 1, 5, tzinfo=UTC)
"""What `submit_s` counts from when a trace has no calendar: a Monday."""
TIME = "an ISO-8601 time with a zone such as 2026-03-02T09:00:00Z"
MOST = 10**10
SECONDS = "seconds, 0 or more, such as 1999 or 12.5"
COUNT = "a whole number, 1 or more"
USD = "US dollars per instance-hour such as 1.408"
GPUS_OF_G5 = ((1, "ml.g5.xlarge"), (4, "ml.g5.12xlarge"), (8, "ml.g5.48xlarge"))
"""The smallest g5 instance with so many GPUs; more than 8 are several of the largest."""


class _Unreadable(Exception):
    """One field of a row cannot be read: column, what it holds, what it accepts."""


def read_csv(lines: Iterable[str], source: str) -> list[PastJob]:
    """The jobs of a CSV file. Raises TraceError naming the first fault of each line, its column and accepted form."""
    rows = csv.DictReader(lines)
    _check_columns(rows.fieldnames or (), source)
    faults = Faults(source)
    jobs = []
    for row in rows:
        try:
            jobs.append(_job({name: (value or "").strip() for name, value in row.items() if isinstance(value, str)}))
        except _Unreadable as error:
            faults.add(rows.line_num, *error.args)
    faults.check()
    return jobs


def _check_columns(names: Iterable[str], source: str) -> None:
    for column, other in (("created", "submit_s"), ("ended", "duration_s")):
        if not {column, other} & set(names):
            raise TraceError(f"{source}: line 1: no column {column!r} or {other!r}; its columns: {', '.join(names)}")


def _job(row: Row) -> PastJob:
    created = _time(row, "created") if row.get("created") else START + _seconds(row, "submit_s")
    ended = _time(row, "ended") if row.get("ended") else created + WARM_START + _seconds(row, "duration_s")
    if ended < created:
        raise _Unreadable("ended", row["ended"], "a time that is not before created")
    team = row.get("team") or row.get("user") or "default"
    kind, count = _shape(row)
    return PastJob(
        team=team,
        fingerprint=row.get("fingerprint") or f"{team}/{row.get('num_gpus') or ''}/{count} x {kind}",
        created=created,
        ended=ended,
        instance_type=kind,
        instance_count=count,
        keep_alive=_seconds(row, "keep_alive_s") if row.get("keep_alive_s") else ASKED,
        price=Price(_number(row, "usd_per_hour", USD), "trace") if row.get("usd_per_hour") else None,
    )


def _shape(row: Row) -> tuple[str | None, int]:
    if row.get("num_gpus") and not row.get("instance_type"):
        gpus = _whole(row, "num_gpus")
        fitting = next((name for size, name in GPUS_OF_G5 if gpus <= size), GPUS_OF_G5[-1][1])
        return fitting, -(-gpus // GPUS_OF_G5[-1][0])
    return row.get("instance_type") or None, _whole(row, "instance_count") if row.get("instance_count") else 1


def _time(row: Row, column: str) -> datetime:
    try:
        when = datetime.fromisoformat(row[column])
    except ValueError as error:
        raise _Unreadable(column, row[column], TIME) from error
    if when.tzinfo is None:
        raise _Unreadable(column, row[column], TIME)
    return when.astimezone(UTC)


def _seconds(row: Row, column: str) -> timedelta:
    return timedelta(seconds=float(_number(row, column, SECONDS)))


def _number(row: Row, column: str, accepted: str) -> Decimal:
    given = row.get(column, "")
    try:
        number = Decimal(given)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or not 0 <= number < MOST:
        raise _Unreadable(column, given, accepted)
    return number


def _whole(row: Row, column: str) -> int:
    number = _number(row, column, COUNT)
    if number < 1 or number != int(number):
        raise _Unreadable(column, row[column], COUNT)
    return int(number)
