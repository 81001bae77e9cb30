"""How long a job took to begin, and what interruptions took of it: read from its secondary status transitions.

Source: SecondaryStatusTransition (API model). An interrupted spot job goes Training, Interrupted, Starting, …, Training
again (developer guide, managed spot training). Transitions without a time are left out.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

TRAINING, INTERRUPTED, DOWNLOADING = "Training", "Interrupted", "Downloading"
CUT = (TRAINING, INTERRUPTED)
WAITING = frozenset({"Pending", "Starting", "LaunchingMLInstances"})
"""The statuses in which a job has no instances yet; an ordinary launch is among them."""
Span = tuple[str, tuple[datetime, datetime]]
FILE_SYSTEMS = {"FSxLustre": "FSx", "EFS": "EFS"}


@dataclass(frozen=True, slots=True)
class Phases:
    """What a job's transitions tell; wall-clock."""

    training_began: datetime | None = None
    """When it first trained; None for a job that never did."""
    interrupted: timedelta = timedelta(0)
    """From each interruption until it trained again, or ended."""
    waited: timedelta = timedelta(0)
    """How long it had no instances."""
    downloading: timedelta | None = None
    """How long its data was copied before it trained; None for a job from before this was noted."""
    cut_short: timedelta | None = None
    """How long it had trained each time it was interrupted, together: without checkpoints, work that was done again."""


def phases_of(transitions: Sequence[Mapping[str, Any]], ended: datetime | None) -> Phases | None:
    """The phases, or None when the API lists no transition with a time. The last one lasts until the job's end."""
    known = [item for item in transitions if item.get("Status") and item.get("StartTime")]
    if not known:
        return None
    starts = [item["StartTime"].astimezone(UTC) for item in known]
    last = known[-1].get("EndTime") or ended or starts[-1]
    spans = list(zip([item["Status"] for item in known], pairwise([*starts, last.astimezone(UTC)]), strict=True))
    return Phases(
        training_began=next((start for status, (start, _) in spans if status == TRAINING), None),
        interrupted=sum(_interruptions(spans), timedelta(0)),
        waited=_time_in(spans, WAITING),
        downloading=_time_in(spans, {DOWNLOADING}),
        cut_short=_cut_short(spans),
    )


def _cut_short(spans: Sequence[Span]) -> timedelta:
    cut = (end - start for (status, (start, end)), (then, _) in pairwise(spans) if (status, then) == CUT)
    return sum(cut, timedelta(0))


def _time_in(spans: Sequence[Span], statuses: Collection[str]) -> timedelta:
    return sum((end - start for status, (start, end) in spans if status in statuses), timedelta(0))


def _interruptions(spans: Sequence[Span]) -> Iterator[timedelta]:
    since: datetime | None = None
    for status, (start, _) in spans:
        if status == INTERRUPTED:
            since = since or start
        elif status == TRAINING and since:
            yield start - since
            since = None
    if since:
        yield spans[-1][1][1] - since


def input_mode_of(answer: Mapping[str, Any]) -> str | None:
    """How a job's data comes in: FSx or EFS for a file system, else a channel's own mode or the job's; several are
    joined by "+". None while nothing says it. Source: InputDataConfig and AlgorithmSpecification (API model).
    """
    default = (answer.get("AlgorithmSpecification") or {}).get("TrainingInputMode")
    found = {_channel_mode(channel) or default for channel in answer.get("InputDataConfig") or ()}
    return "+".join(sorted(mode for mode in found or {default} if mode)) or None


def _channel_mode(channel: Mapping[str, Any]) -> str | None:
    source = (channel.get("DataSource") or {}).get("FileSystemDataSource")
    if source:
        kind = str(source.get("FileSystemType"))
        return FILE_SYSTEMS.get(kind, kind)
    mode = channel.get("InputMode")
    return str(mode) if mode else None
