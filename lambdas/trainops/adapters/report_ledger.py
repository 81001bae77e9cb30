"""Weekly reports in the ledger's table.

Item: `pk` "REPORT#<team>", `sk` the end of the week, `record` (the whole `WeeklyReport`) and `expires_at`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.adapters.ledger_table import LedgerTable, expiry, instant
from trainops.adapters.record_codec import to_map
from trainops.domain.weekly_reports import WeeklyReport

KEPT = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class DynamoReports:
    """Implements `counting_ports.Reports`."""

    table: LedgerTable

    def report(self, team: str, until: datetime) -> WeeklyReport | None:
        """GetItem with a consistent read."""
        return self.table.record(WeeklyReport, _key(team, until))

    def begin(self, report: WeeklyReport) -> WeeklyReport:
        """PutItem on condition that there is none, else GetItem."""
        if self.table.add(_item(report)):
            return report
        return self.report(report.team, report.until) or report

    def put_told(self, report: WeeklyReport) -> WeeklyReport:
        """PutItem; nothing of a report changes but that it was told."""
        self.table.put(_item(report))
        return report


def _item(report: WeeklyReport) -> dict[str, Any]:
    expires = expiry(report.until + KEPT)
    return {**_key(report.team, report.until), "record": to_map(report), "expires_at": expires}


def _key(team: str, until: datetime) -> dict[str, str]:
    return {"pk": f"REPORT#{team}", "sk": instant(until)}
