"""What is learned and recommended, against DynamoDB as moto plays it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from tests.adapters.ledger_table import TABLE, table
from tests.builders import at
from trainops.adapters.histories import DynamoHistories
from trainops.adapters.ledger_table import LedgerTable
from trainops.domain.job_records import Price
from trainops.domain.keep_alive_economics import Stakes
from trainops.domain.keep_alive_guard import Trial
from trainops.domain.keep_alive_history import History, learn
from trainops.domain.keep_alive_lessons import Cluster, JobCreated, JobEnded, Lesson, SpotEnded
from trainops.errors import LedgerConflict

HOUR = timedelta(hours=1)
TRIAL = Trial("histogram", 120.5, 0.0, 300.25, 3600.0, Stakes(2.5, 0.001))


@pytest.fixture
def histories() -> Iterator[DynamoHistories]:
    with table() as dynamodb:
        yield DynamoHistories(LedgerTable(dynamodb, TABLE))


def test_lessons_come_back_for_a_time_and_each_job_is_noted_once(histories: DynamoHistories) -> None:
    ended, created = JobEnded("f00d", "vision", at(30), TRIAL), JobCreated("f00d", "vision", at(31))
    for _ in range(2):
        histories.add_lesson(ended, "one")
        histories.add_lesson(created, "two")
    histories.add_lesson(JobCreated("f00d", "vision", at(99)), "later")
    assert histories.lessons(at(30), at(31)) == [ended, created]


def test_a_history_comes_back_as_it_was_learned_and_a_second_writer_is_refused(histories: DynamoHistories) -> None:
    empty = histories.history({"f00d"}, {"vision"})
    assert empty == History()
    events: list[JobCreated | JobEnded] = [
        JobEnded("f00d", "vision", at(30), TRIAL),
        JobCreated("f00d", "vision", at(31)),
    ]
    learned = learn(empty, [*events, JobEnded("f00d", "vision", at(32), TRIAL)], at(60), HOUR)
    histories.put_history(empty, learned)
    found = histories.history({"f00d", "unknown"}, {"vision"})
    assert found.keys["f00d"] == replace(learned.keys["f00d"], version=1)
    assert found.teams["vision"] == replace(learned.teams["vision"], version=1)
    assert (found.guard, found.guard_version) == (learned.guard, 1)
    with pytest.raises(LedgerConflict):
        histories.put_history(empty, learned)


def test_what_did_not_change_is_not_written(histories: DynamoHistories) -> None:
    known = learn(History(), [JobCreated("f00d", "vision", at(1))], at(2), HOUR)
    histories.put_history(History(), known)
    before = histories.history({"f00d"}, {"vision"})
    histories.put_history(before, before)
    assert histories.history({"f00d"}, {"vision"}) == before


def test_up_to_when_lessons_were_learned_is_remembered(histories: DynamoHistories) -> None:
    assert histories.learned_until() is None
    histories.put_learned(at(5))
    assert histories.learned_until() == at(5)


def test_a_teams_item_names_its_kinds_of_pool_and_these_what_they_consist_of_and_what_spot_saved(
    histories: DynamoHistories,
) -> None:
    g5 = Cluster("ml.g5.xlarge", 2, Price(Decimal("1.408"), "price list"))
    lessons: list[Lesson] = [
        JobEnded("f00d", "vision", at(30), TRIAL, g5),
        JobEnded("beef", "vision", at(30), None, Cluster("ml.new.xlarge", 1)),
        JobEnded("cafe", "speech", at(30)),
        SpotEnded("beef", "vision", at(31), 0.8),
    ]
    for number, lesson in enumerate(lessons):
        histories.add_lesson(lesson, f"job-{number}")
    learned = learn(History(), histories.lessons(at(0), at(60)), at(60), HOUR)
    histories.put_history(History(), learned)
    kinds = histories.history((), {"vision"}).teams["vision"].kinds
    assert kinds == {"beef": 0, "f00d": 0}
    found = histories.history(kinds, {"vision"})
    assert {name: key.cluster for name, key in found.keys.items()} == {"f00d": g5, "beef": Cluster("ml.new.xlarge", 1)}
    assert {name: key.spot_saved for name, key in found.keys.items()} == {"f00d": (), "beef": (0.8,)}


def test_what_was_recommended_last_is_remembered_by_team(histories: DynamoHistories) -> None:
    assert histories.published("vision") is None
    histories.put_published("vision", "one")
    histories.put_published("vision", "two")
    assert (histories.published("vision"), histories.published("speech")) == ("two", None)
