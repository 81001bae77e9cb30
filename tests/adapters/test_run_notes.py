"""Notes about runs survive the table, and are found by time."""

from dataclasses import replace
from datetime import timedelta

from tests.adapters.ledger_table import TABLE, table
from tests.builders import arn, at, job
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.run_notes import DynamoRunNotes
from trainops.domain.callers import Caller, WitnessedCall
from trainops.domain.past_runs import past_run

CALL = WitnessedCall(arn(), at(0), Caller("jane@corp", "session name"))


def test_who_called_is_found_by_when_the_job_was_created() -> None:
    with table() as dynamodb:
        notes = DynamoRunNotes(LedgerTable(dynamodb, TABLE))
        notes.put_caller(CALL)
        notes.put_caller(CALL)
        notes.put_caller(replace(CALL, at=at(600), caller=Caller(None, "a service called")))
        assert notes.caller(arn().upper(), at(-5), at(1)) == CALL.caller
        assert notes.caller(arn(), at(595), at(601)) == Caller(None, "a service called")
        assert notes.caller(arn(), at(100), at(200)) is None


def test_a_call_is_forgotten_after_the_longest_job_and_a_run_after_three_months() -> None:
    with table() as dynamodb:
        notes = DynamoRunNotes(LedgerTable(dynamodb, TABLE))
        notes.put_caller(CALL)
        notes.put_run("vision|resnet", past_run(job(), at(30)))
        left = {
            item["pk"]["S"].partition("#")[0]: int(item["expires_at"]["N"])
            for item in dynamodb.scan(TableName=TABLE)["Items"]
        }
    assert left == {
        "CALLER": int((at(0) + timedelta(days=35)).timestamp()),
        "RUNS": int((at(30) + timedelta(days=90)).timestamp()),
    }


def test_runs_come_back_whole_the_newest_first_and_none_that_was_created_later() -> None:
    with table() as dynamodb:
        notes = DynamoRunNotes(LedgerTable(dynamodb, TABLE))
        first = past_run(job(match_fingerprint="f"), at(30))
        for days in range(4):
            notes.put_run("vision|resnet", replace(first, created=at(0) + timedelta(days=days)))
        notes.put_run("speech|resnet", first)
        found = notes.before("vision|resnet", at(0) + timedelta(days=3), 2)
    assert [run.created for run in found] == [at(0) + timedelta(days=2), at(0) + timedelta(days=1)]
    assert replace(found[0], created=first.created) == first
