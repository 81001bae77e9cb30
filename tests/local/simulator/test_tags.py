"""Tags are added, removed and read in pages under the limits of the API (shapes AddTags, ListTags, DeleteTags)."""

from typing import Any

import pytest

from local.sagemaker.api import Api
from local.sagemaker.errors import ServiceError
from tests.local.simulator.bench import Bench, Everyone, code_of, create_request

ARN = "arn:aws:sagemaker:eu-central-1:123456789012:training-job/job-1"


def tag(key: str, value: str = "v") -> dict[str, str]:
    return {"Key": key, "Value": value}


def tagged(*tags: dict[str, str], denied: frozenset[str] = frozenset()) -> Bench:
    bench = Bench(Everyone(denied=denied))
    bench.call("CreateTrainingJob", **create_request(Tags=list(tags)))
    return bench


def keys(bench: Bench) -> list[str]:
    return [found["Key"] for found in bench.call("ListTags", ResourceArn=ARN)["Tags"]]


def test_tags_are_deleted_by_key_and_an_absent_key_is_no_error() -> None:
    bench = tagged(tag("a"), tag("b"), tag("c"))
    assert bench.call("DeleteTags", ResourceArn=ARN, TagKeys=["a", "c", "never"]) == {}
    assert keys(bench) == ["b"]


def test_fifty_tags_are_allowed_and_no_more() -> None:
    bench = tagged(*(tag(f"k{n}") for n in range(49)))
    bench.call("AddTags", ResourceArn=ARN, Tags=[tag("k49"), tag("k0", "new")])
    with pytest.raises(ServiceError, match="Too many tags: 51") as caught:
        bench.call("AddTags", ResourceArn=ARN, Tags=[tag("k50")])
    assert code_of(caught.value) == "ValidationException"
    assert len(keys(bench)) == 50


@pytest.mark.parametrize(
    "tags",
    [
        [tag("aws:owner")],
        [tag("AWS:owner")],
        [tag("a"), tag("a", "other")],
        [tag("k" * 129)],
        [tag("")],
        [tag("k", "v" * 257)],
        [tag("semi;colon")],
        [tag("k", "what?")],
        [tag(f"k{n}") for n in range(51)],
    ],
)
def test_tags_outside_the_rules_are_refused_whole(tags: list[dict[str, str]]) -> None:
    bench = tagged(tag("kept"))
    with pytest.raises(ServiceError) as caught:
        bench.call("AddTags", ResourceArn=ARN, Tags=[tag("fine"), *tags])
    assert code_of(caught.value) == "ValidationException"
    assert keys(bench) == ["kept"]


def test_letters_of_any_script_and_an_empty_value_are_tags() -> None:
    bench = tagged()
    bench.call("AddTags", ResourceArn=ARN, Tags=[tag("köln = 東京", ""), tag("a/b:c+d@e_f.g-h")])
    assert keys(bench) == ["köln = 東京", "a/b:c+d@e_f.g-h"]


def test_tags_come_in_pages_whose_size_is_at_least_fifty() -> None:
    bench = tagged(*(tag(f"k{n}") for n in range(5)))
    assert "NextToken" not in bench.call("ListTags", ResourceArn=ARN, MaxResults=50)
    with pytest.raises(ServiceError) as caught:
        bench.call("ListTags", ResourceArn=ARN, MaxResults=49)
    assert code_of(caught.value) == "ValidationException"
    small = Api(bench.simulator, tags_page=2)
    found: list[str] = []
    request: dict[str, Any] = {"ResourceArn": ARN}
    while True:
        answer = small.call("ListTags", bench.caller, request)
        found += [entry["Key"] for entry in answer["Tags"]]
        if "NextToken" not in answer:
            break
        request["NextToken"] = answer["NextToken"]
    assert found == ["k0", "k1", "k2", "k3", "k4"]


@pytest.mark.parametrize(
    ("operation", "request_"),
    [("AddTags", {"Tags": [tag("a")]}), ("ListTags", {}), ("DeleteTags", {"TagKeys": ["a"]})],
)
def test_tags_of_nobody_are_not_found_but_first_authorised(operation: str, request_: dict[str, Any]) -> None:
    with pytest.raises(ServiceError) as caught:
        Bench().call(operation, ResourceArn=ARN, **request_)
    assert code_of(caught.value) == "ResourceNotFound"
    bench = tagged(denied=frozenset({f"sagemaker:{operation}"}))
    with pytest.raises(ServiceError) as caught:
        bench.call(operation, ResourceArn=ARN, **request_)
    assert code_of(caught.value) == "AccessDeniedException"
