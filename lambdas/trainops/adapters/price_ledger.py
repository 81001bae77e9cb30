"""The price table in the ledger.

Item: `pk` "PRICES", `sk` the Region, `as_of`, `prices` (type → US dollars as text). It has no expiry: an old table is
better than none, and says its date.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from trainops.adapters.ledger_table import LedgerTable
from trainops.domain.price_tables import PriceTable


@dataclass(frozen=True, slots=True)
class DynamoPriceLedger:
    """Implements `ports.PriceLedger`."""

    table: LedgerTable

    def price_table(self, region: str) -> PriceTable | None:
        """GetItem."""
        item = self.table.get(_key(region))
        if item is None:
            return None
        prices = {kind: Decimal(usd) for kind, usd in item["prices"].items()}
        return PriceTable(region, date.fromisoformat(item["as_of"]), prices)

    def put_price_table(self, table: PriceTable) -> None:
        """PutItem; one refresh runs at a time, and the last one is right."""
        prices = {kind: f"{usd:f}" for kind, usd in table.prices.items()}
        self.table.put({**_key(table.region), "as_of": table.as_of.isoformat(), "prices": prices})


def _key(region: str) -> dict[str, str]:
    return {"pk": "PRICES", "sk": region}
