"""Search selects, orders and pages full TrainingJob records (API shapes SearchRequest, Filter, SearchExpression)."""

from datetime import timedelta
from typing import Any

import pytest

from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, Everyone, code_of, create_request, pool_request, spot_request

TEAM = [{"Key": "team", "Value": "vision"}]


def bench_with_three() -> Bench:
    """`pool` kept its cluster, `spot` failed, `run` still runs; a minute apart."""
    bench = Bench(spot=Plan(outcome="Failed"), run=Plan(training_seconds=3000))
    bench.call("CreateTrainingJob", **pool_request("pool", Tags=TEAM, HyperParameters={"lr": "0.1", "opt": "adam"}))
    bench.pass_time(60)
    bench.call("CreateTrainingJob", **spot_request("spot", HyperParameters={"lr": "2.7"}))
    bench.pass_time(60)
    bench.call("CreateTrainingJob", **create_request("run", Tags=[{"Key": "team", "Value": "speech"}]))
    bench.pass_time(1000)
    return bench


def condition(name: str, operator: str | None = None, value: str | None = None) -> dict[str, str]:
    members = {"Name": name, "Operator": operator, "Value": value}
    return {key: member for key, member in members.items() if member is not None}


def names(bench: Bench, expression: dict[str, Any] | None = None, **request: Any) -> list[str]:
    asked = request if expression is None else {"SearchExpression": expression, **request}
    answer = bench.call(
        "Search", **{"Resource": "TrainingJob", "SortBy": "CreationTime", "SortOrder": "Ascending", **asked}
    )
    return [result["TrainingJob"]["TrainingJobName"] for result in answer["Results"]]


def iso(seconds: int) -> str:
    return (START + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        (condition("TrainingJobStatus", "Equals", "Completed"), ["pool"]),
        (condition("TrainingJobStatus", None, "Completed"), ["pool"]),
        (condition("TrainingJobStatus", "NotEquals", "Completed"), ["spot", "run"]),
        (condition("TrainingJobStatus", "In", "Failed, InProgress"), ["spot", "run"]),
        (condition("TrainingJobName", "Contains", "o"), ["pool", "spot"]),
        (condition("CreationTime", "GreaterThan", iso(60)), ["run"]),
        (condition("CreationTime", "GreaterThanOrEqualTo", iso(60)), ["spot", "run"]),
        (condition("CreationTime", "LessThan", iso(60)), ["pool"]),
        (condition("CreationTime", "LessThanOrEqualTo", iso(60)), ["pool", "spot"]),
        (condition("CreationTime", "Equals", iso(60)), ["spot"]),
        (condition("TrainingTimeInSeconds", "GreaterThan", "640"), ["pool"]),
        (condition("ResourceConfig.InstanceCount", "Equals", "2"), ["pool", "spot", "run"]),
        (condition("ResourceConfig.KeepAlivePeriodInSeconds", "Exists"), ["pool"]),
        (condition("WarmPoolStatus.Status", "Equals", "Available"), ["pool"]),
        (condition("WarmPoolStatus.Status", "NotExists"), ["spot", "run"]),
        (condition("FailureReason", "Exists"), ["spot"]),
        (condition("EnableManagedSpotTraining", "Equals", "true"), ["spot"]),
        (condition("EnableManagedSpotTraining", "NotEquals", "true"), ["pool", "run"]),
        (condition("Tags.team", "Equals", "vision"), ["pool"]),
        (condition("Tags.team", "NotEquals", "vision"), ["run"]),
        (condition("Tags.team", "Exists"), ["pool", "run"]),
        (condition("Tags.team", "NotExists"), ["spot"]),
        (condition("Tags.team", "Contains", "eech"), ["run"]),
        (condition("HyperParameters.lr", "LessThan", "0.5"), ["pool"]),
        (condition("HyperParameters.lr", "Equals", "2"), ["spot"]),
        (condition("HyperParameters.lr", "Equals", "2.0"), []),
        (condition("HyperParameters.opt", "Equals", "adam"), ["pool"]),
        (condition("HyperParameters.opt", "GreaterThan", "1"), []),
        (condition("Metrics.accuracy", "GreaterThan", "0.9"), []),
    ],
)
def test_an_operator_selects_what_its_description_says(filter_: dict[str, str], expected: list[str]) -> None:
    assert names(bench_with_three(), {"Filters": [filter_]}) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ({"Filters": [condition("Tags.team", "Exists"), condition("FailureReason", "NotExists")]}, ["pool", "run"]),
        (
            {
                "Filters": [condition("FailureReason", "Exists"), condition("Tags.team", None, "speech")],
                "Operator": "Or",
            },
            ["spot", "run"],
        ),
        (
            {
                "Filters": [condition("ResourceConfig.InstanceType", None, "ml.g5.xlarge")],
                "SubExpressions": [
                    {"Filters": [condition("TrainingJobName", None, n) for n in ("pool", "spot")], "Operator": "Or"},
                    {"Filters": [condition("EnableManagedSpotTraining", None, "false")]},
                ],
            },
            ["pool"],
        ),
    ],
)
def test_conditions_are_joined_by_and_or_or(expression: dict[str, Any], expected: list[str]) -> None:
    assert names(bench_with_three(), expression) == expected


def test_a_record_is_the_whole_job_with_its_tags_and_pool() -> None:
    bench = bench_with_three()
    expression = {"Filters": [condition("TrainingJobName", None, "pool")]}
    [result] = bench.call("Search", Resource="TrainingJob", SearchExpression=expression)["Results"]
    found = result["TrainingJob"]
    assert (found["Tags"], found["WarmPoolStatus"]) == (TEAM, {"Status": "Available"})
    assert (found["TrainingTimeInSeconds"], found["BillableTimeInSeconds"]) == (650, 650)
    assert len(found["SecondaryStatusTransitions"]) == 5


def test_the_last_modified_comes_first_unless_asked_otherwise() -> None:
    bench = bench_with_three()
    found = bench.call("Search", Resource="TrainingJob")["Results"]
    assert [one["TrainingJob"]["TrainingJobName"] for one in found] == ["spot", "pool", "run"]
    assert names(bench, SortBy="TrainingJobName") == ["pool", "run", "spot"]
    assert names(bench, SortBy="TrainingTimeInSeconds", SortOrder="Descending") == ["pool", "spot", "run"]


def test_results_come_in_pages_whose_token_belongs_to_the_expression() -> None:
    bench = bench_with_three()
    request = {"Resource": "TrainingJob", "SortBy": "TrainingJobName", "SortOrder": "Ascending", "MaxResults": 2}
    first = bench.call("Search", **request)
    assert (len(first["Results"]), first["TotalHits"]["Value"]) == (2, 3)
    second = bench.call("Search", **request, NextToken=first["NextToken"])
    assert [one["TrainingJob"]["TrainingJobName"] for one in second["Results"]] == ["spot"]
    assert "NextToken" not in second
    with pytest.raises(ServiceError, match="Invalid pagination token"):
        bench.call("Search", **{**request, "SortOrder": "Descending"}, NextToken=first["NextToken"])


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"Resource": "Endpoint"}, "not simulated"),
        ({"SearchExpression": {}}, "at least one filter"),
        ({"SearchExpression": {"Filters": [condition("Colour", None, "red")]}}, "Colour is not a property"),
        ({"SearchExpression": {"Filters": [condition("ResourceConfig", "Exists")]}}, "is not a property"),
        ({"SearchExpression": {"Filters": [condition("TrainingJobName", "Equals")]}}, "needs a Value"),
        ({"SearchExpression": {"Filters": [condition("TrainingJobName", "LessThan", "a")]}}, "not supported"),
        ({"SearchExpression": {"Filters": [condition("CreationTime", "Contains", iso(0))]}}, "only supported for text"),
        ({"SearchExpression": {"Filters": [condition("CreationTime", "Equals", "yesterday")]}}, "not a timestamp"),
        ({"SearchExpression": {"Filters": [condition("TrainingTimeInSeconds", "Equals", "x")]}}, "not a number"),
        ({"SearchExpression": {"Filters": [condition("EnableNetworkIsolation", "Equals", "1")]}}, "not a boolean"),
        ({"SearchExpression": {"Filters": [condition("TrainingJobName", "Like", "a")]}}, "enum value set"),
        ({"SearchExpression": {"Filters": [condition("TrainingJobName", "Contains", "a")] * 2}}, "usage limit of 1"),
        (
            {"SearchExpression": {"SubExpressions": [{"Filters": [condition("FailureReason", "Exists")] * 17}] * 3}},
            "at most 50",
        ),
        ({"SortBy": "Colour"}, "is not a property"),
        ({"MaxResults": 101}, "less than or equal to 100"),
    ],
)
def test_what_cannot_be_searched_is_refused(request_: dict[str, Any], why: str) -> None:
    with pytest.raises(ServiceError, match=why) as caught:
        Bench().call("Search", **{"Resource": "TrainingJob", **request_})
    assert code_of(caught.value) == "ValidationException"


def test_visibility_conditions_hide_other_values_and_are_condition_keys() -> None:
    bench = bench_with_three()
    assert names(bench, VisibilityConditions=[{"Key": "Tags.team", "Value": "speech"}]) == ["spot", "run"]
    key = "sagemaker:SearchVisibilityCondition/Tags.team/EqualsIfExists"
    expected = ("sagemaker:Search", "*", {key: "speech"})
    assert bench.caller.asked[-1] == expected


def test_nothing_of_another_account_is_found() -> None:
    assert names(bench_with_three(), CrossAccountFilterOption="CrossAccount") == []


def test_search_is_authorised() -> None:
    with pytest.raises(ServiceError) as caught:
        Bench(Everyone(denied=frozenset({"sagemaker:Search"}))).call("Search", Resource="TrainingJob")
    assert code_of(caught.value) == "AccessDeniedException"
