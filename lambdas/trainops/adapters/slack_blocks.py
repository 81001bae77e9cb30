"""A card as a Slack message: Block Kit blocks and the fallback text, within Slack's limits whatever the card holds.

Used by `slack_webhook`. Limits (Block Kit reference): header 150 characters, section text 3,000, 10 fields of 2,000,
10 context elements; a message as a whole about 13,000. Each part has a budget well below its limit, counted after
escaping, and the parts add up to less than the whole, so that Slack refuses nothing for its length.
Links are text and not buttons: a button makes Slack ask the app for an answer. Only a card with actions has buttons,
which `chat_action` answers; their block's ID says which pool they are about.
"""

import re
from collections.abc import Sequence
from typing import Any

from trainops.domain.cards import Action, Bar, Card, Link, Table, Tone
from trainops.domain.wording import excerpt, label_and_rest, one_line, plain, shortened

Block = dict[str, Any]

SYMBOLS = {
    Tone.GOOD: "\N{WHITE HEAVY CHECK MARK}",
    Tone.BAD: "\N{CROSS MARK}",
    Tone.WARNING: "\N{WARNING SIGN}\N{VARIATION SELECTOR-16}",
    Tone.NEUTRAL: "\N{INFORMATION SOURCE}\N{VARIATION SELECTOR-16}",
}
HEADER, SUMMARY, CAUSE, LOG, TEXT = 150, 600, 600, 1100, 1000
LABEL, VALUE, LINE, LINES, URL, LINKS, SMALL = 60, 220, 500, 2000, 1200, 2400, 300
TABLES, CELL, BAR = 1100, 40, 10
FIELDS, CONTEXT_ELEMENTS = 10, 10
BUTTON, QUESTION, BLOCK_ID = 75, 300, 255
NOTHING = "\N{EN DASH}"
_CODE = re.compile(r"s3://[^\s,;`]*[^\s,;.`]|\baws sagemaker [^`]+")
"""What people copy: as code, so that an underscore in it does not turn into italics."""
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def blocks(card: Card) -> list[Block]:
    """The blocks, most important first: headline, what to know and do, cause, log, facts, links, small print."""
    found = [
        _header(card),
        _section(f"{_escaped(card.summary, SUMMARY)}\n{_lines(card.lines)}".strip()),
        _section(_fenced(card.cause)),
        _section(_log(card.log)),
        _fields(card.facts),
        _section(_tables(card.tables)),
        _section(_links(card.links)),
        _actions(card.actions),
        _context(card.context),
    ]
    return [block for block in found if block]


def fallback_text(card: Card) -> str:
    """What a notification and a screen reader get: symbol, headline and summary in one line."""
    return _escaped(f"{SYMBOLS[card.tone]} {one_line(card.title)} \N{EN DASH} {one_line(card.summary)}", TEXT)


def _header(card: Card) -> Block:
    # plain_text is not parsed, so it needs no escaping; "emoji" would turn text such as :x: into pictures.
    text = shortened(f"{SYMBOLS[card.tone]} {one_line(card.title)}", HEADER)
    return {"type": "header", "text": {"type": "plain_text", "text": text, "emoji": False}}


def _section(text: str) -> Block | None:
    return {"type": "section", "text": _text(text)} if text.strip() else None


def _text(markup: str) -> Block:
    """Text with Slack's markup; "verbatim" keeps names such as #all and addresses from turning into links."""
    return {"type": "mrkdwn", "text": markup, "verbatim": True}


def _fenced(cause: str | None) -> str:
    """The cause as a code block. Backticks that would close it are replaced, and it is cut before the fence is set."""
    text = plain(cause or "").strip().replace("```", "'''")
    if not text:
        return ""
    limit = CAUSE
    while len(inside := _entities(excerpt(text, limit))) > CAUSE:
        limit = limit * CAUSE // len(inside) - 1
    return f"```\n{inside}\n```"


def _log(log: str | None) -> str:
    """The log's end as a code block: its last lines count, so that it is cut at the beginning, by whole lines."""
    lines = plain(log or "").strip("\n").replace("```", "'''").splitlines()
    kept: list[str] = []
    for line in reversed(lines):
        text = _escaped(line, LOG // 3)
        if sum(map(len, kept)) + len(kept) + len(text) > LOG:
            break
        kept.append(text)
    return "```\n" + "\n".join(reversed(kept)) + "\n```" if any(kept) else ""


def _fields(facts: Sequence[tuple[str, str]]) -> Block | None:
    fields = [_text(f"*{_inline(label, LABEL)}:* {_coded(_inline(value, VALUE))}") for label, value in facts[:FIELDS]]
    return {"type": "section", "fields": fields} if fields else None


def _lines(lines: Sequence[str]) -> str:
    """Next steps and the like, one a line; those that no longer fit are left out, the last first."""
    said = ""
    for line in lines:
        label, rest = label_and_rest(one_line(line))
        text = (f"*{_escaped(label, LABEL)}:* " if label else "") + _coded(_escaped(rest, LINE))
        if text and len(said) + len(text) <= LINES:
            said += f"{text}\n"
    return said.rstrip()


def _tables(tables: Sequence[Table]) -> str:
    """Each row as a bar of blocks in a line; rows that no longer fit are left out, the last first."""
    said = ""
    for table in tables:
        title = f"*{_inline(table.title, LABEL)}*"
        for text in (title, *(_row(row) for row in table.rows)):
            if len(said) + len(text) < TABLES:
                said += f"{text}\n"
    return said.rstrip()


def _row(row: Bar) -> str:
    full = round(max(0, min(row.percent, 100)) * BAR / 100)
    bar = "\N{FULL BLOCK}" * full + "\N{LIGHT SHADE}" * (BAR - full)
    return f"`{bar}` {_inline(row.label, CELL)}: {_inline(row.value, CELL)}"


def _links(links: Sequence[Link]) -> str:
    """Links in one line; one that is no web address, or does not fit any more, is left out whole, never cut."""
    line = ""
    for link in links:
        url = re.sub(r"[\s|<>\"]", "", plain(link.url)).replace("&", "&amp;")
        if not re.match(r"https?://[^/]", url) or len(url) > URL:
            continue
        label = _escaped(one_line(link.label), LABEL).replace("|", "/") or "Link"
        text = f"{line} \N{MIDDLE DOT} <{url}|{label}>" if line else f"<{url}|{label}>"
        if len(text) <= LINKS:
            line = text
    return line


def _actions(actions: Sequence[Action]) -> Block | None:
    """Buttons, and a picker for a time; all of a card are about one pool, whose key is never cut."""
    if not actions or len(actions[0].subject) > BLOCK_ID:
        return None
    return {"type": "actions", "block_id": actions[0].subject, "elements": [_element(action) for action in actions]}


def _element(action: Action) -> Block:
    found: Block = {"type": "button", "text": _plain(action.label, BUTTON), "action_id": action.name.value}
    if action.suggested:
        when = int(action.suggested.timestamp())
        found = {"type": "datetimepicker", "action_id": action.name.value, "initial_date_time": when}
    if action.warning:
        found["confirm"] = {
            "title": _plain(action.label, BUTTON),
            "text": _plain(action.warning, QUESTION),
            "confirm": _plain("Yes", BUTTON),
            "deny": _plain("No", BUTTON),
        }
    return found


def _plain(text: str, limit: int) -> Block:
    return {"type": "plain_text", "text": shortened(one_line(text), limit), "emoji": False}


def _context(lines: Sequence[str]) -> Block | None:
    elements = [_text(_coded(_inline(line, SMALL))) for line in lines if one_line(line)]
    return {"type": "context", "elements": elements[:CONTEXT_ELEMENTS]} if elements else None


def _escaped(text: str, limit: int) -> str:
    """Escaped text of at most `limit` characters, counted after escaping and never cut inside an entity."""
    text = plain(text).strip()
    if len(whole := _entities(text)) <= limit:
        return whole
    room = limit - 1
    kept: list[str] = []
    for char in text:
        room -= len(_ENTITIES.get(char, char))
        if room < 0:
            break
        kept.append(_ENTITIES.get(char, char))
    return "".join(kept).rstrip() + "\N{HORIZONTAL ELLIPSIS}"


def _inline(text: str, limit: int) -> str:
    """One escaped line that is never empty, since Slack refuses empty text."""
    return _escaped(one_line(text), limit) or NOTHING


def _coded(text: str) -> str:
    return _CODE.sub(r"`\g<0>`", text)


def _entities(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
