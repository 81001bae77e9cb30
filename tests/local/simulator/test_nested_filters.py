"""Nested filters ask whether one object of a list satisfies all of several conditions (API shape NestedFilters)."""

from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import Bench, code_of, create_request, spot_request

NAME, URI = "InputDataConfig.ChannelName", "InputDataConfig.DataSource.S3DataSource.S3Uri"


def channel(name: str, uri: str) -> dict[str, Any]:
    return {"ChannelName": name, "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": uri}}}


def condition(name: str, value: str, operator: str = "Equals") -> dict[str, str]:
    return {"Name": name, "Operator": operator, "Value": value}


def nested(*filters: dict[str, str], of: str = "InputDataConfig") -> dict[str, Any]:
    return {"NestedPropertyName": of, "Filters": list(filters)}


def bench_with_three() -> Bench:
    """`cats` trains on cats, `dogs` on dogs and is tested on cats, `none` has no channel and was interrupted."""
    bench = Bench(none=Plan(interruptions=1))
    cats, dogs = "s3://mybucket/catdata/1", "s3://mybucket/dogdata/1"
    bench.call("CreateTrainingJob", **create_request("cats", InputDataConfig=[channel("train", cats)]))
    both = [channel("train", dogs), channel("test", cats)]
    bench.call("CreateTrainingJob", **create_request("dogs", InputDataConfig=both))
    bench.call("CreateTrainingJob", **spot_request("none"))
    bench.pass_time(2000)
    return bench


def names(expression: dict[str, Any]) -> list[str]:
    answer = bench_with_three().call("Search", Resource="TrainingJob", SearchExpression=expression)
    return sorted(result["TrainingJob"]["TrainingJobName"] for result in answer["Results"])


TEST, TRAIN = nested(condition(NAME, "test")), nested(condition(NAME, "train"))
CATS = condition(URI, "catdata", "Contains")
STATUS = "SecondaryStatusTransitions.Status"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ({"NestedFilters": [nested(CATS)]}, ["cats", "dogs"]),
        ({"NestedFilters": [nested(condition(NAME, "train"), CATS)]}, ["cats"]),
        ({"NestedFilters": [TRAIN, TEST]}, ["dogs"]),
        (
            {"NestedFilters": [TEST], "Operator": "Or", "Filters": [condition("TrainingJobName", "none")]},
            ["dogs", "none"],
        ),
        ({"SubExpressions": [{"NestedFilters": [TEST]}], "Filters": [condition("TrainingJobName", "cats")]}, []),
        ({"NestedFilters": [nested(condition(STATUS, "Interrupted"), of="SecondaryStatusTransitions")]}, ["none"]),
    ],
)
def test_one_object_of_the_list_must_satisfy_all_conditions(expression: dict[str, Any], expected: list[str]) -> None:
    assert names(expression) == expected


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([nested(condition("TrainingJobName", "a"))], "no property of InputDataConfig"),
        ([nested(condition("InputDataConfig.Colour", "a"))], "Colour is not a property"),
        ([nested(condition("ResourceConfig.InstanceType", "a"), of="ResourceConfig")], "not a list of objects"),
        ([nested(condition(NAME, "a", "LessThan"))], "not supported"),
        ([nested(*[condition(URI, "a", "Contains")] * 2)], "usage limit of 1"),
        ([nested(*[condition(NAME, "a")] * 17)] * 3, "at most 50"),
    ],
)
def test_what_cannot_be_asked_of_a_list_is_refused(wrong: list[dict[str, Any]], why: str) -> None:
    with pytest.raises(ServiceError, match=why) as caught:
        Bench().call("Search", Resource="TrainingJob", SearchExpression={"NestedFilters": wrong})
    assert code_of(caught.value) == "ValidationException"
