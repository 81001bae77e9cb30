"""The histories as small maps of whole numbers, for one ledger item each, and back.

Times are epoch milliseconds, idle times milliseconds, money millionths of a dollar, counts thousandths; rounding to
these is the only loss. The item's version stays outside, where the conditional write needs it. A key's item takes about
1 kB, and at most about 4 kB with as many waiting ends as are ever remembered.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from trainops.domain.job_records import Price
from trainops.domain.keep_alive_economics import Stakes
from trainops.domain.keep_alive_gaps import KINDS, STRETCHES, Counts, Gaps
from trainops.domain.keep_alive_guard import ALTERNATIVES, Guard, Trial
from trainops.domain.keep_alive_history import KeyHistory, TeamHistory, WaitingEnd
from trainops.domain.keep_alive_lessons import Cluster
from trainops.domain.keep_alive_starts import ObservedStart, Starts

MILLI, MICRO = 1_000, 1_000_000


def key_item(history: KeyHistory) -> dict[str, Any]:
    """A fingerprint's history; what is None is left out."""
    times = {"last_created": history.last_created, "until": history.until}
    return {
        "team": history.team,
        "gaps": _gaps_map(history.gaps),
        "waiting": [[_instant(end.at), end.kind, *trial_item(end.trial)] for end in history.waiting],
        "cluster": _cluster_list(history.cluster),
        "spot_saved": [_whole(usd, MICRO) for usd in history.spot_saved],
        **{name: _instant(when) for name, when in times.items() if when},
    }


def key_history(item: Mapping[str, Any], version: int) -> KeyHistory:
    """The history that `key_item` wrote."""
    return KeyHistory(
        team=item["team"],
        gaps=_gaps(item["gaps"]),
        waiting=tuple(WaitingEnd(_when(at), int(kind), trial_of(rest)) for at, kind, *rest in item["waiting"]),
        last_created=_when(item["last_created"]) if "last_created" in item else None,
        until=_when(item["until"]) if "until" in item else None,
        cluster=_cluster(item.get("cluster", ())),
        spot_saved=tuple(float(usd) / MICRO for usd in item.get("spot_saved", ())),
        version=version,
    )


def team_item(history: TeamHistory) -> dict[str, Any]:
    """A team's history."""
    starts = {"cold": history.starts.cold, "warm": history.starts.warm}
    return {
        "gaps": _gaps_map(history.gaps),
        "starts": {kind: [_start_list(start) for start in known] for kind, known in starts.items()},
        "kinds": dict(history.kinds),
    }


def team_history(item: Mapping[str, Any], version: int) -> TeamHistory:
    """The history that `team_item` wrote."""
    stored = item.get("starts", {})
    cold, warm = (tuple(_start(kind == "warm", each) for each in stored.get(kind, ())) for kind in ("cold", "warm"))
    kinds = {str(name): int(gaps) for name, gaps in item.get("kinds", {}).items()}
    return TeamHistory(_gaps(item["gaps"]), Starts(cold, warm), kinds, version)


def guard_item(guard: Guard) -> dict[str, Any]:
    """The account's guard."""
    amounts = {"lost": guard.lost, "excess": guard.excess}
    item = {name: [_whole(of[other], MICRO) for other in ALTERNATIVES] for name, of in amounts.items()}
    return {**item, "strayed": _whole(guard.strayed, MICRO)}


def guard_of(item: Mapping[str, Any]) -> Guard:
    """The guard that `guard_item` wrote."""
    lost, excess = (
        {name: float(amount) / MICRO for name, amount in zip(ALTERNATIVES, item[part], strict=True)}
        for part in ("lost", "excess")
    )
    return Guard(lost, excess, float(item["strayed"]) / MICRO)


def trial_item(trial: Trial | None) -> list[Any]:
    """A decision's trial, as short as it gets, for the item of the job that left the pool; empty for None."""
    if trial is None:
        return []
    times = (trial.kept, trial.none, trial.break_even, trial.asked)
    money = (trial.stakes.cold_usd, trial.stakes.usd_per_second)
    return [trial.followed, *(_whole(time, MILLI) for time in times), *(_whole(usd, MICRO) for usd in money)]


def trial_of(stored: Sequence[Any]) -> Trial | None:
    """The trial that `trial_item` wrote."""
    if not stored:
        return None
    followed, *times, cold, rate = stored
    kept, none, break_even, asked = (float(time) / MILLI for time in times)
    return Trial(str(followed), kept, none, break_even, asked, Stakes(float(cold) / MICRO, float(rate) / MICRO))


def _cluster_list(cluster: Cluster) -> list[Any]:
    price = (str(cluster.price.usd_per_hour), cluster.price.source) if cluster.price else ()
    return [cluster.instance_type, cluster.instance_count, *price]


def _cluster(stored: Sequence[Any]) -> Cluster:
    """Nothing is stored in an item from before clusters were remembered."""
    if not stored:
        return Cluster()
    kind, count, *price = stored
    known = Price(Decimal(price[0]), str(price[1])) if price else None
    return Cluster(kind, None if count is None else int(count), known)


def _start_list(start: ObservedStart) -> list[int]:
    times = (start.waited, start.billed)
    return [_whole(time.total_seconds(), MILLI) for time in times if time is not None]


def _start(warm: bool, stored: Sequence[Any]) -> ObservedStart:
    waited, *billed = (timedelta(milliseconds=int(time)) for time in stored)
    return ObservedStart(warm, waited, billed[0] if billed else None)


def _gaps_map(gaps: Gaps) -> dict[str, Any]:
    counts = [[_numbers(part) for part in (of.waiting, of.taken)] for of in (gaps.all, *gaps.kinds)]
    return {"resolved": gaps.resolved, "counts": counts}


def _gaps(item: Mapping[str, Any]) -> Gaps:
    everything, *kinds = (Counts(_floats(waiting), _floats(taken)) for waiting, taken in item["counts"])
    if len(kinds) != len(KINDS):
        raise ValueError(f"gaps of {len(kinds)} kinds were stored, {len(KINDS)} are known")
    return Gaps(tuple(kinds), everything, int(item["resolved"]))


def _numbers(counts: Sequence[float]) -> list[int]:
    """In thousandths, without the zeros at the end."""
    numbers = [_whole(count, MILLI) for count in counts]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers


def _floats(numbers: Sequence[Any]) -> tuple[float, ...]:
    return tuple(float(number) / MILLI for number in numbers) + (0.0,) * (STRETCHES - len(numbers))


def _whole(value: float, unit: int) -> int:
    return round(value * unit)


def _instant(when: datetime) -> int:
    return round(when.timestamp() * MILLI)


def _when(milliseconds: Any) -> datetime:
    return datetime.fromtimestamp(float(milliseconds) / MILLI, UTC)
