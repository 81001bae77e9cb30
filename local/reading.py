"""Shows a Slack message and an e-mail in a terminal as a person would read them."""

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from local.receivers import Mail

LINK = re.compile(r"<([^|>]+)\|([^>]+)>")
EMPHASIS = re.compile(r"(?<![\w`])[*_~]([^*_~\n]+)[*_~](?![\w`])")


def slack_panel(body: Mapping[str, Any]) -> Panel:
    """One message of a channel, block by block."""
    attachments = body.get("attachments") or [{}]
    blocks = [*body.get("blocks", []), *attachments[0].get("blocks", [])]
    parts = [part for block in blocks for part in _block(block)] or [Text(plain(body.get("text", "")))]
    return Panel(Group(*parts), title="Slack", title_align="left", border_style="magenta", width=100)


def mail_panel(mail: Mail) -> Panel:
    """One e-mail: sender, subject and its text part."""
    head = Text(f"From:    {mail.sender}\nTo:      {', '.join(mail.recipients)}\n")
    subject = Text(f"Subject: {mail.subject}\n", style="bold")
    return Panel(Group(head, subject, Text(mail.body().strip())), title="E-mail", title_align="left", width=100)


def slack_text(body: Mapping[str, Any]) -> str:
    """All text of a message in reading order, to look for words in."""
    return plain("\n".join(_strings(body)))


def plain(mrkdwn: str) -> str:
    """Slack's markup as plain text: links by their label, entities as characters."""
    return unescape(EMPHASIS.sub(r"\1", LINK.sub(r"\2", mrkdwn)))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key == "text" and isinstance(item, str):
                yield item
            else:
                yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _block(block: Mapping[str, Any]) -> Iterator[RenderableType]:
    show = SHOWN.get(str(block.get("type")))
    return show(block) if show else iter(())


def _header(block: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield Text(plain(block["text"]["text"]) + "\n", style="bold")


def _section(block: Mapping[str, Any]) -> Iterator[RenderableType]:
    if "text" in block:
        yield Text(plain(block["text"]["text"]) + "\n")
    if "fields" in block:
        yield _fields([plain(field["text"]) for field in block["fields"]])


def _context(block: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield Text(" · ".join(plain(item.get("text", "")) for item in block["elements"]), style="dim")


def _divider(_block: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield Text("─" * 40, style="dim")


SHOWN: Mapping[str, Callable[[Mapping[str, Any]], Iterator[RenderableType]]] = {
    "header": _header,
    "section": _section,
    "context": _context,
    "divider": _divider,
}


def _fields(texts: list[str]) -> Table:
    table = Table.grid(padding=(0, 4))
    for left, right in zip(texts[::2], [*texts[1::2], ""], strict=False):
        table.add_row(left, right)
        table.add_row("", "")
    return table
