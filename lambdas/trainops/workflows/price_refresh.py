"""Once a week: reads what training costs in this Region from the Price List, and keeps it in the ledger.

Nothing is kept of a list that is empty or cannot be read: the earlier table, with its date, stays in force.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trainops.counting_ports import PriceLedger, PriceList
from trainops.domain.price_tables import PriceTable
from trainops.domain.state_changes import parse_time
from trainops.telemetry import Field, Outcome

NAMED = 20
"""How many changed types the log names."""


@dataclass(frozen=True, slots=True)
class PriceRefresh:
    """Handles one tick of the schedule."""

    listed: PriceList
    ledger: PriceLedger
    region: str

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Refresh. Raises ValueError when the event has no time, or the list no price."""
        del has_time  # the list of one Region is a few pages
        now = parse_time(event.get("time"))
        if now is None:
            raise ValueError(f"the schedule's event has no ISO-8601 time, but {event.get('time')!r}")
        prices = self.listed.training_prices(self.region)
        if not prices:
            raise ValueError(f"the Price List has no training price for {self.region}; the earlier table stays")
        before = self.ledger.price_table(self.region)
        self.ledger.put_price_table(PriceTable(self.region, now.date(), prices))
        known = before.prices if before else {}
        changed = sorted(kind for kind, price in prices.items() if known.get(kind) != price)
        named = f": {', '.join(changed[:NAMED])}{', …' if len(changed) > NAMED else ''}" if changed else ""
        reason = f"{len(prices)} instance types have a price in {self.region}, {len(changed)} new or changed{named}"
        return Outcome(reason, {Field.PRICED_TYPES: len(prices)})
