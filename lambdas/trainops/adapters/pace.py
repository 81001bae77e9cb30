"""Spaces calls in time, so that limits shared with others are left to them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta


@dataclass(slots=True)
class Pace:
    """Lets calls through at most once per `spacing`; sleeps when one comes too early."""

    spacing: timedelta
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=0.0, init=False)

    def wait(self) -> None:
        """Return when the next call may be made."""
        early = self._next - self.monotonic()
        if early > 0:
            self.sleep(early)
        self._next = self.monotonic() + self.spacing.total_seconds()
