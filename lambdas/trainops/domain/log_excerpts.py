"""The last lines of a failed job's log, as a message may show them: masked, bounded, and kept nowhere.

Only for teams that chose `log_lines`, since a log holds whatever their code prints. Used by `job_notification`, which
reads them when the card is made; neither the ledger nor an event nor our own log ever has them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trainops.domain.announcements import Announcement, AnnouncementType
from trainops.domain.cards import Card
from trainops.domain.job_records import JobRecord
from trainops.domain.secret_masks import masked
from trainops.domain.wording import counted, plain, shortened

_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
LINE = 300
"""Characters of one line."""


@dataclass(frozen=True, slots=True)
class LogTail:
    """The last lines of one stream, oldest first; with no lines, `fault` says why there are none."""

    stream: str | None
    lines: Sequence[str] = ()
    fault: str | None = None


def lines_wanted(record: JobRecord, announcement: Announcement, by_team: Mapping[str, int]) -> int:
    """How many lines the message shows: those its team chose when the job failed, else none."""
    failed = announcement.type is AnnouncementType.FINISHED and record.job.status == "Failed"
    return by_team.get(record.team, 0) if failed else 0


def stream_to_read(streams: Sequence[str], reason: str | None) -> str | None:
    """Of a job's streams that of the host which the failure's reason names, else of the first host. Streams are called
    `<job>/algo-<number>-<time>` (developer guide, "Log groups and streams").
    """
    found = re.search(r"\balgo-(\d+)\b", reason or "")
    named = [stream for stream in streams if found and f"/algo-{found[1]}-" in stream]
    first = sorted(streams, key=lambda stream: "/algo-1-" not in stream)
    return next(iter((*named, *first)), None)


def with_log(card: Card, tail: LogTail) -> Card:
    """The card with these lines and what they are; or with why there are none."""
    if not tail.lines:
        return replace(card, context=(*card.context, f"No log lines: {tail.fault or 'the log is empty'}."))
    text = masked(plain("\n".join(_last_written(line) for line in tail.lines)))
    lines = [shortened(line.rstrip(), LINE) for line in text.splitlines()][-len(tail.lines) :]
    host = (tail.stream or "").rpartition("/")[2]
    note = f"Log: the last {counted(len(tail.lines), 'line')} of {host}; what looks like a credential is masked."
    return replace(card, log="\n".join(lines).strip("\n") or None, context=(*card.context, note))


def _last_written(line: str) -> str:
    """What a terminal would show: no colours, and of a progress bar that overwrites itself the last state."""
    return _COLOUR.sub("", line).rstrip("\r\n").rpartition("\r")[2]
