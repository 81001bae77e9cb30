"""From a refused CreateTrainingJob to one message for its owner: which quota, what it takes, what was asked for.

The queue's message is the outbox: the first refusal of an owner, quota and hour is noted, published, and marked as
published. Another one within the hour is not told; the same one again is published again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trainops.domain.quota_events import refusal_event
from trainops.domain.quota_refusals import RefusedCall, refusal, refused_call
from trainops.domain.quota_usage import usage
from trainops.outcomes import Outcome
from trainops.ports import Bus
from trainops.quota_ports import LiveJobs, QuotaLedger
from trainops.telemetry import Field, Metric
from trainops.workflows.reading import reading


@dataclass(frozen=True, slots=True)
class QuotaRefusal:
    """Handles one record of the trail."""

    ledger: QuotaLedger
    jobs: LiveJobs
    bus: Bus

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Tell it once. Raises PoisonMessage for what is no such record, TryLater while the jobs cannot be counted."""
        with reading("not a record of a refused CreateTrainingJob"):
            call = refused_call(event)
        if call is None:
            return Outcome("the refusal names no quota that is known by its text", {Field.IGNORED: 1})
        told = self.ledger.refusal(call.key)
        if told is None:
            return self._first(call)
        if told.call == call.id and not told.published:
            self.bus.publish([refusal_event(told)])
            self.ledger.refusal_said(told)
            return Outcome(f"published again: {told.quota}", {Metric.ANNOUNCED: 1}, call.job_name)
        who = call.owner.short or "somebody unknown"
        return Outcome(f"{who} was told of “{told.quota}” within this hour", job=call.job_name)

    def _first(self, call: RefusedCall) -> Outcome:
        found = refusal(call, self.ledger.quota(call.shortage.name), usage(self.jobs.held(call.at)))
        if not self.ledger.add_refusal(found):
            return Outcome(f"another refusal of “{found.quota}” came first", job=call.job_name)
        self.bus.publish([refusal_event(found)])
        self.ledger.refusal_said(found)
        reason = f"not started: “{found.quota}” is {found.limit}, needs {found.needed}. {found.advice}"
        return Outcome(reason, {Metric.ANNOUNCED: 1}, call.job_name)
