"""Prices: settings before the dated table, and unknown where neither has one."""

import json
from datetime import date
from decimal import Decimal

import pytest

from trainops.adapters.prices import TABLE, ShippedPrices
from trainops.domain.job_records import Price


def test_the_table_says_its_region_and_date() -> None:
    assert ShippedPrices.of("us-east-1", {}).training_price("ml.g5.xlarge") == Price(
        Decimal("1.408"), "price list us-east-1, 2026-09-25"
    )


def test_settings_come_before_the_table() -> None:
    prices = ShippedPrices.of("us-east-1", {"ml.g5.xlarge": Decimal("1.10"), "ml.own": Decimal("9")})
    assert prices.training_price("ml.g5.xlarge") == Price(Decimal("1.10"), "settings")
    assert prices.training_price("ml.own") == Price(Decimal("9"), "settings")


def test_the_table_counts_in_its_own_region_only() -> None:
    elsewhere = ShippedPrices.of("eu-west-1", {"ml.g5.2xlarge": Decimal("2")})
    assert elsewhere.training_price("ml.g5.xlarge") is None
    assert elsewhere.training_price("ml.g5.2xlarge") == Price(Decimal("2"), "settings")


@pytest.mark.case("SP-16")
@pytest.mark.parametrize("instance_type", ["ml.newfamily.xlarge", "", None])
def test_a_type_nobody_priced_has_no_price(instance_type: str | None) -> None:
    assert ShippedPrices.of("us-east-1", {}).training_price(instance_type) is None


def test_every_row_has_a_price_above_zero_and_a_date() -> None:
    rows = json.loads(TABLE.read_text())["prices"]
    assert rows
    for name, row in rows.items():
        assert name.startswith("ml.")
        assert Decimal(row["usd_per_hour"]) > 0
        assert date.fromisoformat(row["as_of"])
