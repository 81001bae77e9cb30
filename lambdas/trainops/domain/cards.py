"""The message about a job, as data: what a person should read, before any channel gives it a shape.

`job_notification` makes a card from the ledger's item; each delivery function renders it for its channel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
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
    reports have any; `context` is the small print. `word`
    is what people choose by in `notifications.statuses`, `team` and `owner` (None when nobody is known) whom it is for.
    Cards of one `thread` are one conversation: the same job's run, or the same storm.
    """

    key: str
    job_name: str
    tone: Tone
    title: str
    summary: str
    cause: str | None = None
    facts: Sequence[tuple[str, str]] = ()
    lines: Sequence[str] = ()
    links: Sequence[Link] = ()
    context: Sequence[str] = field(default_factory=tuple)
    word: str | None = None
    team: str | None = None
    owner: str | None = None
    thread: str | None = None
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
            "facts": [list(fact) for fact in self.facts],
            "lines": list(self.lines),
            "links": [[link.label, link.url] for link in self.links],
            "context": list(self.context),
            "word": self.word,
            "team": self.team,
            "owner": self.owner,
            "thread": self.thread,
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
            **{name: message.get(name) for name in ("word", "team", "owner", "thread")},
            tables=tuple(Table(title, tuple(Bar(*bar) for bar in rows)) for title, rows in message.get("tables", ())),
        )
