"""What every widget about jobs and money should show, from the simulator's own records."""

from collections.abc import Callable, Mapping, Sequence

from local.metrics.lines import periods
from tests.month.jobs import TEAMS
from tests.month.records import DAY, Told, total
from tests.month.shown import ASKED, Numbers, percentile
from trainops.telemetry import OTHER_TEAMS

EVERYBODY = (*TEAMS, OTHER_TEAMS)
Compute = Callable[[Sequence[Told]], float | None]
"""From the values within a period; None where there is no point."""


def expected(items: Sequence[Told], teams: Sequence[str]) -> dict[str, Numbers]:
    """The same from the simulator's records: totals of the whole time, and values by day."""
    days = [range(day, day + DAY) for day in periods(ASKED, DAY)]
    spot: dict[str, Compute] = {"saved, %": saved_percent, "saved, US$": saved_usd}
    outcomes = {name: summed(name) for name in ("completed", "failed", "stopped")}
    pools = {name: summed(name) for name in ("idle", "avoided", "would avoid")}
    starts: dict[str, Compute] = {"warm of all, %": hit_rate, "warm": counted("warm"), "cold": counted("cold")}
    money = {"on demand it would be": summed("on demand"), "billed": summed("billed")}
    widgets: dict[str, tuple[Mapping[str, Compute], Sequence[range]]] = {
        "Jobs that ended": (outcomes, [ASKED]),
        "Managed spot": (spot, [ASKED]),
        "Warm pools, US$": (pools, [ASKED]),
        "Starts": (starts, [ASKED]),
        "Jobs by outcome, each day": (outcomes, days),
        "Managed spot saved, each day": ({"saved, %": saved_percent}, days),
        "Managed spot, US$ each day": (money, days),
        "Warm pools, US$ each day": (pools, days),
        "Cold start, each day": (latency("cold", teams), days),
        "Warm start, each day": (latency("warm", teams), days),
        "Warm starts of all starts, each day": ({"warm of all, %": hit_rate}, days),
    }
    mine = [item for item in items if item.team in teams]
    return {
        title: {
            label: {
                span.start: value
                for span in spans
                if (value := compute([item for item in mine if item.day in span])) is not None
            }
            for label, compute in labels.items()
        }
        for title, (labels, spans) in widgets.items()
    }


def summed(name: str) -> Compute:
    return lambda items: total(items, name, EVERYBODY)


def counted(name: str) -> Compute:
    return lambda items: float(sum(item.name == name for item in items))


def latency(kind: str, teams: Sequence[str]) -> dict[str, Compute]:
    """Nine of ten of each team; of a single one also the median."""

    def of(team: str, percent: int) -> Compute:
        def compute(items: Sequence[Told]) -> float | None:
            took = [item.value for item in items if item.name == kind and item.team == team]
            return percentile(took, percent) if took else None

        return compute

    if len(teams) == 1:
        return {f"P{percent}": of(teams[0], percent) for percent in (50, 90)}
    return {f"{team} P90": of(team, 90) for team in teams}


def saved_percent(items: Sequence[Told]) -> float | None:
    trained, billed = (total(items, name, EVERYBODY) for name in ("training", "billable"))
    return max(0.0, 100 * (1 - billed / trained)) if trained else None


def saved_usd(items: Sequence[Told]) -> float:
    return max(0.0, total(items, "on demand", EVERYBODY) - total(items, "billed", EVERYBODY))


def hit_rate(items: Sequence[Told]) -> float | None:
    warm, cold = (sum(item.name == name for item in items) for name in ("warm", "cold"))
    return 100 * warm / (warm + cold) if warm + cold else None
