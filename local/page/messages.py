"""`python -m local messages`: writes docs/messages.md, and the pictures of every card in it."""

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser
from rich.console import Console

from local.cdk import ROOT
from local.page.browser import browser
from local.page.gallery import Plate, desktop, exhibition, front, plates
from local.page.pictures import FOLDER, saved

DOCUMENT = ROOT / "docs/messages.md"
INTRODUCTION = """# Messages

Every message that trainops sends: in Slack, and as e-mail at the width of a phone. This page and its pictures are made
by `make pictures` from the samples of `trainops cards` (`cli/trainops_cli/cards/`), which go through the same
decisions and the same renderers as real ones. Which of them a team gets is chosen by the word in brackets
(`notifications.statuses` in the settings).
"""
ON_A_DESKTOP = """## On a desktop

The same e-mails in a wider window. Mail programs that show no HTML get them as plain text.

![E-mails of each tone as a mail program on a desktop shows them](pictures/messages/desktop.png)
"""


def messages() -> None:
    """Write docs/messages.md and take the pictures in it anew; needs a browser, and no AWS."""
    console = Console(highlight=False)
    with exhibition() as address, browser() as program:
        DOCUMENT.write_text(document(), encoding="utf-8")
        (FOLDER / "messages").mkdir(exist_ok=True)
        for old in (FOLDER / "messages").glob("*.png"):
            old.unlink()
        for place, file in _pictures():
            taken = _taken(program, f"{address}{place}", FOLDER / file)
            console.print(f"  {taken.relative_to(ROOT)} ({taken.stat().st_size // 1000} kB)")


def document() -> str:
    """The text of docs/messages.md: each chapter's pictures, and a line for each card."""
    parts, before = [INTRODUCTION], ""
    for plate in plates():
        if plate.title != before:
            parts.append(f"## {plate.title}\n")
        before = plate.title
        for view, where in (("slack", "in Slack"), ("phone", "as e-mail on a phone")):
            parts.append(f"![{plate.title}: {where}](pictures/messages/{view}-{plate.name}.png)\n")
        parts.append("\n".join(_lines(plate)) + "\n")
    return "\n".join([*parts, ON_A_DESKTOP])


def _lines(plate: Plate) -> Iterator[str]:
    for card in plate.cards:
        yield f"- **{card.title}** (`{card.word}`): {card.summary}"


def _pictures() -> Iterator[tuple[str, str]]:
    """Each plate's place in the gallery, and the file of its picture."""
    for plate in plates():
        for view in ("slack", "phone"):
            yield f"{view}/{plate.name}", f"messages/{view}-{plate.name}.png"
    yield f"desktop/{desktop().name}", "messages/desktop.png"
    yield f"phone/{front().name}", "email.png"


def _taken(program: Browser, address: str, file: Path) -> Path:
    opened = program.new_page(viewport={"width": 800, "height": 600}, device_scale_factor=1.25)
    opened.goto(address)
    gallery = opened.wait_for_selector("main[data-ready]")
    if gallery is None:
        raise LookupError(f"nothing is shown at {address}")
    saved(gallery.screenshot(), file)
    opened.close()
    return file
