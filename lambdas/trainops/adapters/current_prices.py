"""Prices as the functions ask for them: the settings, else the table of the last refresh, else the shipped one."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Self

from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.price_ledger import DynamoPriceLedger
from trainops.adapters.prices import ShippedPrices
from trainops.counting_ports import PriceLedger
from trainops.domain.job_records import Price
from trainops.domain.price_tables import PriceTable

MAX_AGE = timedelta(hours=1)
"""How long a process goes on with the table that it read."""


@dataclass(slots=True)
class CurrentPrices:
    """Implements `ports.Prices`; at most one read of the ledger an hour."""

    ledger: PriceLedger
    region: str
    overrides: Mapping[str, Decimal]
    _refreshed: PriceTable | None = field(default=None, init=False)
    _read_at: float | None = field(default=None, init=False)

    @classmethod
    def of(cls, table: LedgerTable, region: str, overrides: Mapping[str, Decimal]) -> Self:
        """The prices for a Region, with the refreshed table in the ledger."""
        return cls(DynamoPriceLedger(table), region, overrides)

    def training_price(self, instance_type: str | None) -> Price | None:
        """The price of one instance-hour; None when the type is unknown or has no price."""
        if instance_type and instance_type not in self.overrides and (table := self._table()):
            price = table.price(instance_type)
            if price:
                return price
        return ShippedPrices.of(self.region, self.overrides).training_price(instance_type)

    def _table(self) -> PriceTable | None:
        now = time.monotonic()
        if self._read_at is None or now - self._read_at > MAX_AGE.total_seconds():
            self._refreshed, self._read_at = self.ledger.price_table(self.region), now
        return self._refreshed
