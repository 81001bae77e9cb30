"""What an instance-hour of training costs in one Region, and when that was true.

Amounts are US dollars on demand, before any discount; a type that is not in a table has no known price, never zero.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from trainops.domain.job_records import Price

TRAIN = "Train:"
"""What the usage type of a training row holds: USE1-Train:ml.g5.xlarge. Notebooks and hosting have other rows."""


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by instance type, as of a day."""

    region: str
    as_of: date
    prices: Mapping[str, Decimal]

    def price(self, instance_type: str) -> Price | None:
        """A type's price with its source, or None."""
        amount = self.prices.get(instance_type)
        return None if amount is None else Price(amount, f"price list {self.region}, {self.as_of}")


def training_prices(rows: Iterable[str]) -> dict[str, Decimal]:
    """On-demand prices by type from the JSON texts of GetProducts (Price List Query API). Rows of other components,
    without a price, or priced zero, are left out; the type is read from the usage type, as `instanceType` can be empty.
    """
    found: dict[str, Decimal] = {}
    for text in rows:
        row = json.loads(text)
        _, is_training, kind = row["product"]["attributes"].get("usagetype", "").partition(TRAIN)
        price = _on_demand(row)
        if is_training and kind.startswith("ml.") and price:
            found[kind] = price
    return found


def _on_demand(row: Mapping[str, object]) -> Decimal | None:
    terms = row.get("terms")
    offers = terms.get("OnDemand", {}) if isinstance(terms, Mapping) else {}
    for offer in offers.values():
        for dimension in offer.get("priceDimensions", {}).values():
            if (text := dimension.get("pricePerUnit", {}).get("USD")) is not None:
                return Decimal(text).normalize()
    return None
