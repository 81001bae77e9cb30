"""Storms of failures: of many that are alike, a few are told singly and the rest together.

Per team and failure class at most three messages in any ten minutes; what comes on top is absorbed: listed in the
ledger, counted in one summary for each ten minutes, and after ten minutes without another one message says that it is
over. Pure: the ledger's item and the time go in, the item as it should be and the verdict come out. Time never runs
backwards in an item, so that events may come in any order.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from trainops.domain.cards import Card
from trainops.domain.failure_classes import FailureClass

WINDOW = timedelta(minutes=10)
SINGLES = 3
"""So many failures of one kind are told singly within one window."""


class Verdict(StrEnum):
    """What becomes of a failure, or of a window that is over."""

    SINGLE = "single"
    ABSORBED = "absorbed"
    SUMMARY = "summary"
    ENDED = "ended"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Single:
    """A failure that was told singly: its card's key, and when."""

    key: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Storm:
    """The ledger's item of one kind of failure. Calm while `opened` is None: then it only knows who was told singly.

    `windows` were decided, `sent` of them also told; `told` failures are in the summaries so far. `clock` is the latest
    time it has seen.
    """

    key: str
    clock: datetime
    singles: tuple[Single, ...] = ()
    opened: datetime | None = None
    due: datetime | None = None
    """When the present window ends."""
    windows: int = 0
    sent: int = 0
    told: int = 0
    over: bool = False
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What became of one failure, so that its repetition has the same fate: told, or absorbed by the storm `opened`.
    `word` is what people choose by, `job` the job's ARN.
    """

    key: str
    at: datetime
    word: str = "Failed"
    opened: datetime | None = None
    team: str | None = None
    job: str = ""
    owner: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """`storm` is the item to write, or None. With `look`, the window has to be looked at when it is over."""

    verdict: Verdict
    storm: Storm | None
    reason: str
    look: bool = False


def storm_key(card: Card, failure_class: FailureClass) -> str:
    """What is counted together: the failures of one class of one team. A team's route is one set of channels, so this
    bounds each of them; the one place to change should teams be counted by channel.
    """
    return f"{card.team or 'default'}/{failure_class}"


def thread_of(key: str, opened: datetime) -> str:
    """One storm's name: in the log's lines of what it absorbed, and the conversation of its messages."""
    return f"storm|{key}|{opened:%Y-%m-%dT%H:%M:%SZ}"


def decide(storm: Storm | None, key: str, failure: str, at: datetime) -> Decision:
    """What becomes of a failure, by its card's key, that nothing was decided about before."""
    now = max(at, storm.clock) if storm else at
    if storm is None or storm.over:
        fresh = Storm(key=failure, clock=now, singles=(Single(key, now),), version=storm.version if storm else 0)
        return Decision(Verdict.SINGLE, fresh, "the first of its kind")
    if any(single.key == key for single in storm.singles):
        return Decision(Verdict.SINGLE, None, "told singly before")
    if storm.opened:
        reason = f"one of many since {storm.opened:%H:%M} UTC: told together"
        return Decision(Verdict.ABSORBED, replace(storm, clock=now), reason)
    recent = tuple(single for single in storm.singles if single.at > now - WINDOW)
    if len(recent) < SINGLES:
        singles = (*recent, Single(key, now))
        reason = f"number {len(singles)} of its kind within {_minutes(WINDOW)} min, {SINGLES} are told singly"
        return Decision(Verdict.SINGLE, replace(storm, clock=now, singles=singles), reason)
    first = recent[0].at
    opened = replace(storm, clock=now, singles=recent, opened=first, due=first + WINDOW)
    reason = f"number {len(recent) + 1} of its kind within {_minutes(WINDOW)} min: told together from here on"
    return Decision(Verdict.ABSORBED, opened, reason, look=True)


def unfinished(storm: Storm | None, now: datetime) -> int | None:
    """The window that has to be closed before anything else is decided: one that was decided and not sent, or one that
    is over although no look has come. None when there is none.
    """
    if storm is None or storm.due is None:
        return None
    if storm.sent < storm.windows:
        return storm.windows
    return storm.windows + 1 if not storm.over and storm.due <= now else None


def close(storm: Storm | None, opened: datetime, window: int, absorbed: int) -> Decision:
    """What a look at the end of a window finds, with so many failures absorbed in all. A look that comes again says the
    same again until that was sent, and nothing afterwards.
    """
    if storm is None or storm.opened != opened or storm.due is None:
        return Decision(Verdict.NOTHING, None, "that storm is over")
    if window == storm.windows and storm.sent < window:
        verdict = Verdict.ENDED if storm.over else Verdict.SUMMARY
        return Decision(verdict, storm, "decided before, and not known to be sent", look=not storm.over)
    if window != storm.windows + 1 or storm.over:
        return Decision(Verdict.NOTHING, None, f"window {window} was told")
    new = absorbed - storm.told
    clock = max(storm.clock, storm.due)
    if new <= 0:
        ended = replace(storm, windows=window, over=True, clock=clock)
        total = absorbed + len(storm.singles)
        return Decision(Verdict.ENDED, ended, f"no more for {_minutes(WINDOW)} min, {total} in all")
    told = replace(storm, windows=window, told=absorbed, due=clock + WINDOW, clock=clock)
    return Decision(Verdict.SUMMARY, told, f"{new} more in window {window}", look=True)


def _minutes(time: timedelta) -> int:
    return time // timedelta(minutes=1)
