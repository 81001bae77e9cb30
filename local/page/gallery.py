"""The samples of every card as Slack and a mail program show them, in groups: what docs/messages.md is made of.

Cards, blocks and e-mails are the product's own; only the frame around them is drawn here.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from local.page.server import STATIC
from local.web import WebServer
from trainops.adapters import card_rendering, slack_blocks
from trainops.domain.cards import Card
from trainops_cli.cards.samples import samples

MOMENT = datetime(2026, 3, 4, 10, 42, tzinfo=UTC)
"""When all samples happen, so that pictures and text differ only when a card does."""
LATER = "Other messages"


@dataclass(frozen=True)
class Chapter:
    """Cards of one kind; `most` of them fit into one picture."""

    name: str
    title: str
    words: frozenset[str]
    most: int = 8


CHAPTERS = (
    Chapter("started", "A job starts", frozenset({"Started", "StartWarning"})),
    Chapter("running", "A job is interrupted, or done", frozenset({"Interrupted", "Restarted", "Completed"})),
    Chapter("failed", "A job fails", frozenset({"Failed"}), most=10),
    Chapter("stopped", "A job is stopped", frozenset({"Stopped"})),
    Chapter("unsaved", "A running job does not save its work", frozenset({"CheckpointsOld"})),
    Chapter("pools", "Warm pools", frozenset({"WarmPoolEnding", "WarmPoolEnded", "WarmPoolHeld", "WarmPoolSweep"})),
    Chapter("quotas", "Quotas", frozenset({"QuotaChanged", "QuotaRefusal"})),
    Chapter("reports", "A team's week", frozenset({"WeeklyReport"})),
)


@dataclass(frozen=True)
class Plate:
    """The cards of one picture; `name` is that of its file, without how they are shown."""

    name: str
    title: str
    cards: Sequence[Card]


def plates() -> list[Plate]:
    """Every sample, on as few plates as its chapter allows, all of a chapter about equally full."""
    cards = list(samples(MOMENT, UTC))
    known = frozenset[str]().union(*(chapter.words for chapter in CHAPTERS))
    rest = Chapter("other", LATER, frozenset(card.word or "" for card in cards) - known)
    return [
        plate
        for chapter in (*CHAPTERS, rest)
        for plate in _plates(chapter, [card for card in cards if (card.word or "") in chapter.words])
    ]


def _plates(chapter: Chapter, cards: Sequence[Card]) -> Iterator[Plate]:
    count = -(-len(cards) // chapter.most)
    for place in range(count):
        part = cards[len(cards) * place // count : len(cards) * (place + 1) // count]
        name = chapter.name if count == 1 else f"{chapter.name}-{place + 1}"
        yield Plate(name, chapter.title, part)


def desktop() -> Plate:
    """One e-mail of each tone, as wide as on a desktop."""
    first = {card.tone: card for plate in reversed(plates()) for card in reversed(plate.cards)}
    return Plate("desktop", "On a desktop", tuple(first.values()))


def front() -> Plate:
    """What README.md shows: a job that is done and leaves a pool, one that failed, one that spot made cheaper."""
    ended = [card for plate in plates() for card in plate.cards if card.word in {"Completed", "Failed"}]
    pool = next(card for card in ended if any(line.startswith("Warm pool: ") for line in card.lines))
    failed = next(card for card in ended if card.word == "Failed")
    spot = next(card for card in ended if "Spot savings" in dict(card.facts))
    return Plate("front", "", (pool, failed, spot))


@contextmanager
def exhibition() -> Iterator[str]:
    """Serve the plates meanwhile: `slack/NAME`, `phone/NAME` and `desktop/NAME` below the address."""
    shown = {plate.name: plate for plate in (*plates(), desktop(), front())}

    def cards(request: Request) -> Response:
        return JSONResponse([_rendered(card) for card in shown[request.path_params["name"]].cards])

    routes = [
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/cards/{name}", cards),
        Route("/{view}/{name}", lambda _request: FileResponse(STATIC / "gallery.html")),
    ]
    server = WebServer(Starlette(routes=routes), "gallery")
    try:
        yield f"{server.url}/"
    finally:
        server.stop()


def _rendered(card: Card) -> dict[str, Any]:
    """What the channels are given."""
    body = {"text": slack_blocks.fallback_text(card), "blocks": slack_blocks.blocks(card)}
    return {"at": MOMENT.isoformat(), "body": body,
            "subject": card_rendering.subject(card), "html": card_rendering.html(card)}  # fmt: skip
