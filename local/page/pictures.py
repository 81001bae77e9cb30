"""`make pictures`: plays stories/week.yaml with the deployed product and photographs the page in a real browser.

The pictures of README.md and docs/ are made here and nowhere else. Simulated time starts on a Monday morning, so that a
week looks like one whenever they are taken.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, ViewportSize
from rich.console import Console

from local.cdk import ROOT
from local.laptop import Laptop
from local.page.browser import browser, find
from local.page.server import serving
from local.stories.loading import load
from local.stories.on_laptop import LaptopWorld
from local.stories.running import Watch, play
from local.stories.stage import clock, staged

SETTINGS = ROOT / "local/week.yaml"
STORY = ROOT / "local/stories/week.yaml"
FOLDER = ROOT / "docs/pictures"
MORNING = 6
"""The hour of Monday at which the week starts, UTC."""
DRAWN_MS = 800
"""Charts and frames are drawn a moment after their data came."""


@dataclass(frozen=True)
class Shot:
    """One picture: which place of the page, on what screen; `whole` is all of it, however long.

    `from_message` begins with the first message whose headline holds that text.
    """

    name: str
    address: str
    width: int = 1280
    height: int = 800
    whole: bool = False
    mobile: bool = False
    scale: float = 1.5
    from_message: str = ""


def _phone(name: str, address: str) -> Shot:
    return Shot(name, address, width=390, height=844, mobile=True, scale=2)


def shots(dashboards: list[str], mail: int) -> Iterator[Shot]:
    """Every picture of a page with these dashboards; `mail` is the number of the e-mail that the phone shows."""
    yield Shot("timeline", "#timeline?hours=168", height=436)
    yield Shot("slack", "#slack", width=960, height=900, from_message="failed")
    yield _phone("phone-mail", f"#mail/{mail}")
    yield _phone("phone-timeline", "#timeline?hours=72")
    for name in dashboards:
        kind = "team" if "-team-" in name else "overview"
        address = f"#dashboards/{quote(name)}?hours=168&team=vision"
        yield Shot(f"dashboard-{kind}", address, width=1440, whole=True, scale=1.25)


def pictures() -> None:
    """Play a week with the deployed product and take the pictures of docs/pictures anew."""
    console, began = Console(highlight=False), time.monotonic()
    find()  # before minutes of work
    loaded = load(STORY)
    with staged(loaded.story, console, SETTINGS) as laptop, serving(laptop) as page:
        laptop.control.advance(_until_monday(laptop.control.now()))
        with LaptopWorld(laptop, clock(loaded.story, None)) as world, browser() as program:
            play(loaded, world, _progress(console, began))
            for shot in shots(_dashboards(laptop), _failure(laptop)):
                file = take(program, page, shot)
                console.print(f"  {file.relative_to(ROOT)}")
    console.print(f"pictures: ok in {time.monotonic() - began:.0f} s", style="green")


def take(program: Browser, page: str, shot: Shot, folder: Path = FOLDER) -> Path:
    """Photograph one place of the page, at twice the resolution on a phone; the file."""
    screen = ViewportSize(width=shot.width, height=shot.height)
    opened = program.new_page(viewport=screen, device_scale_factor=shot.scale, is_mobile=shot.mobile)
    opened.goto(f"{page}{shot.address}")
    opened.wait_for_selector("main[data-section]")
    opened.wait_for_timeout(DRAWN_MS)
    if shot.from_message:
        message = opened.locator("article", has=opened.get_by_role("heading", name=shot.from_message)).first
        message.evaluate("(message) => scrollTo(0, message.offsetTop - document.querySelector('header').offsetHeight)")
    file = saved(opened.screenshot(full_page=shot.whole), folder / f"{shot.name}.png")
    opened.close()
    return file


def saved(picture: bytes, file: Path) -> Path:
    """A screenshot as a PNG of 256 colours, which is all that such a page has and a third of the size."""
    with Image.open(BytesIO(picture)) as full:
        full.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


def _until_monday(now: datetime) -> timedelta:
    monday = (now + timedelta(days=7 - now.weekday())).replace(hour=MORNING, minute=0, second=0, microsecond=0)
    return monday - now


def _progress(console: Console, began: float) -> Watch:
    """A line for each quarter of a simulated day, with how long it took to get there."""
    told: dict[str, int] = {}

    def show(moment: datetime, _job: str, what: str) -> None:
        quarter = f"{moment:%a} {moment.hour // 6 * 6:02}:00"
        if quarter not in told:
            console.print(f"  {quarter}, {sum(told.values())} changes of jobs, {time.monotonic() - began:.0f} s")
        told[quarter] = told.get(quarter, 0) + bool(what)

    return show


def _dashboards(laptop: Laptop) -> list[str]:
    entries = laptop.client("cloudwatch").list_dashboards()["DashboardEntries"]
    return [entry["DashboardName"] for entry in entries]


def _failure(laptop: Laptop) -> int:
    """The first e-mail about a failed job."""
    return next(number for number, mail in enumerate(laptop.mailbox.mails) if "failed" in mail.subject)
