"""What best-effort delivery may do to the simulator's events: lose, repeat, reorder and delay them, from a seed.

SageMaker delivers to EventBridge on a best-effort basis, several events for one state are to be expected, and no
page promises an order (EventBridge events reference; developer guide, automating SageMaker with EventBridge).
"""

import heapq
import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from local.sagemaker.clock import Clock
from local.sagemaker.simulator import Deliver, Scope

Json = dict[str, Any]


@dataclass(frozen=True)
class Faults:
    """How delivery misbehaves. `loss` and `duplicates` are chances from 0 to 1, the others simulated seconds.

    Every copy arrives `delay_seconds` after its event plus a random part of `shuffle_window`, so that events which
    are closer together than the window may change places.
    """

    seed: int = 0
    loss: float = 0.0
    duplicates: float = 0.0
    shuffle_window: float = 0.0
    delay_seconds: float = 0.0

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "Faults":
        """Faults from a request's body; what is not given is off. ValueError names what is wrong."""
        known = {entry.name for entry in fields(cls)}
        if unknown := set(body) - known:
            raise ValueError(f"unknown field(s) {sorted(unknown)}; known: {sorted(known)}")
        numbers = {name: float(value) for name, value in body.items() if name != "seed"}
        chosen = cls(seed=int(body.get("seed", 0)), **numbers)
        for name in ("loss", "duplicates"):
            if not 0 <= getattr(chosen, name) <= 1:
                raise ValueError(f"{name} must be between 0 and 1, not {getattr(chosen, name)}")
        for name in ("shuffle_window", "delay_seconds"):
            if getattr(chosen, name) < 0:
                raise ValueError(f"{name} must be 0 or more, not {getattr(chosen, name)}")
        return chosen


class EventFaults:
    """Stands between the simulator and EventBridge as the simulator's `deliver`.

    Each event draws the same number of random values whatever becomes of it: one seed, one fate for the n-th event.
    The events themselves, their own time included, stay genuine, and so does the simulator's history.
    """

    def __init__(self, clock: Clock, deliver: Deliver) -> None:
        self._clock, self._deliver = clock, deliver
        self._waiting: list[tuple[datetime, int, Scope, Json]] = []
        self._order = itertools.count()
        self.set(Faults())

    def set(self, faults: Faults) -> None:
        """Misbehave in this way from now on; what already waits keeps its time. Counters and the seed start anew."""
        self._faults = faults
        self._random = random.Random(faults.seed)  # noqa: S311 - repeatable, nothing is secret
        self._counts = {"genuine": 0, "lost": 0, "duplicated": 0, "delivered": 0}

    def __call__(self, scope: Scope, entry: Json) -> None:
        """Take one genuine event; without faults it is delivered at once, else when `flush` finds it due."""
        lost, twice, *parts = (self._random.random() for _ in range(4))
        faults = self._faults
        self._counts["genuine"] += 1
        if lost < faults.loss:
            self._counts["lost"] += 1
            return
        copies = 2 if twice < faults.duplicates else 1
        self._counts["duplicated"] += copies - 1
        for part in parts[:copies]:
            late = timedelta(seconds=faults.delay_seconds + part * faults.shuffle_window)
            if late or self._waiting:
                due = datetime.fromtimestamp(float(entry["Time"]), UTC) + late
                heapq.heappush(self._waiting, (due, next(self._order), scope, entry))
            else:
                self._hand_over(scope, entry)

    def flush(self) -> None:
        """Deliver, in the order of their arrival, the copies that are due by the simulator's clock."""
        now = self._clock.now()
        while self._waiting and self._waiting[0][0] <= now:
            _, _, scope, entry = heapq.heappop(self._waiting)
            self._hand_over(scope, entry)

    def _hand_over(self, scope: Scope, entry: Json) -> None:
        self._counts["delivered"] += 1
        self._deliver(scope, entry)

    def listed(self) -> Json:
        """The faults in force, and what became of the events since they were set."""
        return {**asdict(self._faults), **self._counts, "waiting": len(self._waiting)}

    def routes(self) -> dict[tuple[str, str], Callable[..., Any]]:
        """The `/_local/sagemaker/faults` routes."""

        def put(body: Json, _query: object) -> Json:
            self.set(Faults.from_json(body))
            return self.listed()

        route = "sagemaker/faults"
        return {("GET", route): lambda _body, _query: self.listed(), ("PUT", route): put}
