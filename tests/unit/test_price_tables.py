"""Which rows of the Price List are training, and what they cost."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

from trainops.domain.job_records import Price
from trainops.domain.price_tables import PriceTable, training_prices


def row(usage: str, usd: str | None = "1.5150000000", **attributes: str) -> str:
    """An item of GetProducts' PriceList, which is JSON as text; `instanceType` is empty as in the real list."""
    dimensions: dict[str, Any] = {"r": {"unit": "Hrs", "pricePerUnit": {} if usd is None else {"USD": usd}}}
    terms = {"OnDemand": {"o": {"priceDimensions": dimensions}}}
    return json.dumps(
        {"product": {"attributes": {"usagetype": usage, "instanceType": "", **attributes}}, "terms": terms}
    )


def test_only_training_rows_count_with_or_without_a_regions_prefix() -> None:
    rows = [
        row("USE1-Train:ml.g5.2xlarge"),
        row("Train:ml.m5.large", "0.1150000000"),
        row("USE1-Host:ml.g5.2xlarge", "9"),
    ]
    assert training_prices(rows) == {"ml.g5.2xlarge": Decimal("1.515"), "ml.m5.large": Decimal("0.115")}


def test_spot_and_reserved_rows_are_other_rows() -> None:
    assert training_prices([row("USE1-TrSpt:ml.g5.2xlarge"), row("EU-TrainPlan:ml.p5.48xlarge")]) == {}


def test_a_row_without_a_price_or_with_zero_is_no_price() -> None:
    assert training_prices([row("Train:ml.m5.large", None), row("Train:ml.m5.xlarge", "0.0000000000")]) == {}
    reserved = json.dumps({"product": {"attributes": {"usagetype": "Train:ml.m5.large"}}, "terms": {"Reserved": {}}})
    assert training_prices([reserved, json.dumps({"product": {"attributes": {}}})]) == {}


def test_a_price_says_its_region_and_date() -> None:
    table = PriceTable("eu-west-1", date(2026, 3, 2), {"ml.g5.xlarge": Decimal("1.58")})
    assert table.price("ml.g5.xlarge") == Price(Decimal("1.58"), "price list eu-west-1, 2026-03-02")
    assert table.price("ml.new.xlarge") is None
