"""GetProducts answers JSON strings, of which several concern one type and one is its training price."""

import json
from decimal import Decimal
from typing import Any

import pytest

from local.price_list.api import PriceListApi
from local.price_list.products import products
from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope
from tests.local.simulator.bench import Everyone


def ask(caller: Everyone | None = None, region: str = "us-east-1", **request: Any) -> dict[str, Any]:
    caller = caller or Everyone()
    caller.scope = Scope(caller.scope.account, region)
    return PriceListApi().call("GetProducts", caller, {"ServiceCode": "AmazonSageMaker", **request})


def filters(kind: str = "TERM_MATCH", **fields: str) -> list[dict[str, str]]:
    return [{"Type": kind, "Field": field, "Value": value} for field, value in fields.items()]


def rows(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(item) for item in answer["PriceList"]]


def usage_types(answer: dict[str, Any]) -> set[str]:
    return {row["product"]["attributes"]["usagetype"] for row in rows(answer)}


def test_a_type_has_several_rows_and_one_is_training() -> None:
    found = ask(Filters=filters(regionCode="us-east-1", instanceName="ml.g5.xlarge"))
    assert usage_types(found) == {"USE1-Train:ml.g5.xlarge", "USE1-Notebk:ml.g5.xlarge", "USE1-Host:ml.g5.xlarge"}


def test_the_training_row_carries_the_price_in_its_on_demand_terms() -> None:
    wanted = filters(regionCode="us-east-1", instanceName="ml.g5.2xlarge", component="Training")
    [row] = rows(ask(Filters=wanted))
    [term] = row["terms"]["OnDemand"].values()
    [dimension] = term["priceDimensions"].values()
    assert (Decimal(dimension["pricePerUnit"]["USD"]), dimension["unit"]) == (Decimal("1.515"), "Hrs")


def test_some_usage_types_lack_the_prefix_of_the_region() -> None:
    wanted = filters(instanceName="ml.m5.xlarge", component="Training")
    assert usage_types(ask(Filters=wanted)) >= {"Train:ml.m5.xlarge", "EU-Train:ml.m5.xlarge"}


@pytest.mark.parametrize("wanted", [filters(instanceName="ml.t3.medium"), filters(unheardOf="x"),
                                    filters(instanceType="ml.g5.xlarge")])  # fmt: skip
def test_what_is_not_in_the_list_is_an_empty_answer(wanted: list[dict[str, str]]) -> None:
    assert ask(Filters=wanted)["PriceList"] == []


@pytest.mark.parametrize(
    ("kind", "value", "count"),
    [("EQUALS", "ml.g5.xlarge", 3), ("CONTAINS", "ml.g5.", 9), ("ANY_OF", "ml.g5.xlarge,ml.g6.xlarge", 6)],
)
def test_the_other_kinds_of_filter_work_too(kind: str, value: str, count: int) -> None:
    wanted = filters(regionCode="eu-west-1") + filters(kind, instanceName=value)
    assert len(ask(Filters=wanted)["PriceList"]) == count


def test_pages_are_cut_and_end() -> None:
    seen: list[str] = []
    answer = ask(MaxResults=7)
    while "NextToken" in answer:
        assert len(answer["PriceList"]) == 7
        seen += answer["PriceList"]
        answer = ask(MaxResults=7, NextToken=answer["NextToken"])
    seen += answer["PriceList"]
    assert len(seen) == len(set(seen)) == len(products())


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"ServiceCode": "AmazonUnheard"}, "NotFoundException"),
        ({"MaxResults": 101}, "InvalidParameterException"),
        ({"Filters": filters("LIKE", instanceName="x")}, "InvalidParameterException"),
        ({"NextToken": "nowhere"}, "InvalidNextTokenException"),
        ({"region": "eu-west-1"}, "UnknownEndpoint"),
    ],
)
def test_what_the_service_does_not_know_is_refused(request_: dict[str, Any], code: str) -> None:
    with pytest.raises(ServiceError) as caught:
        ask(**request_)
    assert caught.value.code == code


def test_the_call_is_evaluated_on_everything() -> None:
    caller = Everyone(denied=frozenset({"pricing:GetProducts"}))
    with pytest.raises(ServiceError):
        ask(caller)
    assert caller.asked == [("pricing:GetProducts", "*", {})]
