"""Documents in a bucket, against S3 as moto plays it, and the answers it does not give."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from moto import mock_aws

from trainops.adapters.documents import S3Documents

BUCKET, KEY = "example-artifacts", "vision/trainops/recommendations.json"


@pytest.fixture
def s3() -> Iterator[Any]:
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=BUCKET)
        yield client


def text_of(s3: Any, key: str = KEY) -> str:
    return str(s3.get_object(Bucket=BUCKET, Key=key)["Body"].read().decode())


def test_a_document_replaces_what_was_there(s3: Any) -> None:
    documents = S3Documents(s3, BUCKET)
    documents.put(KEY, "one")
    documents.put(KEY, "zwei: \N{LATIN SMALL LETTER U WITH DIAERESIS}")
    assert text_of(s3) == "zwei: \N{LATIN SMALL LETTER U WITH DIAERESIS}"


@pytest.mark.parametrize(("name", "kind"), [("a.json", "application/json"), ("a.yaml", "application/yaml")])
def test_a_document_says_what_it_is(s3: Any, name: str, kind: str) -> None:
    S3Documents(s3, BUCKET).put(name, "{}")
    assert s3.head_object(Bucket=BUCKET, Key=name)["ContentType"] == kind


def test_what_somebody_else_wrote_is_not_overwritten(s3: Any) -> None:
    documents = S3Documents(s3, BUCKET)
    assert documents.put_if_absent(KEY, "begun") is True
    documents.put(KEY, "learnt")
    assert documents.put_if_absent(KEY, "begun") is False
    assert text_of(s3) == "learnt"


def test_the_condition_is_s3s_own_so_that_two_writers_cannot_both_win() -> None:
    s3 = boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="y")
    request = {"Bucket": BUCKET, "Key": KEY, "Body": b"{}", "ContentType": "application/json", "IfNoneMatch": "*"}
    with Stubber(s3) as stub:
        stub.add_response("put_object", {}, request)
        assert S3Documents(s3, BUCKET).put_if_absent(KEY, "{}")
        for code, status in (("ConditionalRequestConflict", 409), ("AccessDenied", 403)):
            stub.add_client_error("put_object", code, http_status_code=status)
            with pytest.raises(ClientError, match=code):
                S3Documents(s3, BUCKET).put_if_absent(KEY, "{}")


def test_removing_twice_is_no_error(s3: Any) -> None:
    documents = S3Documents(s3, BUCKET)
    documents.put(KEY, "{}")
    documents.remove(KEY)
    documents.remove(KEY)
    assert s3.list_objects_v2(Bucket=BUCKET)["KeyCount"] == 0
