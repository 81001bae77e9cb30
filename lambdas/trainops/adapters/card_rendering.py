"""A card as an e-mail: subject, HTML and plain text.

Used by `ses_mail` and `sns_topic`. The HTML is one column with inline styles, since mail programs drop most style
sheets; the sheet only adds dark mode. Everything from the card is escaped by Jinja2's autoescape.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from trainops.domain.cards import Card, Link, Table, Tone
from trainops.domain.wording import label_and_rest, one_line, plain, shortened

TEMPLATES = Path(__file__).with_name("templates")
SUBJECT = 150
WORDS = {Tone.GOOD: "Done", Tone.BAD: "Needs attention", Tone.WARNING: "Warning", Tone.NEUTRAL: "For information"}


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def subject(card: Card, limit: int = SUBJECT) -> str:
    """Job, status and cause in one line of at most `limit` characters."""
    return shortened(one_line(card.title), limit) or "Training job"


def ascii_subject(card: Card, limit: int) -> str:
    """The subject in printable ASCII: accents are dropped, other characters become a question mark."""
    text = unicodedata.normalize("NFKD", one_line(card.title).replace("\N{HORIZONTAL ELLIPSIS}", "..."))
    bare = "".join(char for char in text if not unicodedata.combining(char))
    clean = one_line(bare.encode("ascii", "replace").decode())
    cut = clean if len(clean) <= limit else clean[: limit - 3].rstrip() + "..."
    return cut or "Training job"


def html(card: Card) -> str:
    """The message as an HTML page."""
    return (
        _environment()
        .get_template("card.html")
        .render(
            title=plain(card.title),
            tone=card.tone.value,
            word=WORDS[card.tone],
            summary=plain(card.summary),
            cause=plain(card.cause or "").strip(),
            log=plain(card.log or "").strip("\n"),
            facts=[(plain(label), plain(value)) for label, value in card.facts],
            tables=[(plain(table.title), _cells(table)) for table in card.tables],
            lines=[label_and_rest(plain(line)) for line in _lines(card)],
            links=_safe_links(card),
            context=[plain(line) for line in card.context],
        )
    )


def text(card: Card) -> str:
    """The message as plain text, for mail programs without HTML and for SNS."""
    width = max((len(label) for label, _ in card.facts), default=0) + 2
    cause = plain(card.cause or "").strip()
    parts = (
        subject(card),
        plain(card.summary),
        "\n".join(f"    {line}" for line in cause.splitlines()),
        "\n".join(f"    | {line}" for line in plain(card.log or "").strip("\n").splitlines()),
        "\n".join(f"{label + ':':<{width}}{one_line(value)}" for label, value in card.facts),
        "\n\n".join(_as_text(table) for table in card.tables),
        "\n".join(f"* {one_line(line)}" for line in _lines(card)),
        "\n".join(f"{link.label}: {link.url}" for link in _safe_links(card)),
        "\n".join(one_line(line) for line in card.context),
    )
    return plain("\n\n".join(part for part in parts if part.strip())) + "\n"


def _lines(card: Card) -> list[str]:
    """The card's lines, and for each action the command: mail scanners open links, so none of ours does anything."""
    return [*card.lines, *(f"{action.label.rstrip('…')}: {action.command}" for action in card.actions)]


def _cells(table: Table) -> list[tuple[str, str, int]]:
    return [(plain(row.label), plain(row.value), max(0, min(row.percent, 100))) for row in table.rows]


def _as_text(table: Table) -> str:
    rows = (f"    {one_line(row.label)}: {one_line(row.value)}" for row in table.rows)
    return "\n".join((one_line(table.title), *rows))


def _safe_links(card: Card) -> list[Link]:
    """Web addresses only: no script can hide in a link."""
    return [
        Link(one_line(link.label) or "Link", one_line(link.url).replace(" ", "%20"))
        for link in card.links
        if re.match(r"https?://[^/]", link.url)
    ]
