"""A real browser on this machine: finds Chromium, and opens pages of the local AWS in it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from local.problems import LaptopError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ON_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
"""A browser of ours calls nobody by itself."""


def find() -> str:
    """The browser's program, or $CHROMIUM; LaptopError says what to install."""
    candidates = [os.environ.get("CHROMIUM"), *(shutil.which(name) for name in NAMES)]
    candidates.append(str(ON_MAC) if ON_MAC.exists() else None)
    for found in candidates:
        if found:
            return found
    raise LaptopError("no Chromium was found: apt-get install chromium, or set CHROMIUM to a browser's program")


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless one, ended afterwards."""
    program = find()
    as_root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=[*QUIET, *as_root])
        try:
            yield running
        finally:
            running.close()
