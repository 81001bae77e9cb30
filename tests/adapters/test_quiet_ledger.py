"""The ledger's items of families and storms, over the table as moto plays it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.adapters.ledger_table import TABLE, table
from tests.builders import arn, at, job, record
from trainops.adapters.job_families import DynamoFamilies
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.storms import DynamoStorms
from trainops.domain.job_families import Family, FamilyChange, Step
from trainops.domain.storms import Seen, Single, Storm
from trainops.domain.training_jobs import JobKey
from trainops.errors import LedgerConflict

PIPELINE = "arn:aws:sagemaker:us-east-1:111122223333:pipeline/churn/execution/abc"
STORM = Storm(key="vision/crash", clock=at(3), singles=(Single("a", at(0)),), opened=at(0), due=at(10))


@pytest.fixture
def dynamodb() -> Iterator[Any]:
    with table() as client:
        yield client


def test_a_family_is_read_as_it_was_written_and_written_once(dynamodb: Any) -> None:
    families = DynamoFamilies(LedgerTable(dynamodb, TABLE))
    assert families.family(PIPELINE) is None
    end = FamilyChange(PIPELINE, "churn (abc)", "Failed", at(60), at(0), "a reason", 3, {"owner": "alpha"})
    family = Family(arn=PIPELINE, end=end, last_end=at(50))
    families.put_family(family)
    assert families.family(PIPELINE) == replace(family, version=1)
    with pytest.raises(LedgerConflict):
        families.put_family(family)


def test_the_members_of_a_family_are_its_jobs_with_their_records_and_its_steps(dynamodb: Any) -> None:
    families, ledger = DynamoFamilies(LedgerTable(dynamodb, TABLE)), DynamoLedger(LedgerTable(dynamodb, TABLE))
    keys = [JobKey.of(arn(f"train-{number}"), at(number)) for number in range(3)]
    for key in keys[:2]:
        ledger.put_job(record(job(key.lower_case_name, key=key), version=0))
    for key in [*keys, keys[0]]:
        families.join(PIPELINE, key, None)
    families.put_step(PIPELINE, Step("train", "Training", "Failed", at(5), "a reason", keys[0].arn))
    members = families.members(PIPELINE)
    assert [found.job.key for found in members.jobs] == keys[:2]
    assert [(step.name, step.reason) for step in members.steps] == [("train", "a reason")]
    assert members.outer is None


def test_what_belongs_to_another_family_says_so(dynamodb: Any) -> None:
    families = DynamoFamilies(LedgerTable(dynamodb, TABLE))
    families.join("arn:aws:sagemaker:us-east-1:1:hyper-parameter-tuning-job/a", JobKey.of(arn(), at(0)), PIPELINE)
    assert families.members("arn:aws:sagemaker:us-east-1:1:hyper-parameter-tuning-job/a").outer == PIPELINE


@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_reports_of_a_step_the_later_stays_and_of_one_second_the_end(dynamodb: Any, swapped: bool) -> None:
    families = DynamoFamilies(LedgerTable(dynamodb, TABLE))
    reports = [Step("a", "", "Executing", at(5)), Step("a", "", "Failed", at(5)), Step("b", "", "Failed", at(1))]
    reports.append(Step("b", "", "Succeeded", at(9)))
    for step in reversed(reports) if swapped else reports:
        families.put_step(PIPELINE, step)
    assert [step.status for step in families.members(PIPELINE).steps] == ["Failed", "Succeeded"]


def test_a_storm_is_read_as_it_was_written_and_written_once(dynamodb: Any) -> None:
    storms = DynamoStorms(LedgerTable(dynamodb, TABLE))
    assert storms.storm(STORM.key) is None
    written = storms.put_storm(STORM)
    assert storms.storm(STORM.key) == written == replace(STORM, version=1)
    with pytest.raises(LedgerConflict):
        storms.put_storm(STORM)


def test_each_failures_fate_is_remembered_and_what_a_storm_absorbed_is_listed_by_time(dynamodb: Any) -> None:
    storms = DynamoStorms(LedgerTable(dynamodb, TABLE))
    fates = [Seen(key=f"card-{n}", at=at(9 - n), opened=at(0), team="vision", job=arn(), title="t") for n in range(3)]
    for fate in [*fates, fates[0]]:
        storms.absorb(STORM.key, at(0), fate)
        storms.put_seen(STORM.key, fate)
    assert storms.absorbed(STORM.key, at(0)) == fates[::-1]
    assert storms.absorbed(STORM.key, at(0) + timedelta(days=1)) == []
    assert storms.seen(STORM.key, "card-1") == fates[1]
    assert storms.seen("vision/other", "card-1") is None
