"""Reads what training costs in this Region from the Price List, and keeps it in the ledger.

The schedule ticks every hour, so that a new deployment soon has prices and a failed reading is soon repeated; while the
table is younger than `every`, nothing is read. Whoever invokes the function by hand has the list read at once. Nothing
is kept of a list that is empty or cannot be read: the earlier table, with its date, stays in force.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from trainops.counting_ports import PriceLedger, PriceList
from trainops.domain.price_tables import PriceTable
from trainops.domain.state_changes import needed_time
from trainops.outcomes import Outcome
from trainops.telemetry import Field

BY_SCHEDULE = "Scheduled Event"
"""The detail-type of a rule's tick (EventBridge user guide, scheduled events)."""
NAMED = 20
"""How many changed types the log names."""


@dataclass(frozen=True, slots=True)
class PriceRefresh:
    """Handles one tick of the schedule."""

    listed: PriceList
    ledger: PriceLedger
    region: str
    every: timedelta

    def __call__(self, event: Mapping[str, Any], has_time: Callable[[], bool]) -> Outcome:
        """Refresh. Raises ValueError when the event has no time, or the list no price."""
        del has_time  # the list of one Region is a few pages
        now = needed_time(event, "time")
        before = self.ledger.price_table(self.region)
        if before and event.get("detail-type") == BY_SCHEDULE and now.date() < before.as_of + self.every:
            return Outcome(f"the prices of {before.as_of} are kept until {before.as_of + self.every}")
        prices = self.listed.training_prices(self.region)
        if not prices:
            raise ValueError(f"the Price List has no training price for {self.region}; the earlier table stays")
        self.ledger.put_price_table(PriceTable(self.region, now.date(), prices))
        known = before.prices if before else {}
        changed = sorted(kind for kind, price in prices.items() if known.get(kind) != price)
        named = f": {', '.join(changed[:NAMED])}{', …' if len(changed) > NAMED else ''}" if changed else ""
        reason = f"{len(prices)} instance types have a price in {self.region}, {len(changed)} new or changed{named}"
        return Outcome(reason, {Field.PRICED_TYPES: len(prices)})
