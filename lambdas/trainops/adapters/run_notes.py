"""The ledger's notes beside the items of runs: who created what, and how the runs of a series ended.

Item of a call: `pk` "CALLER#<ARN>", `sk` its time, `record`. Item of an ended run: `pk` "RUNS#<team>|<base name>", `sk`
creation time and ARN, `record`. Both have `expires_at`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from trainops.adapters.ledger_table import LedgerTable, expiry, instant, records
from trainops.adapters.record_codec import from_map, to_map
from trainops.domain.callers import Caller, WitnessedCall
from trainops.domain.past_runs import PastRun

CALLS_KEPT = timedelta(days=35)
"""A job ends within 30 days of its creation (StoppingCondition), and people are named no longer than that takes."""
RUNS_KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class DynamoRunNotes:
    """Implements `run_ports.Callers` and `run_ports.PastRuns`."""

    table: LedgerTable

    def caller(self, arn: str, since: datetime, until: datetime) -> Caller | None:
        """Query the last call within the time."""
        found = self.table.newest(f"CALLER#{arn.lower()}", instant(since), instant(until), 1)
        return from_map(WitnessedCall, found[0]["record"]).caller if found else None

    def put_caller(self, call: WitnessedCall) -> None:
        """PutItem; the trail's records may come twice and say the same."""
        key = {"pk": f"CALLER#{call.arn}", "sk": instant(call.at)}
        self.table.put({**key, "record": to_map(call), "expires_at": expiry(call.at + CALLS_KEPT)})

    def before(self, series: str, created: datetime, limit: int) -> Sequence[PastRun]:
        """Query the newest runs whose sort key is smaller than that of any run created then."""
        return records(PastRun, self.table.newest(f"RUNS#{series}", "0", instant(created), limit))

    def put_run(self, series: str, run: PastRun) -> None:
        """PutItem; whoever writes a run writes the same."""
        key = {"pk": f"RUNS#{series}", "sk": f"{instant(run.created)}#{run.arn}"}
        self.table.put({**key, "record": to_map(run), "expires_at": expiry(run.ended + RUNS_KEPT)})
