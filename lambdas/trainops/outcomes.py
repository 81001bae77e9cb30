"""What handling one message came to, in the words of `telemetry`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from trainops.telemetry import Field, Metric, TeamMetric

Figures = Mapping[TeamMetric | Field, Decimal | int | str | bool]
"""What is said of one job or pool on one line: metrics by team, and fields."""
Counts = Mapping[Metric | Field, int]
"""What happened how often: signals are published, fields are logged."""

HANDED_OVER = "handed over"
"""The result of a message that its channel refused and another channel got."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What handling one message came to: the reason for the log, what is counted of it, and the job it was about."""

    reason: str
    counts: Counts = field(default_factory=dict)
    job: str | None = None
    result: str = "done"
    """What is remembered of it, for a repetition: `done`, or `HANDED_OVER`."""
    figures: Mapping[str, Figures] = field(default_factory=dict)
    """What is published by counted team, one line each."""
    notes: Sequence[Mapping[str, object]] = ()
    """Further lines for the log, by fields that can be searched."""
