"""`trainops why` against a ledger as moto plays it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, NoCredentialsError
from typer.testing import CliRunner

from tests.adapters.ledger_table import TABLE, table
from tests.builders import ACCOUNT, REGION, arn, at, description, record
from trainops.adapters.ledger import DynamoLedger
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.pool_ledger import DynamoPoolLedger
from trainops.domain.announcements import AnnouncementType
from trainops.domain.job_records import JobRecord, out_of_scope
from trainops.domain.pool_misses import Missed, MissKind, PoolMiss
from trainops.domain.training_jobs import from_description
from trainops.domain.warm_pools import PoolRecord, PoolState, opened
from trainops_cli.deployed import Mistake
from trainops_cli.main import app
from trainops_cli.why.ledger import Deployment, region_of

STACK = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/trainops-foundation/1234"
ASKED = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 250, "KeepAlivePeriodInSeconds": 1800}


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with table() as client:
        monkeypatch.setattr(Deployment, "found", lambda _name, _region: Deployment(client, TABLE, STACK))
        yield client


def wrote_job(
    dynamodb: Any, name: str, minute: float = 0, changes: dict[str, Any] | None = None, **fields: Any
) -> JobRecord:
    request = description(name, created=at(minute), ResourceConfig={**ASKED, **(changes or {})})
    known = record(from_description(request, {}), version=0, **fields)
    return DynamoLedger(LedgerTable(dynamodb, TABLE)).put_job(known)


def wrote_pool(dynamodb: Any, of: JobRecord, **fields: Any) -> PoolRecord:
    pool = replace(opened(of), **{"confirmed": True, "look_at": at(90), **fields})
    return DynamoPoolLedger(LedgerTable(dynamodb, TABLE)).put_pool(pool)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["why", *arguments])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.case("WP-04")
def test_a_cold_start_names_the_field_and_what_was_looked_at(dynamodb: Any) -> None:
    wrote_pool(dynamodb, wrote_job(dynamodb, "first"))
    second = wrote_job(dynamodb, "second", 40, {"VolumeSizeInGB": 200})
    wrote_pool(dynamodb, second, state=PoolState.EXPIRED, released=at(100), look_at=None)
    code, said, _ = run("second")
    first, start, own, looked = said.splitlines()
    assert code == 0
    assert first.startswith(
        "second: Completed, 1 \N{MULTIPLICATION SIGN} ml.g5.xlarge, created 2026-03-02 09:40:00 UTC"
    )
    assert start.startswith("Cold start: the pool of first does not match: ResourceConfig.VolumeSizeInGB: 250 → 200 (")
    assert own == "Its own pool: let go at 2026-03-02 10:40:00 UTC, without a job that took it."
    assert looked.startswith("Looked at: ledger as of ")
    assert "its own pool's, 1 other pool. SageMaker was not asked." in looked


def test_json_has_the_events_shape_and_nothing_else_is_printed(dynamodb: Any) -> None:
    wrote_pool(dynamodb, wrote_job(dynamodb, "first"))
    wrote_job(dynamodb, "second", 40, {"VolumeSizeInGB": 200, "KeepAlivePeriodInSeconds": 0})
    code, said, error = run(arn("second"), "--json")
    found = json.loads(said)
    assert (code, error) == (0, "")
    assert found["job"]["name"] == "second"
    assert found["warm_start"] is False
    assert found["own_pool"] is None
    [miss] = found["warm_pool_misses"]
    assert miss["differences"] == [{"field": "ResourceConfig.VolumeSizeInGB", "old": "250", "new": "200"}]
    assert found["looked_at"]["pools"] == ["first"]


def test_a_warm_start_names_the_pool_it_took(dynamodb: Any) -> None:
    wrote_pool(dynamodb, wrote_job(dynamodb, "first"), state=PoolState.REUSED, reused_by="second", released=at(40))
    wrote_job(dynamodb, "second", 40, {"KeepAlivePeriodInSeconds": 0})
    assert run("second")[1].splitlines()[1:3] == [
        "Warm start: it took the pool of first.",
        "It asked for no warm pool.",
    ]


def test_a_warm_start_whose_pool_the_ledger_forgot_is_still_one(dynamodb: Any) -> None:
    wrote_pool(dynamodb, wrote_job(dynamodb, "other", changes={"VolumeSizeInGB": 1}))
    wrote_job(dynamodb, "second", 40, started_warm=True)
    assert "Warm start: it took a pool." in run("second")[1]


@pytest.mark.case("WP-01")
def test_a_pool_that_never_came_names_the_quota_and_where_to_raise_it(dynamodb: Any) -> None:
    first = wrote_job(dynamodb, "first")
    wrote_pool(dynamodb, first, state=PoolState.ABSENT, confirmed=False, look_at=None)
    said = run("first")[1]
    assert "No pool of team default that it could have taken was open then" in said
    assert 'SageMaker never showed one; most likely the quota "ml.g5.xlarge for training warm pool usage"' in said
    assert f"Quotas: https://{REGION}.console.aws.amazon.com/servicequotas/home/services/sagemaker/quotas" in said


def test_what_was_told_at_the_time_stands_while_nothing_newer_contradicts_it(dynamodb: Any) -> None:
    told = PoolMiss(missed=Missed.REUSE, kind=MissKind.TAKEN, reason="the pool of x had been taken by y 2 min before")
    wrote_job(dynamodb, "second", 40, pool_misses=(replace(told, told_in=AnnouncementType.STARTED),))
    assert f"Cold start: {told.reason}." in run("second")[1]


def test_a_job_still_running_has_its_pool_before_it(dynamodb: Any) -> None:
    running = from_description(description("runs", "InProgress", ResourceConfig=ASKED), {})
    DynamoLedger(LedgerTable(dynamodb, TABLE)).put_job(record(running, version=0))
    assert "Its own pool is still to come: it asked for 30 min after its end." in run("runs")[1]


def test_a_job_outside_the_scope_is_said_to_be_and_nothing_is_concluded(dynamodb: Any) -> None:
    kept = out_of_scope(None, from_description(description("theirs"), {})).record
    assert kept is not None
    DynamoLedger(LedgerTable(dynamodb, TABLE)).put_job(kept)
    [line] = run("theirs")[1].splitlines()
    assert line.endswith("its tags are outside scope.tags")


def test_an_unknown_job_and_a_malformed_name_are_errors_with_the_accepted_form(dynamodb: Any) -> None:
    code, said, error = run("nobody")
    assert (code, said) == (2, "")
    assert "the ledger knows no job arn:aws:sagemaker:us-east-1:111122223333:training-job/nobody" in error
    assert "accepted: a training job's name, such as resnet-1, or its ARN" in error
    code, said, error = run("no_such/name")
    assert (code, said) == (2, "")
    assert "'no_such/name'; accepted: a training job's name" in error


def test_the_region_of_an_arn_is_used_and_upper_case_is_found(dynamodb: Any) -> None:
    assert region_of(arn("first").replace(REGION, "eu-west-1")) == "eu-west-1"
    assert region_of("resnet-1") is None
    wrote_job(dynamodb, "first")
    assert run("FIRST")[0] == 0


class Session:
    """boto3's session, with CloudFormation's answer or error."""

    def __init__(self, answer: Any) -> None:
        self._answer, self.region_name = answer, REGION

    def client(self, service: str) -> Any:
        return self if service == "cloudformation" else service

    def describe_stacks(self, StackName: str) -> Any:  # noqa: N803
        if isinstance(self._answer, Exception):
            raise self._answer
        return {"Stacks": [{"StackId": STACK, "Outputs": self._answer}]}


def found(monkeypatch: pytest.MonkeyPatch, answer: Any) -> Deployment:
    monkeypatch.setattr(boto3, "Session", lambda region_name: Session(answer))
    return Deployment.found("trainops", None)


def test_the_ledger_is_found_by_the_foundation_stacks_output(monkeypatch: pytest.MonkeyPatch) -> None:
    deployment = found(monkeypatch, [{"OutputKey": "LedgerTableName", "OutputValue": "the-table"}])
    assert (deployment.table, deployment.job_arn("Job-1")) == ("the-table", arn("job-1"))


def test_a_deployment_that_is_not_there_says_what_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    absent: Any = {"Error": {"Code": "ValidationError", "Message": "Stack with id trainops-foundation does not exist"}}
    with pytest.raises(Mistake, match="no stack trainops-foundation in us-east-1; accepted: --deployment"):
        found(monkeypatch, ClientError(absent, "DescribeStacks"))
    denied: Any = {"Error": {"Code": "AccessDenied", "Message": "not authorized"}}
    with pytest.raises(ClientError):
        found(monkeypatch, ClientError(denied, "DescribeStacks"))
    with pytest.raises(Mistake, match="no output LedgerTableName"):
        found(monkeypatch, [])


def test_missing_credentials_are_an_error_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boto3, "Session", lambda region_name: Session(NoCredentialsError()))
    code, said, error = run("resnet-1")
    assert (code, said) == (2, "")
    assert "error: Unable to locate credentials" in error
