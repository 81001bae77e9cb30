"""From CloudFormation's request to the team's part of the bucket, through the function as it is deployed."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from handlers import team_publication

BUCKET = "example-artifacts"
STACK = "arn:aws:cloudformation:us-east-1:111122223333:stack/trainops-access/6d1c0cf0"
IDENTITY = f"{STACK}/TeamPublicationDocuments1C3DECE6"


def properties(*teams: str, facts: str = "{}") -> dict[str, Any]:
    return {
        "ServiceToken": "arn:aws:lambda:us-east-1:111122223333:function:framework",
        "ServiceTimeout": "300",
        "Kept": {f"{team}/trainops/team.json": facts for team in teams},
        "Begun": {f"{team}/trainops/recommendations.json": "{}" for team in teams},
    }


def request(kind: str, now: dict[str, Any], before: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    old = {"OldResourceProperties": before} if before is not None else {}
    named = {"StackId": STACK, "LogicalResourceId": "TeamPublicationDocuments1C3DECE6", "RequestId": "1"}
    return {"RequestType": kind, "ResourceProperties": now, **named, **old, **more}


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("ARTIFACT_BUCKET", BUCKET)
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=BUCKET)
        team_publication.wire.cache_clear()
        yield client
    team_publication.wire.cache_clear()


def ask(event: dict[str, Any]) -> dict[str, str]:
    return team_publication.handler(event, None)  # type: ignore[arg-type]


def content(s3: Any) -> dict[str, str]:
    listed = s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return {item["Key"]: s3.get_object(Bucket=BUCKET, Key=item["Key"])["Body"].read().decode() for item in listed}


def test_a_first_deployment_publishes_every_document(s3: Any) -> None:
    ask(request("Create", properties("vision", "speech")))
    assert sorted(content(s3)) == [
        f"{team}/trainops/{name}" for team in ("speech", "vision") for name in ("recommendations.json", "team.json")
    ]


def test_another_deployment_changes_the_facts_and_leaves_what_others_wrote(s3: Any) -> None:
    ask(request("Create", properties("vision")))
    s3.put_object(Bucket=BUCKET, Key="vision/trainops/recommendations.json", Body=b"learnt")
    ask(request("Update", properties("vision", facts="new"), properties("vision")))
    assert content(s3) == {"vision/trainops/team.json": "new", "vision/trainops/recommendations.json": "learnt"}


def test_a_removed_teams_facts_mislead_nobody(s3: Any) -> None:
    ask(request("Create", properties("vision", "speech")))
    ask(request("Update", properties("vision"), properties("vision", "speech")))
    assert "speech/trainops/team.json" not in content(s3)
    assert "speech/trainops/recommendations.json" in content(s3)


def test_a_rollback_brings_the_earlier_facts_back(s3: Any) -> None:
    ask(request("Create", properties("vision", "speech", facts="old")))
    ask(request("Update", properties("vision", facts="new"), properties("vision", "speech", facts="old")))
    ask(request("Update", properties("vision", "speech", facts="old"), properties("vision", facts="new")))
    assert [text for key, text in content(s3).items() if key.endswith("team.json")] == ["old", "old"]


@pytest.mark.case("CD-01", "CD-16")
def test_deleting_works_when_nothing_is_left_to_reach(s3: Any) -> None:
    s3.delete_bucket(Bucket=BUCKET)
    assert ask(request("Delete", {}, PhysicalResourceId=IDENTITY)) == {"PhysicalResourceId": IDENTITY}


def test_deleting_leaves_the_documents(s3: Any) -> None:
    ask(request("Create", properties("vision")))
    before = content(s3)
    ask(request("Delete", properties("vision"), PhysicalResourceId=IDENTITY))
    assert content(s3) == before


@pytest.mark.case("CD-02", "CD-04")
def test_the_physical_id_is_the_same_in_every_request_whatever_changes(s3: Any) -> None:
    answers = [
        ask(request("Create", properties("vision"))),
        ask(request("Update", properties("speech", facts="new"), properties("vision"), PhysicalResourceId=IDENTITY)),
        ask(request("Delete", properties("speech"), PhysicalResourceId=IDENTITY)),
        ask(request("Delete", properties("speech"))),
    ]
    assert answers == [{"PhysicalResourceId": IDENTITY}] * 4


@pytest.mark.case("CD-16")
def test_a_request_of_an_unknown_type_is_an_error_that_names_it(s3: Any) -> None:
    with pytest.raises(ValueError, match="RequestType is 'Replace'; known are Create, Update and Delete"):
        ask(request("Replace", properties("vision")))
    assert content(s3) == {}


@pytest.mark.case("CD-16")
def test_importing_the_handler_calls_and_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARTIFACT_BUCKET", raising=False)
    team_publication.wire.cache_clear()
    with pytest.raises(ValueError, match="ARTIFACT_BUCKET is missing"):
        ask(request("Create", properties("vision")))
