"""What metric math computes with: numbers, lines (time series) and lists of lines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace


class MathError(ValueError):
    """An expression that CloudWatch refuses, or that is not known here; the text says which."""


@dataclass(frozen=True)
class Line:
    """A time series: values by the start of their period in seconds; `period` in seconds; absent is not zero."""

    points: Mapping[int, float]
    period: int
    label: str = ""
    dimensions: Mapping[str, str] = field(default_factory=dict)


Value = float | str | Line | list[Line]
Binary = Callable[[float, float], float | None]
"""None: there is no data point, as after a division by zero."""


def periods(asked: range, period: int) -> range:
    """The starts of the periods of the seconds `asked`: multiples of the period.

    One that is as long as all that is asked for begins with it, as the console's "period to time range" needs it.
    """
    first = asked.start if period >= len(asked) else asked.start - asked.start % period
    return range(first, asked.stop, period)


def mapped(run: Callable[[Line], Line], value: Value) -> Value:
    """Apply to one line or to each of a list."""
    return [run(line) for line in value] if isinstance(value, list) else run(one(value))


def one(value: Value) -> Line:
    """The line that is expected here."""
    if not isinstance(value, Line):
        raise MathError(f"a time series is needed, not {kind(value)}")
    return value


def many(value: Value) -> list[Line]:
    """The lines of an array; a single line counts as an array of one."""
    if isinstance(value, Line):
        return [value]
    if not isinstance(value, list):
        raise MathError(f"an array of time series is needed, not {kind(value)}")
    return value


def number(value: Value) -> float:
    """The number that is expected here."""
    if not isinstance(value, float):
        raise MathError(f"a number is needed, not {kind(value)}")
    return value


def kind(value: Value) -> str:
    """What a value is, for messages."""
    names = {float: "a number", str: "a text", Line: "a time series", list: "an array of time series"}
    return names[type(value)]


def combined(run: Binary, left: Value, right: Value) -> Value:
    """`left` and `right` point by point: where both have one, and a number goes with every point."""
    if isinstance(left, list) and isinstance(right, list):
        raise MathError("two arrays of time series cannot be combined")
    if isinstance(left, list):
        return [one(combined(run, line, right)) for line in left]
    if isinstance(right, list):
        return [one(combined(run, left, line)) for line in right]
    if isinstance(left, Line):
        return _with_points(
            left, {at: run(value, _at(right, at)) for at, value in left.points.items() if _has(right, at)}
        )
    if isinstance(right, Line):
        return _with_points(right, {at: run(number(left), value) for at, value in right.points.items()})
    found = run(number(left), number(right))
    if found is None:
        raise MathError("a number is divided by zero")
    return found


def _has(value: Value, at: int) -> bool:
    return not isinstance(value, Line) or at in value.points


def _at(value: Value, at: int) -> float:
    return value.points[at] if isinstance(value, Line) else number(value)


def _with_points(line: Line, points: Mapping[int, float | None]) -> Line:
    return replace(line, points={at: value for at, value in points.items() if value is not None})
