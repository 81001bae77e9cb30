"""The message about a job, as data: what a person should read, before any channel gives it a shape.

`job_notification` makes a card from the ledger's item; each delivery function renders it for its channel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self


class Tone(StrEnum):
    """How a card should look: the colour and the symbol of its headline."""

    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Link:
    """Something to click."""

    label: str
    url: str


class ActionName(StrEnum):
    """What a person can do about a warm pool from a message."""

    STOP = "stop"
    EXTEND = "extend"
    HOLD = "hold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to do about a card's subject: a button where a channel has buttons, else `command`, the AWS CLI call
    that does the same. `subject` is the key of the job whose pool it is, `warning` is asked before, and `suggested` is
    the time that is shown first where one must be chosen.
    """

    name: ActionName
    label: str
    subject: str
    command: str
    warning: str | None = None
    suggested: datetime | None = None

    def to_message(self) -> dict[str, str | None]:
        """The action as JSON-ready data."""
        return {
            "name": self.name.value,
            "label": self.label,
            "subject": self.subject,
            "command": self.command,
            "warning": self.warning,
            "suggested": self.suggested.isoformat() if self.suggested else None,
        }

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Self:
        """The action in a card's message. Raises KeyError or ValueError when it is none."""
        suggested = message["suggested"]
        return cls(
            name=ActionName(message["name"]),
            label=message["label"],
            subject=message["subject"],
            command=message["command"],
            warning=message["warning"],
            suggested=datetime.fromisoformat(suggested) if suggested else None,
        )


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a table: what it is about, how much in words, and how long its bar is, in percent of the longest."""

    label: str
    value: str
    percent: int


@dataclass(frozen=True, slots=True)
class Table:
    """Rows to be compared with each other."""

    title: str
    rows: Sequence[Bar]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One message. Text is plain and unescaped; every channel escapes and shortens it for itself.

    `key` identifies the message (one delivery per key and channel); `facts` are label and value pairs in reading order;
    `lines` are short sentences (cause, next step, what a remaining pool costs); `tables` come after the facts, and only
    reports have any; `log` is the end of the job's log, where its team wants that; `context` is the small print. `word`
    is what people choose by in `notifications.statuses`, `team` and `owner` (None when nobody is known) whom it is for.
    Cards of one `thread` are one conversation: the same job's run, or the same storm. `actions` are there only where
    the settings turn them on.
    """

    key: str
    job_name: str
    tone: Tone
    title: str
    summary: str
    cause: str | None = None
    log: str | None = None
    facts: Sequence[tuple[str, str]] = ()
    lines: Sequence[str] = ()
    links: Sequence[Link] = ()
    context: Sequence[str] = field(default_factory=tuple)
    word: str | None = None
    team: str | None = None
    owner: str | None = None
    thread: str | None = None
    actions: Sequence[Action] = ()
    tables: Sequence[Table] = ()

    def to_message(self) -> dict[str, Any]:
        """The card as JSON-ready data for a queue."""
        return {
            "key": self.key,
            "job_name": self.job_name,
            "tone": self.tone.value,
            "title": self.title,
            "summary": self.summary,
            "cause": self.cause,
            "log": self.log,
            "facts": [list(fact) for fact in self.facts],
            "lines": list(self.lines),
            "links": [[link.label, link.url] for link in self.links],
            "context": list(self.context),
            "word": self.word,
            "team": self.team,
            "owner": self.owner,
            "thread": self.thread,
            "actions": [action.to_message() for action in self.actions],
            "tables": [[table.title, [list(astuple(bar)) for bar in table.rows]] for table in self.tables],
        }

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Self:
        """The card in a queue's message. Raises KeyError or ValueError when it is not one. What came later may be
        missing: a deployment finds cards of the one before it on its queues.
        """
        return cls(
            key=message["key"],
            job_name=message["job_name"],
            tone=Tone(message["tone"]),
            title=message["title"],
            summary=message["summary"],
            cause=message["cause"],
            facts=tuple((label, value) for label, value in message["facts"]),
            lines=tuple(message["lines"]),
            links=tuple(Link(label, url) for label, url in message["links"]),
            context=tuple(message["context"]),
            actions=tuple(map(Action.from_message, message.get("actions", ()))),
            **{name: message.get(name) for name in ("log", "word", "team", "owner", "thread")},
            tables=tuple(Table(title, tuple(Bar(*bar) for bar in rows)) for title, rows in message.get("tables", ())),
        )
