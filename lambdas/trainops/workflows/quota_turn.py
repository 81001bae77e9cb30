"""One wish, looked at once: read the quota, look at its request, ask when that is right.

Shared by the deployment, which asks, and the tracker, which follows. A wish that is met costs one call, one that waits
two; nothing is waited for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from trainops.domain.quota_records import IncreaseRequest, QuotaRecord, QuotaState, SeenQuota
from trainops.domain.quota_steps import QuotaStep, enough, next_step, not_offered, put_off
from trainops.errors import IncreaseOpen, IncreaseRefused, TryLater
from trainops.quota_ports import Quotas


@dataclass(frozen=True, slots=True)
class QuotaTurn:
    """The record as it should be written; reading errors are raised (TryLater), asking errors are states."""

    quotas: Quotas
    stopped: Callable[[], bool] = lambda: False
    """Whether the kill switch is on; a deployment is a person's own act and does not ask."""

    def __call__(self, record: QuotaRecord, now: datetime) -> QuotaRecord:
        """Nothing here writes the ledger."""
        seen = self.quotas.find(record.id)
        record = replace(record, seen=seen)
        record, step = self._stepped(record, seen, now) if seen else (record, not_offered(record))
        return record.standing(step.state, step.reason, now)

    def _stepped(self, record: QuotaRecord, seen: SeenQuota, now: datetime) -> tuple[QuotaRecord, QuotaStep]:
        if step := enough(record, seen):
            return self._settled(record), step
        record = self._followed(record, seen)
        step = next_step(record, seen, record.request, now)
        return self._asked(record, seen, step, now) if step.ask else (record, step)

    def _settled(self, record: QuotaRecord) -> QuotaRecord:
        """A request that was open when the quota turned out to be enough is read to its end, for the message."""
        if record.request is None or not record.request.open:
            return record
        return replace(record, request=self.quotas.request(record.request.id) or record.request)

    def _followed(self, record: QuotaRecord, seen: SeenQuota) -> QuotaRecord:
        """With the request that counts: our own while it is open or decided what is wanted, else any that is open."""
        known = record.request
        if known and known.open:
            known = self.quotas.request(known.id) or known
        if known and (known.open or known.desired == record.wanted or known.status == "APPROVED"):
            return replace(record, request=known)
        return replace(record, request=self.quotas.open_request(seen.code) or known)

    def _asked(
        self, record: QuotaRecord, seen: SeenQuota, step: QuotaStep, now: datetime
    ) -> tuple[QuotaRecord, QuotaStep]:
        if self.stopped():
            return record, QuotaStep(QuotaState.DEFERRED, "asked for later: the kill switch is on")
        try:
            request = self.quotas.ask(seen.code, record.wanted, case_allowed=record.case_allowed)
        except IncreaseOpen as error:
            return self._met(record, seen, str(error))
        except IncreaseRefused as error:
            return put_off(record, str(error), now)
        except TryLater as error:
            return record, QuotaStep(QuotaState.DEFERRED, f"asked for later: {error}")
        return record.taken(request), QuotaStep(QuotaState(request.status), f"{step.reason} ({request.id})")

    def _met(self, record: QuotaRecord, seen: SeenQuota, told: str) -> tuple[QuotaRecord, QuotaStep]:
        """Somebody else asked in between."""
        request: IncreaseRequest | None = self.quotas.open_request(seen.code)
        if request is None:
            return record, QuotaStep(QuotaState.DEFERRED, f"another request is open but not shown: {told}")
        return record.taken(request), QuotaStep(
            QuotaState(request.status), f"existing request {request.id} of another asks for {request.desired}"
        )
