"""Waiting by looking: polls something that can be observed, instead of sleeping and hoping."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.1


def until(observe: Callable[[], T | None], what: str, *, seconds: float = 30) -> T:
    """The first true answer of `observe`; after `seconds` a TimeoutError that names what never came."""
    deadline = time.monotonic() + seconds
    while True:
        if answer := observe():
            return answer
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s, last answer {answer!r}")
        time.sleep(LOOK_SECONDS)
