"""From the event that a weekly report is there to a card for each channel it goes to; what it says is in the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from trainops.counting_ports import Reports
from trainops.domain.report_cards import REPORT, report_card, report_trigger
from trainops.domain.state_changes import parse_time
from trainops.outcomes import Outcome
from trainops.telemetry import Field
from trainops.workflows.reading import reading
from trainops.workflows.telling import Desk

WORD = REPORT.replace(" ", "")


@dataclass(frozen=True, slots=True)
class ReportNotification:
    """Handles one event; the word people choose by is WeeklyReport."""

    reports: Reports
    desk: Desk
    time_zone: tzinfo

    def __call__(self, event: Mapping[str, Any]) -> Outcome:
        """Hand the card in at the desk. Raises PoisonMessage when the event is not one of ours in form."""
        with reading():
            trigger = report_trigger(event)
        report = self.reports.report(trigger.team, trigger.until)
        if report is None:
            return Outcome(f"the ledger has no report of {trigger.team}, {trigger.until}", {Field.IGNORED: 1})
        at = parse_time(event.get("time")) or report.until
        return self.desk.tell(lambda: report_card(report, self.time_zone), word=WORD, about=None, at=at)
