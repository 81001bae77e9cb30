"""The ledger's items of quotas and of jobs that were refused for want of one.

Item of a quota: `pk` "QUOTAS", `sk` the quota's name in lower case, `version`, `record` (the whole `QuotaRecord`). Item
of a refusal: `pk` "QUOTA-REFUSALS", `sk` quota, hour and owner, `record`, and `expires_at`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from trainops.adapters.ledger_table import LedgerTable, expiry, records
from trainops.adapters.record_codec import to_map
from trainops.domain.quota_records import QuotaRecord
from trainops.domain.quota_refusals import Refusal
from trainops.domain.quotas import QuotaKind, quota_key, quota_name

QUOTAS, REFUSALS = "QUOTAS", "QUOTA-REFUSALS"
REFUSALS_KEPT = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DynamoQuotaLedger:
    """Implements `quota_ports.QuotaLedger` and `ports.WarmPoolQuotas`."""

    table: LedgerTable

    def quota(self, name: str) -> QuotaRecord | None:
        """GetItem with a consistent read."""
        return self.table.record(QuotaRecord, _key(name))

    def quotas(self) -> Sequence[QuotaRecord]:
        """Query the partition; a quota's item is about a kilobyte."""
        return records(QuotaRecord, self.table.within(QUOTAS))

    def put_quota(self, record: QuotaRecord) -> QuotaRecord:
        """PutItem on condition that the stored version is the one that was read."""
        return self.table.put_record(_key(record.name), record, f"the quota {record.name}")

    def refusal(self, key: str) -> Refusal | None:
        """GetItem by quota, hour and owner."""
        return self.table.record(Refusal, {"pk": REFUSALS, "sk": key})

    def add_refusal(self, refusal: Refusal) -> bool:
        """PutItem unless there is one."""
        return self.table.add(_refusal_item(refusal))

    def refusal_said(self, refusal: Refusal) -> None:
        """PutItem; whoever published it writes the same."""
        self.table.put(_refusal_item(refusal.said()))

    def instances(self, instance_type: str | None) -> int | None:
        """How many instances of a type warm pools may keep, as the tracker last saw it; None when nobody wants that
        quota, so that it was never read.
        """
        record = self.quota(quota_name(QuotaKind.WARM_POOL, instance_type)) if instance_type else None
        return record.seen.value if record and record.seen else None


def _key(name: str) -> dict[str, str]:
    return {"pk": QUOTAS, "sk": quota_key(name)}


def _refusal_item(refusal: Refusal) -> dict[str, object]:
    kept = expiry(refusal.at + REFUSALS_KEPT)
    return {"pk": REFUSALS, "sk": refusal.key, "record": to_map(refusal), "expires_at": kept}
