"""One filled laptop, one browser and a watched page for each test."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page

from local.account import furnish
from local.laptop import Laptop
from local.page.browser import browser, find
from local.page.server import serving
from local.problems import LaptopError
from tests.browser.filled import ELSEWHERE, fill

BLOCKED = (
    "Blocked script execution in 'about:srcdoc'",
    f"Loading the image '{ELSEWHERE}' violates",
    "Failed to load resource: the server responded with a status of 404",
)
"""What the browser says of hostile mail: no script, no image from elsewhere, none from here by a wrong name."""


@dataclass
class Watched:
    """A browser's page, with what went wrong in it."""

    page: Page
    home: str
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("requestfinished", lambda request: self._left(request.url))

    def open(self, place: str) -> Page:
        """Go to a place of the page, by the part of its address after `#`; returns when it is drawn."""
        self.page.goto(f"{self.home}#{place}")
        section = re.split("[/?]", place, maxsplit=1)[0]
        self.page.wait_for_selector(f"main[data-section={section}]")
        self.page.wait_for_timeout(500)
        return self.page

    def _console(self, message: object) -> None:
        kind, text = getattr(message, "type", ""), getattr(message, "text", "")
        if kind in ("error", "warning"):
            self.wrong.append(text)

    def _left(self, url: str) -> None:
        if not url.startswith((self.home, "data:", "about:")):
            self.wrong.append(f"a request left the machine: {url}")

    def hacked(self) -> bool:
        """Whether a script of somebody else ran in any frame."""
        return any(frame.evaluate("window.hacked === true") for frame in self.page.frames)


@pytest.fixture(scope="session", autouse=True)
def _found() -> None:
    """Without a browser nothing here can be told: the run fails with one line, and skips nothing."""
    try:
        find()
    except LaptopError as error:
        pytest.exit(str(error), returncode=1)


@pytest.fixture(scope="session")
def home() -> Iterator[str]:
    """The address of the page of a filled laptop."""
    with Laptop() as laptop, serving(laptop) as address:
        furnish(laptop)
        fill(laptop)
        yield address


@pytest.fixture(scope="session")
def program() -> Iterator[Browser]:
    """The browser."""
    with browser() as running:
        yield running


@pytest.fixture
def desktop(home: str, program: Browser) -> Iterator[Watched]:
    """A page on a desktop; afterwards nothing may have gone wrong in it that was not blocked on purpose."""
    yield from _watched(home, program, width=1440, mobile=False)


@pytest.fixture
def phone(home: str, program: Browser) -> Iterator[Watched]:
    """The same as wide as a phone."""
    yield from _watched(home, program, width=390, mobile=True)


def _watched(home: str, program: Browser, *, width: int, mobile: bool) -> Iterator[Watched]:
    opened = program.new_page(viewport={"width": width, "height": 844}, is_mobile=mobile)
    watched = Watched(opened, home)
    yield watched
    assert not watched.hacked()
    opened.close()
    assert [text for text in watched.wrong if not text.startswith(BLOCKED)] == []
