"""What Slack refuses in an incoming webhook's message: Block Kit limits, judged as the service words its answers."""

from collections.abc import Callable
from typing import Any

MAX_BLOCKS = 50
KNOWN_BLOCKS = frozenset(
    {"actions", "context", "divider", "file", "header", "image", "input", "markdown", "rich_text", "section", "video"}
)


def refusal(message: Any) -> str | None:
    """`invalid_payload`, `no_text`, `invalid_blocks` or None when the message is accepted."""
    if not isinstance(message, dict):
        return "invalid_payload"
    blocks, text = message.get("blocks"), message.get("text")
    if not blocks and not text:
        return "no_text"
    if text is not None and not isinstance(text, str):
        return "invalid_payload"
    if blocks is None:
        return None
    if not isinstance(blocks, list) or len(blocks) > MAX_BLOCKS or not all(_is_valid(block) for block in blocks):
        return "invalid_blocks"
    return None


def _is_valid(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") not in KNOWN_BLOCKS:
        return False
    if not _short(block.get("block_id", "-"), 255):
        return False
    check = CHECKS.get(block["type"])
    return check is None or check(block)


def _section(block: dict[str, Any]) -> bool:
    text, fields = block.get("text"), block.get("fields")
    if text is None and not fields:
        return False
    if text is not None and not _text(text, 3000):
        return False
    return fields is None or (isinstance(fields, list) and len(fields) <= 10 and all(_text(f, 2000) for f in fields))


def _header(block: dict[str, Any]) -> bool:
    text = block.get("text")
    return _text(text, 150) and isinstance(text, dict) and text["type"] == "plain_text"


def _context(block: dict[str, Any]) -> bool:
    elements = block.get("elements")
    if not isinstance(elements, list) or not 1 <= len(elements) <= 10:
        return False
    return all(isinstance(e, dict) and (e.get("type") == "image" or _text(e, 3000)) for e in elements)


def _actions(block: dict[str, Any]) -> bool:
    elements = block.get("elements")
    return isinstance(elements, list) and 1 <= len(elements) <= 25 and all(_button(e) for e in elements)


def _button(element: Any) -> bool:
    """Other interactive elements than buttons are let through unjudged."""
    if not isinstance(element, dict) or element.get("type") != "button":
        return isinstance(element, dict) and isinstance(element.get("type"), str)
    text = element.get("text")
    return (
        _text(text, 75)
        and isinstance(text, dict)
        and text["type"] == "plain_text"
        and _short(element.get("value", "-"), 2000)
        and _short(element.get("url", "-"), 3000)
        and _short(element.get("action_id", "-"), 255)
    )


def _markdown(block: dict[str, Any]) -> bool:
    return _short(block.get("text"), 12_000)


def _text(value: Any, limit: int) -> bool:
    """A text object of 1 to `limit` characters."""
    known = isinstance(value, dict) and value.get("type") in {"plain_text", "mrkdwn"}
    return known and _short(value.get("text"), limit)


def _short(value: Any, limit: int) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= limit


CHECKS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "actions": _actions,
    "context": _context,
    "header": _header,
    "markdown": _markdown,
    "section": _section,
}
