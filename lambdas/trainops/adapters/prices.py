"""What an instance-hour of training costs without asking anybody: the settings, then the table beside this file.

Used on its own by the command line, and by `current_prices` before the first refresh. The table holds one Region; a
type or Region that nobody priced is unknown (None), never zero.
"""

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Self

from trainops.domain.job_records import Price

TABLE = Path(__file__).with_name("prices.json")


class ShippedPrices:
    """Implements `ports.Prices`. US dollars per instance-hour, on demand."""

    def __init__(self, overrides: Mapping[str, Decimal], listed: Mapping[str, Price]) -> None:
        self._overrides = overrides
        self._listed = listed

    @classmethod
    def of(cls, region: str, overrides: Mapping[str, Decimal]) -> Self:
        """The prices for a Region: the table only counts in the Region it was made for."""
        table = json.loads(TABLE.read_text(encoding="utf-8"))
        if table["region"] != region:
            return cls(overrides, {})
        listed = {
            name: Price(Decimal(row["usd_per_hour"]), f"price list {region}, {row['as_of']}")
            for name, row in table["prices"].items()
        }
        return cls(overrides, listed)

    def training_price(self, instance_type: str | None) -> Price | None:
        """The price of one instance-hour; None when the type is unknown or has no price."""
        if instance_type is None:
            return None
        if (override := self._overrides.get(instance_type)) is not None:
            return Price(override, "settings")
        return self._listed.get(instance_type)
