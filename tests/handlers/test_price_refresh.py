"""Prices read from the list are kept and used; nothing is kept of a list that is empty or cannot be read."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from tests.adapters.ledger_table import TABLE, table
from trainops.adapters.current_prices import CurrentPrices
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.price_ledger import DynamoPriceLedger
from trainops.adapters.price_list import AwsPriceList, endpoint_region
from trainops.domain.job_records import Price
from trainops.domain.price_tables import PriceTable
from trainops.errors import TryLater
from trainops.workflows.price_refresh import PriceRefresh

WEEK = timedelta(days=7)
TICK = {"time": "2026-03-02T09:00:00Z"}
FILTERS = [
    {"Type": "TERM_MATCH", "Field": "regionCode", "Value": "eu-west-1"},
    {"Type": "TERM_MATCH", "Field": "component", "Value": "Training"},
]
REQUEST = {"ServiceCode": "AmazonSageMaker", "FormatVersion": "aws_v1", "Filters": FILTERS, "MaxResults": 100}


def row(kind: str, usd: str) -> str:
    dimensions = {"r": {"pricePerUnit": {"USD": usd}}}
    product = {"attributes": {"usagetype": f"EU-Train:{kind}"}}
    return json.dumps({"product": product, "terms": {"OnDemand": {"o": {"priceDimensions": dimensions}}}})


@pytest.fixture
def ledger() -> Iterator[DynamoPriceLedger]:
    with table() as dynamodb:
        yield DynamoPriceLedger(LedgerTable(dynamodb, TABLE))


@pytest.fixture
def pricing() -> Iterator[Stubber]:
    with Stubber(boto3.client("pricing", region_name="eu-central-1")) as stub:
        yield stub


def refresh(pricing: Stubber, ledger: DynamoPriceLedger, tick: dict[str, str] | None = None) -> str:
    return PriceRefresh(AwsPriceList(pricing.client), ledger, "eu-west-1", WEEK)(tick or TICK, lambda: True).reason


def test_every_page_is_read_and_the_table_is_dated(pricing: Stubber, ledger: DynamoPriceLedger) -> None:
    first: dict[str, Any] = {"PriceList": [row("ml.g5.xlarge", "1.5800000000")], "NextToken": "more"}
    pricing.add_response("get_products", first, REQUEST)
    last = {"PriceList": [row("ml.m5.large", "0.1280000000")]}
    pricing.add_response("get_products", last, {**REQUEST, "NextToken": "more"})
    assert refresh(pricing, ledger) == (
        "2 instance types have a price in eu-west-1, 2 new or changed: ml.g5.xlarge, ml.m5.large"
    )
    prices = {"ml.g5.xlarge": Decimal("1.58"), "ml.m5.large": Decimal("0.128")}
    assert ledger.price_table("eu-west-1") == PriceTable("eu-west-1", date(2026, 3, 2), prices)


@pytest.mark.parametrize(("age", "read"), [(None, True), (6, False), (7, True)])
def test_a_scheduled_tick_reads_the_list_only_when_the_table_is_missing_or_old(
    pricing: Stubber, ledger: DynamoPriceLedger, age: int | None, read: bool
) -> None:
    if age is not None:
        kept = date(2026, 3, 2) - timedelta(days=age)
        ledger.put_price_table(PriceTable("eu-west-1", kept, {"ml.g5.xlarge": Decimal("1.5")}))
    pricing.add_response("get_products", {"PriceList": [row("ml.g5.xlarge", "1.58")]}, REQUEST)
    said = refresh(pricing, ledger, {**TICK, "detail-type": "Scheduled Event"})
    assert said.startswith("1 instance types have a price") is read
    if not read:
        assert said == "the prices of 2026-02-24 are kept until 2026-03-03"
        assert refresh(pricing, ledger).startswith("1 instance types"), "by hand it is read at once"


def test_an_empty_list_leaves_the_earlier_table_in_force(pricing: Stubber, ledger: DynamoPriceLedger) -> None:
    before = PriceTable("eu-west-1", date(2026, 2, 23), {"ml.g5.xlarge": Decimal("1.58")})
    ledger.put_price_table(before)
    pricing.add_response("get_products", {"PriceList": []}, REQUEST)
    with pytest.raises(ValueError, match="no training price for eu-west-1"):
        refresh(pricing, ledger)
    pricing.add_client_error("get_products", "ThrottlingException")
    with pytest.raises(TryLater, match="GetProducts"):
        refresh(pricing, ledger)
    assert ledger.price_table("eu-west-1") == before


@pytest.mark.parametrize(
    ("region", "endpoint"),
    [
        ("us-west-2", "us-east-1"),
        ("sa-east-1", "us-east-1"),
        ("eu-west-1", "eu-central-1"),
        ("af-south-1", "eu-central-1"),
        ("ap-northeast-1", "ap-south-1"),
    ],
)
def test_the_list_is_asked_where_it_is_served(region: str, endpoint: str) -> None:
    assert endpoint_region(region) == endpoint


def test_settings_come_before_the_refreshed_table_and_that_before_the_shipped_one(ledger: DynamoPriceLedger) -> None:
    ledger.put_price_table(PriceTable("us-east-1", date(2026, 3, 2), {"ml.g5.xlarge": Decimal("1.3")}))
    prices = CurrentPrices(ledger, "us-east-1", {"ml.m5.large": Decimal("0.1")})
    assert prices.training_price("ml.m5.large") == Price(Decimal("0.1"), "settings")
    assert prices.training_price("ml.g5.xlarge") == Price(Decimal("1.3"), "price list us-east-1, 2026-03-02")
    assert prices.training_price("ml.g6.xlarge") == Price(Decimal("1.127"), "price list us-east-1, 2026-09-25")


@pytest.mark.case("SP-16")
@pytest.mark.parametrize("kind", ["ml.newfamily.xlarge", None])
def test_a_type_in_no_table_has_no_price(ledger: DynamoPriceLedger, kind: str | None) -> None:
    assert CurrentPrices(ledger, "us-east-1", {}).training_price(kind) is None


def test_the_ledger_is_read_once_an_hour_and_not_for_each_job(ledger: DynamoPriceLedger) -> None:
    prices = CurrentPrices(ledger, "eu-west-1", {})
    assert prices.training_price("ml.g5.xlarge") is None
    ledger.put_price_table(PriceTable("eu-west-1", date(2026, 3, 2), {"ml.g5.xlarge": Decimal("1.58")}))
    assert prices.training_price("ml.g5.xlarge") is None, "the answer of a moment ago still counts"
    assert CurrentPrices(ledger, "eu-west-1", {}).training_price("ml.g5.xlarge") is not None
