"""Asks for quotas at a deployment: once, never for less, without waiting for anybody.

What cannot be asked for now is carried over to the tracker by the ledger. A refused quota fails the deployment only
where the settings say so. Deleting calls nothing: a quota that was raised is nobody's to lower.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from trainops.domain.quota_records import FAILED, Asker, QuotaRecord, QuotaState
from trainops.domain.quotas import Wish, wishes
from trainops.errors import LedgerConflict, QuotaShort, TryLater
from trainops.outcomes import Outcome
from trainops.quota_ports import QuotaLedger
from trainops.workflows.quota_turn import QuotaTurn

ATTEMPTS = 3
"""At writing one item: two deployments, or one and the tracker, may want the same quota at the same time."""


@dataclass(frozen=True, slots=True)
class QuotaRequest:
    """Implements `adapters.at_deployment.Resource`."""

    ledger: QuotaLedger
    turn: QuotaTurn
    now: Callable[[], datetime]
    """CloudFormation's requests carry no time. Read once a request: what it changes is told in one message."""

    def create(self, wanted: Mapping[str, Any]) -> Outcome:
        """Ask for what is missing. Raises QuotaShort where refusals are to fail the deployment."""
        return self._asked(wanted, ())

    def update(self, wanted: Mapping[str, Any], before: Mapping[str, Any]) -> Outcome:
        """The same, and what is no longer wanted is not followed any more; nothing is lowered. What is wanted as before
        calls nothing: the tracker follows it.
        """
        if wanted == before:
            return Outcome("nothing is called: the same is wanted as before")
        kept = {wish.quota.key for wish in wishes(wanted)}
        gone = [wish for wish in wishes(before) if wish.quota.key not in kept]
        return self._asked(wanted, gone)

    def delete(self, _before: Mapping[str, Any]) -> Outcome:
        """Call nothing."""
        return Outcome("nothing is called: quotas stay as they are, and requests that are open go on")

    def _asked(self, wanted: Mapping[str, Any], gone: Sequence[Wish]) -> Outcome:
        by = Asker(str(wanted["AskedBy"]), _flag(wanted, "SupportCaseAllowed"), wanted.get("Requester") or None)
        for wish in gone:
            self._dropped(wish, by)
        now = self.now()
        records = [self._looked_at(wish, by, now) for wish in wishes(wanted)]
        short = [record for record in records if record.state in FAILED]
        if short and _flag(wanted, "FailOnRefusal"):
            raise QuotaShort("; ".join(f"{record.name}: {record.reason}" for record in short))
        states = Counter(str(record.state) for record in records)
        told = ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "no quota is wanted"
        lines = "; ".join(f"{record.name}: {record.reason}" for record in records)
        return Outcome(f"{told}. {lines}")

    def _dropped(self, wish: Wish, by: Asker) -> None:
        record = self.ledger.quota(wish.quota.name)
        if record and by.stack in record.wishes:
            self.ledger.put_quota(record.wished(by, None))

    def _looked_at(self, wish: Wish, by: Asker, now: datetime) -> QuotaRecord:
        """Written first and asked then would be asked twice by a repetition; so asked, then written: a repetition finds
        the open request.
        """
        for _ in range(ATTEMPTS - 1):
            with suppress(LedgerConflict):
                return self._once(wish, by, now)
        return self._once(wish, by, now)

    def _once(self, wish: Wish, by: Asker, now: datetime) -> QuotaRecord:
        record = self.ledger.quota(wish.quota.name) or QuotaRecord(name=wish.quota.name, code=wish.quota.code)
        return self.ledger.put_quota(self._turned(record.wished(by, wish.value), now))

    def _turned(self, record: QuotaRecord, now: datetime) -> QuotaRecord:
        try:
            return self.turn(record, now)
        except TryLater as error:
            return record.standing(QuotaState.DEFERRED, f"not looked at yet: {error}", now)


def _flag(properties: Mapping[str, Any], name: str) -> bool:
    """CloudFormation makes text of it."""
    return str(properties[name]).lower() == "true"
