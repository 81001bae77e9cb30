"""From the event that a weekly report is there to one card on each channel's queue; what it says is in the ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from trainops.counting_ports import Reports
from trainops.domain.report_cards import REPORT, report_card, report_trigger
from trainops.ports import Queue
from trainops.telemetry import Field, Outcome
from trainops.workflows.telling import reading, tell

WORD = REPORT.replace(" ", "")


@dataclass(frozen=True, slots=True)
class ReportNotification:
    """Handles one event. `told` holds the words people choose by, such as WeeklyReport."""

    reports: Reports
    channels: Sequence[Queue]
    told: Sequence[str]
    time_zone: tzinfo

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Put the card on every channel's queue. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = report_trigger(event)
        report = self.reports.report(trigger.team, trigger.until)
        if report is None:
            return Outcome(f"the ledger has no report of {trigger.team}, {trigger.until}", {Field.IGNORED: 1})
        return tell(
            lambda: report_card(report, self.time_zone),
            word=WORD,
            about=None,
            told=self.told,
            channels=self.channels,
        )
