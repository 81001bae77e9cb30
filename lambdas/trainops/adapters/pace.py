"""Spaces calls in time, so that limits shared with others are left to them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from math import ceil

from trainops.errors import TryLater


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


@dataclass(slots=True)
class Paces:
    """A pace for each channel, since Slack counts by channel; one that Slack wants left alone is not called at all."""

    spacing: timedelta = timedelta(0)
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _paces: dict[str, Pace] = field(default_factory=dict, init=False)
    _closed: dict[str, float] = field(default_factory=dict, init=False)

    def wait(self, channel: str) -> None:
        """Return when the next call may be made there. Raises TryLater while Slack wants to be left alone."""
        left = self._closed.get(channel, 0.0) - self.monotonic()
        if left > 0:
            raise TryLater("Slack asked to wait with this channel", timedelta(seconds=ceil(left)))
        self._paces.setdefault(channel, Pace(self.spacing, self.monotonic, self.sleep)).wait()

    def close(self, channel: str, after: timedelta) -> None:
        """Leave a channel alone for so long."""
        self._closed[channel] = self.monotonic() + after.total_seconds()
