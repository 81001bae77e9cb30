"""What the reconciler looks at, and when."""

from datetime import timedelta

import pytest

from tests.builders import CREATED, at, job
from trainops.domain.backoff import delay
from trainops.domain.reconciliation import JobSummary, Watermark, missed, next_look

NOW = at(60)


def summary(status: str, minutes_ago: float) -> JobSummary:
    return JobSummary(job().key, "resnet-1", status, NOW - timedelta(minutes=minutes_ago))


@pytest.mark.parametrize(
    ("listed", "recorded", "is_missed"),
    [
        (summary("Completed", 10), None, True),
        (summary("InProgress", 10), None, True),
        (summary("Completed", 10), "InProgress", True),
        (summary("Completed", 5), "InProgress", True),
        (summary("Completed", 4.99), "InProgress", False),
        (summary("Completed", 10), "Completed", False),
        (summary("InProgress", 10), "InProgress", False),
        (summary("Stopping", 10), "InProgress", False),
        (summary("InProgress", 10), "Completed", False),
    ],
)
def test_a_listed_job_is_missed_when_its_start_or_end_is_not_recorded(
    listed: JobSummary, recorded: str | None, is_missed: bool
) -> None:
    known = {listed.key: recorded} if recorded else {}
    assert missed([listed], known, NOW) == ([listed] if is_missed else [])


def test_a_complete_walk_is_followed_one_overlap_earlier_and_a_cut_one_where_it_stopped() -> None:
    overlap = timedelta(hours=6)
    since = NOW - timedelta(days=1)
    assert Watermark(NOW, complete=True, since=since).next_start(overlap) == NOW - overlap
    assert Watermark(NOW, complete=False, since=since).next_start(overlap) == NOW


def test_no_walk_starts_before_the_installation() -> None:
    assert Watermark(NOW, complete=True, since=at(59)).next_start(timedelta(hours=6)) == at(59)


def test_a_silent_job_is_looked_at_after_six_hours_then_ever_more_seldom() -> None:
    running = job(status="InProgress", max_runtime=timedelta(days=28))
    looks, now = [], CREATED
    while (look := next_look(running, now)) and look < CREATED + timedelta(days=28):
        looks.append(look - CREATED)
        now = look
    assert looks[:3] == [timedelta(hours=6), timedelta(hours=9), timedelta(hours=13.5)]
    assert len(looks) == 12


def test_a_deadline_the_job_cannot_outlive_brings_the_look_forward() -> None:
    short = job(status="InProgress", max_runtime=timedelta(hours=1))
    assert next_look(short, at(5)) == at(90)
    waiting = job(status="InProgress", max_runtime=timedelta(hours=1), max_wait=timedelta(hours=2))
    assert next_look(waiting, at(5)) == at(150)


def test_a_job_that_ended_is_not_looked_at() -> None:
    assert next_look(job(), NOW) is None


@pytest.mark.parametrize(
    ("received", "asked", "jitter", "seconds"),
    [
        (1, None, 0, 15),
        (2, None, 0, 30),
        (7, None, 0, 900),
        (400, None, 0, 900),
        (1, 42, 0, 42),
        (1, 42, 1, 50.4),
        (5, 1, 0, 1),
        (6, 1, 0, 480),
        (6, 600, 0, 600),
    ],
)
def test_a_message_waits_as_asked_or_ever_longer(
    received: int, asked: int | None, jitter: float, seconds: float
) -> None:
    wait = delay(received, None if asked is None else timedelta(seconds=asked), jitter)
    assert wait == timedelta(seconds=seconds)


def test_a_job_that_was_deleted_is_not_waited_for() -> None:
    assert next_look(job(status="Deleted"), NOW) is None


def test_forty_tries_outlast_eight_hours_even_when_each_answer_asks_for_a_second() -> None:
    waits = [delay(tries, timedelta(seconds=1), 0) for tries in range(1, 41)]
    assert sum(waits, timedelta(0)) > timedelta(hours=8)
