"""A card as a custom notification of Amazon Q Developer in chat applications.

Used by `topic_delivery`. Amazon Q drops whatever is neither this schema nor an event of a service it knows, and only a
line in its own log says so; therefore nothing else is ever published to its topic. Source: Amazon Q Developer in chat
applications, administrator guide, "Custom notifications", schema version 1.0: description at most 8,000 characters,
title 250, a next step 350, a keyword 75. Cards of one thread share its `threadId`.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from trainops.adapters.slack_blocks import SYMBOLS
from trainops.domain.cards import Card
from trainops.domain.wording import excerpt, one_line, plain, shortened

VERSION, SOURCE = "1.0", "custom"
TITLE, DESCRIPTION, CAUSE, STEP, STEPS, KEYWORD, SUMMARY = 250, 3000, 1200, 350, 5, 75, 250


def notification(card: Card) -> str:
    """The message's body. Optional parts that a card does not have are left out, since empty ones are not accepted."""
    title = one_line(card.title) or "Training job"
    content: dict[str, Any] = {
        "textType": "client-markdown",
        "title": shortened(f"{SYMBOLS[card.tone]} {title}", TITLE),
        "description": shortened("\n".join(_description(card)).strip(), DESCRIPTION) or shortened(title, DESCRIPTION),
    }
    if steps := [shortened(one_line(line), STEP) for line in card.lines if one_line(line)]:
        content["nextSteps"] = steps[:STEPS]
    if keywords := [shortened(one_line(word), KEYWORD) for word in (card.team, card.word) if word and one_line(word)]:
        content["keywords"] = keywords
    metadata = {"threadId": _digest(card.thread or card.key), "summary": shortened(title, SUMMARY)}
    if card.word:
        metadata["eventType"] = card.word
    body = {"version": VERSION, "source": SOURCE, "id": _digest(card.key), "content": content, "metadata": metadata}
    return json.dumps(body, ensure_ascii=False)


def _description(card: Card) -> Iterator[str]:
    """Most important first, because the end is what is cut."""
    if summary := plain(card.summary).strip():
        yield summary
    if cause := plain(card.cause or "").strip().replace("```", "'''"):
        yield f"```\n{excerpt(cause, CAUSE)}\n```"
    yield from (f"*{one_line(label)}:* {one_line(value)}" for label, value in card.facts)
    yield from (f"{one_line(link.label)}: {one_line(link.url)}" for link in card.links)
    yield from (one_line(line) for line in card.context if one_line(line))


def _digest(key: str) -> str:
    """An identifier of one length: keys hold ARNs and times, which may be longer than an id should be."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]
