"""The last look at the topics' subscriptions in the ledger's table.

Item: `pk` "SELF-CHECK", `sk` "subscriptions", `record` (the whole `SubscriptionLook`) and `expires_at`.
"""

from dataclasses import dataclass

from trainops.adapters.ledger_table import LedgerTable, expiry
from trainops.adapters.record_codec import to_map
from trainops.domain.self_checks import FRESH, SubscriptionLook

KEY = {"pk": "SELF-CHECK", "sk": "subscriptions"}


@dataclass(frozen=True, slots=True)
class DynamoSubscriptionLooks:
    """Implements `counting_ports.SubscriptionLooks`."""

    table: LedgerTable

    def last_look(self) -> SubscriptionLook | None:
        """GetItem with a consistent read."""
        return self.table.record(SubscriptionLook, KEY)

    def put_look(self, look: SubscriptionLook) -> None:
        """PutItem."""
        self.table.put({**KEY, "record": to_map(look), "expires_at": expiry(look.at + FRESH)})
