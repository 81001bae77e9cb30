"""The simulator's time: real, scaled or stepped, chosen by whoever starts it.

Every date that a training job, an event or a schedule carries on the laptop is read here, so that a test can
let a six-hour job end in a moment without touching the machine's clock.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta


def real_time() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)


class Clock:
    """Simulated time that runs `rate` times as fast as `real` and can be moved forward at any moment.

    A rate of 0 makes a stepped clock: only `advance` moves it. Time never goes back.
    """

    def __init__(self, rate: float = 1.0, real: Callable[[], datetime] = real_time) -> None:
        self._real = real
        self._rate = self._checked(rate)
        self._real_anchor = real()
        self._anchor = self._real_anchor

    @classmethod
    def stepped(cls, start: datetime) -> "Clock":
        """A clock that stands at `start` until it is advanced."""
        return cls(rate=0.0, real=lambda: start)

    @property
    def rate(self) -> float:
        """Simulated seconds per real second."""
        return self._rate

    def now(self) -> datetime:
        """The simulated moment, in UTC."""
        return self._anchor + (self._real() - self._real_anchor) * self._rate

    def simulated(self, real: float) -> float:
        """A moment just past on the real clock, both in seconds since the epoch; a jump since then is not seen."""
        return self.now().timestamp() - (self._real().timestamp() - real) * self._rate

    def set_rate(self, rate: float) -> None:
        """Run faster or slower from this moment on; what has passed stays as it was."""
        checked = self._checked(rate)
        self._anchor, self._real_anchor = self.now(), self._real()
        self._rate = checked

    def advance(self, step: timedelta) -> None:
        """Jump forward by `step`; a negative step is a ValueError."""
        if step < timedelta(0):
            raise ValueError(f"time cannot go back: {step}")
        self._anchor += step

    @staticmethod
    def _checked(rate: float) -> float:
        if rate < 0:
            raise ValueError(f"rate must be 0 or more, not {rate}")
        return rate
