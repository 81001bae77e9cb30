"""Which warm pools a team should not ask for, and which it should: two of the weekly report's suggestions.

Pools are told apart by their match fingerprint, and named by type, count and a job.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from trainops.domain.job_records import JobRecord
from trainops.domain.keep_alive_economics import Economics, Stakes, measured_saving, stakes_of
from trainops.domain.warm_pool_figures import KNOWN_ENDS, idled
from trainops.domain.warm_pools import PoolRecord, PoolState
from trainops.domain.weekly_reports import Suggestion, TeamWeek, Zero
from trainops.domain.wording import counted, duration_text, instances_text, money_text

ENOUGH_POOLS = 3
ENOUGH_JOBS = 5
"""So many of a kind show a habit."""
PERIODS = tuple(timedelta(minutes=minutes) for minutes in (5, 10, 15, 30, 60))
"""Keep-alive periods that are tried; an hour is the longest of the developer guide."""


def unused_pools(given: TeamWeek) -> Iterator[Suggestion]:
    """Kinds of pool of which no job took a single one."""
    kinds: dict[str | None, list[PoolRecord]] = defaultdict(list)
    for pool in given.pools:
        if pool.state in KNOWN_ENDS and pool.match_fingerprint:
            kinds[pool.match_fingerprint].append(pool)
    for pools in kinds.values():
        if len(pools) >= ENOUGH_POOLS and not any(pool.state is PoolState.REUSED for pool in pools):
            last = max(pools, key=lambda pool: pool.ended)
            costs = [usd for pool in pools if (usd := idled(pool).usd) is not None]
            yield Suggestion(
                f"no job took any of {counted(len(pools), 'warm pool')} of "
                f"{instances_text(last.instance_count, last.instance_type)}, such as that of {last.name}",
                "leave KeepAlivePeriodInSeconds out of jobs that nothing follows",
                sum(costs, Zero) if costs else None,
            )


def worthwhile_pools(given: TeamWeek) -> Iterator[Suggestion]:
    """Kinds of job that asked for no pool although one would have cost less than the cold starts that it spares."""
    saving = measured_saving(_starts(given, warm=False), _starts(given, warm=True))
    for records in _without_pools(given.records).values():
        job, price = records[-1].job, records[-1].price
        stakes = stakes_of(
            Economics(
                price=price,
                instance_type=job.instance_type,
                instance_count=job.instance_count,
                waiting_value=given.waiting_usd_per_hour,
                saving=saving,
            )
        )
        if len(records) < ENOUGH_JOBS or stakes is None:
            continue
        net, period, taken = max((_net(records, period, stakes) for period in PERIODS), key=lambda found: found[0])
        if net > 0:
            yield Suggestion(
                f"{taken} of {len(records)} jobs on {instances_text(job.instance_count, job.instance_type)}, such as "
                f"{job.name}, could have started warm: {duration_text(saving.waited)} less of waiting "
                f"({saving.source}) at {money_text(given.waiting_usd_per_hour)} an hour, against what pools cost idle",
                f"ask for a keep-alive period of {duration_text(period)}",
                net,
            )


def _starts(given: TeamWeek, *, warm: bool) -> list[timedelta]:
    return [start.took for start in given.starts.values() if start and start.warm is warm]


def _without_pools(records: Sequence[JobRecord]) -> Mapping[str, list[JobRecord]]:
    """Ended jobs that could have left a pool and asked for none, by kind, as they were created."""
    kinds: dict[str, list[JobRecord]] = defaultdict(list)
    for record in sorted(records, key=lambda item: item.job.key.created):
        job = record.job
        excluded = job.keep_alive or job.tuning_job or job.spot or job.heterogeneous
        if not excluded and job.described and job.ended and job.started and job.match_fingerprint:
            kinds[job.match_fingerprint].append(record)
    return kinds


def _net(records: Sequence[JobRecord], period: timedelta, stakes: Stakes) -> tuple[Decimal, timedelta, int]:
    """What pools of this period would have saved, what they are, and how many jobs would have taken one: each takes
    the pool that waits longest, and every other pool idles for the whole period.
    """
    waiting: list[datetime] = []
    gaps: list[timedelta] = []
    for moment, ends in sorted(_moments(records)):
        if ends:
            waiting.append(moment)
        elif free := [end for end in waiting if moment - end <= period]:
            waiting.remove(free[0])
            gaps.append(moment - free[0])
    idle = sum(gaps, timedelta(0)) + period * len(waiting)
    usd = stakes.cold_usd * len(gaps) - stakes.usd_per_second * idle.total_seconds()
    return Decimal(usd).quantize(Decimal("0.01")), period, len(gaps)


def _moments(records: Sequence[JobRecord]) -> Iterator[tuple[datetime, bool]]:
    """When each was created (False) and ended (True)."""
    for record in records:
        yield record.job.key.created, False
        if record.job.ended:
            yield record.job.ended, True
