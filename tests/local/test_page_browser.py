"""Finding a browser: the one that is asked for, one on PATH, or one line that says what to install."""

from pathlib import Path

import pytest

from local.page import browser
from local.problems import LaptopError


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "ON_MAC", tmp_path / "none")


def test_without_a_browser_one_line_says_what_to_install() -> None:
    with pytest.raises(LaptopError, match=r"^no Chromium was found: apt-get install chromium, or set CHROMIUM"):
        browser.find()


def test_one_on_the_path_is_found_and_the_one_asked_for_comes_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "google-chrome"
    program.touch(mode=0o755)
    assert browser.find() == str(program)
    monkeypatch.setenv("CHROMIUM", "/opt/mine")
    assert browser.find() == "/opt/mine"
