"""What would have made a team's week cheaper, each with a reason and with what it is worth; the dearest come first.

Used by `weekly_report`. Everything is concluded from jobs and pools of that week. A worth is an estimate at list
prices, and what cannot be told from the week is said to be unknown, never guessed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise
from statistics import median

from trainops.domain.job_records import JobRecord
from trainops.domain.report_pools import unused_pools, worthwhile_pools
from trainops.domain.spot_savings import HOUR, amount, seconds, wasted_time
from trainops.domain.weekly_reports import Suggestion, TeamWeek, Zero
from trainops.domain.wording import counted, duration_text, money_text

MOST = 3
LEAST_USD = Decimal(1)
"""What is worth less in a week is not worth reading."""
LONG_DOWNLOAD = timedelta(minutes=5)
ENOUGH_STARTS = 3
"""Warm starts of either kind, with the image of the job before and with another, that make a measurement."""


def suggestions_for(given: TeamWeek) -> list[Suggestion]:
    """At most three, by their worth; those of unknown worth come last."""
    found = [
        *_file_mode(given),
        *_changing_images(given),
        *unused_pools(given),
        *_without_checkpoints(given),
        *worthwhile_pools(given),
        *_installs(given),
    ]
    worth = [item for item in found if item.worth_usd is None or item.worth_usd >= LEAST_USD]
    return sorted(worth, key=lambda item: item.worth_usd or Zero, reverse=True)[:MOST]


def worth_text(suggestion: Suggestion) -> str:
    """What it is worth, in words."""
    if suggestion.worth_usd is None:
        return "what it is worth is unknown"
    return f"worth about {money_text(suggestion.worth_usd)} a week"


def billed_usd(record: JobRecord, time: timedelta) -> Decimal | None:
    """What a part of a job's time was billed: of a spot job as much of it as of the whole."""
    job = record.job
    whole = amount(time, job.instances, record.price)
    if whole is None or not job.spot:
        return whole
    if not job.training_time or job.billable_time is None:
        return None
    return whole * seconds(job.billable_time) / seconds(job.training_time)


def _file_mode(given: TeamWeek) -> Iterator[Suggestion]:
    """File mode copies all data before training begins, and that is billed (TrainingInputMode, API model)."""
    long = [
        (record, time)
        for record in given.records
        if "File" in (record.job.input_mode or "").split("+") and (time := _downloading(record)) >= LONG_DOWNLOAD
    ]
    if long:
        whole = sum((time for _, time in long), timedelta(0))
        yield Suggestion(
            f"{counted(len(long), 'job')} in file mode copied data for {duration_text(whole)} before training",
            "take input mode FastFile, which reads files when they are needed, or FSx for Lustre for data that many "
            "jobs read",
            _sum(billed_usd(record, time) for record, time in long),
        )


def _downloading(record: JobRecord) -> timedelta:
    phases = record.job.phases
    return (phases.downloading if phases else None) or timedelta(0)


def _changing_images(given: TeamWeek) -> Iterator[Suggestion]:
    """Whether a reused cluster still has its image is not documented, so the team's own warm starts say what another
    image costs.
    """
    starts = list(_warm_starts(given))
    same = [took for _, took, changed in starts if not changed]
    other = [(record, took) for record, took, changed in starts if changed]
    if len(other) < ENOUGH_STARTS:
        return
    reason = f"{counted(len(other), 'warm start')} took a pool after a job with another image"
    step = "let jobs that follow each other share one image, and what changes come in with the code"
    if len(same) < ENOUGH_STARTS:
        yield Suggestion(f"{reason}; too few had the same image to compare", step, None)
        return
    longer = timedelta(seconds=_median(took for _, took in other) - _median(same))
    if longer > timedelta(0):
        each = [_waited(record, longer, given.waiting_usd_per_hour) for record, _ in other]
        yield Suggestion(f"{reason}, and each took {duration_text(longer)} longer", step, _sum(each))


def _warm_starts(given: TeamWeek) -> Iterator[tuple[JobRecord, timedelta, bool]]:
    """Each warm start, how long it took, and whether its image is another than that of the job before it that could
    have left the pool.
    """
    kinds: dict[str, list[JobRecord]] = defaultdict(list)
    for record in given.records:
        if record.job.image and record.job.match_fingerprint:
            kinds[record.job.match_fingerprint].append(record)
    for records in kinds.values():
        for before, record in pairwise(sorted(records, key=lambda item: item.job.key.created)):
            start = given.starts.get(record.job.key)
            if start and start.warm:
                yield record, start.took, before.job.image != record.job.image


def _median(times: Iterable[timedelta]) -> float:
    return median(took.total_seconds() for took in times)


def _waited(record: JobRecord, time: timedelta, usd_per_hour: Decimal) -> Decimal:
    """Somebody waits, and instances are billed."""
    return seconds(time) / HOUR * usd_per_hour + (billed_usd(record, time) or Zero)


def _without_checkpoints(given: TeamWeek) -> Iterator[Suggestion]:
    lost = [(record, time) for record in given.records if (time := _done_again(record))]
    if lost:
        whole = sum((time for _, time in lost), timedelta(0))
        yield Suggestion(
            f"{counted(len(lost), 'spot job')} without checkpoints lost {duration_text(whole)} of training to "
            "interruptions and limits",
            "set CheckpointConfig with an S3 location of its own for each job, and write checkpoints",
            _sum(billed_usd(record, time) for record, time in lost),
        )


def _done_again(record: JobRecord) -> timedelta | None:
    """What a spot job certainly without checkpoints trained in vain: all of it when nothing was saved of it, otherwise
    what came before each interruption.
    """
    job = record.job
    if not job.spot or not job.described or job.checkpoint_uri:
        return None
    return job.training_time if wasted_time(job) else job.phases.cut_short if job.phases else None


def _installs(given: TeamWeek) -> Iterator[Suggestion]:
    records = {record.job.key: record for record in given.records}
    found = [(records[key], time) for key, time in (given.installs or {}).items() if time and key in records]
    if found:
        whole = sum((time for _, time in found), timedelta(0))
        yield Suggestion(
            f"{len(found)} of {counted(len(given.installs or ()), 'job')} whose logs were read spent "
            f"{duration_text(whole)} on installing packages",
            "build an image that has them",
            _sum(billed_usd(record, time) for record, time in found),
        )


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """Of what has a price; None when nothing has."""
    known: Sequence[Decimal] = [item for item in amounts if item is not None]
    return sum(known, Zero) if known else None
