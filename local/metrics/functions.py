"""The functions of metric math that are known here.

Source: CloudWatch user guide, "Using math expressions", table of functions. Those that forecast
(ANOMALY_DETECTION_BAND) or ask other services (SERVICE_QUOTA, DB_PERF_INSIGHTS, INSIGHT_RULE_METRIC) are not.
"""

import itertools
import math
import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from local.metrics.lines import Line, MathError, Value, many, mapped, number, one, periods

Run = Callable[[list[Value], range], Value]
"""Arguments, and the range of seconds that is asked for."""
Reduce = Callable[[Iterable[float]], float]


def _each(run: Callable[[float], float]) -> Run:
    """A function of every single point."""

    def apply(line: Line) -> Line:
        return replace(line, points={at: run(value) for at, value in line.points.items()})

    def call(arguments: list[Value], _asked: range) -> Value:
        [value] = arguments
        return run(value) if isinstance(value, float) else mapped(apply, value)

    return call


def _reduced(run: Reduce) -> Run:
    """One number of a line; of an array the line of what the lines come to at each moment that any of them has."""

    def call(arguments: list[Value], _asked: range) -> Value:
        [value] = arguments
        if isinstance(value, Line):
            return run(value.points.values()) if value.points else replace(value, points={})
        lines = many(value)
        moments = sorted({at for line in lines for at in line.points})
        points = {at: run([line.points[at] for line in lines if at in line.points]) for at in moments}
        return Line(points, period=min((line.period for line in lines), default=60))

    return call


def _fill(arguments: list[Value], asked: range) -> Value:
    value, filler = arguments
    return mapped(lambda line: replace(line, points=_filled(line, filler, asked)), value)


def _filled(line: Line, filler: Value, asked: range) -> Mapping[int, float]:
    """The line with a point for each period: the filler's, the last one (REPEAT), or one between (LINEAR)."""
    moments = periods(asked, line.period)
    if isinstance(filler, float):
        return {at: line.points.get(at, filler) for at in moments}
    if isinstance(filler, Line):
        return {at: line.points.get(at, filler.points.get(at, math.nan)) for at in moments}
    if filler not in ("REPEAT", "LINEAR"):
        raise MathError("FILL takes a number, a time series, REPEAT or LINEAR")
    points: dict[int, float] = {}
    known = sorted(line.points)
    for at in moments:
        before = max((t for t in known if t <= at), default=None)
        after = min((t for t in known if t >= at), default=None)
        if before is not None and after is not None and filler == "LINEAR":
            share = (at - before) / (after - before) if after > before else 0.0
            points[at] = line.points[before] + share * (line.points[after] - line.points[before])
        elif before is not None and filler == "REPEAT":
            points[at] = line.points[before]
    return points


def _if(arguments: list[Value], _asked: range) -> Value:
    condition, then = arguments[:2]
    otherwise = arguments[2] if len(arguments) > 2 else None
    if isinstance(condition, float):
        chosen = then if condition else otherwise
        if chosen is None:
            raise MathError("IF with a number needs a third argument")
        return chosen
    line, points = one(condition), dict[int, float]()
    for at, holds in line.points.items():
        branch = then if holds else otherwise
        found = branch.points.get(at) if isinstance(branch, Line) else branch
        if isinstance(found, float):
            points[at] = found
    return replace(line, points=points)


def _between(run: Callable[[float, int], float]) -> Run:
    """A function of the difference from the point before, and of the seconds between the two."""

    def apply(line: Line) -> Line:
        known = sorted(line.points)
        steps = itertools.pairwise(known)
        return replace(line, points={b: run(line.points[b] - line.points[a], b - a) for a, b in steps})

    return lambda arguments, _asked: mapped(apply, *arguments)


def _running_sum(arguments: list[Value], _asked: range) -> Value:
    def apply(line: Line) -> Line:
        total, points = 0.0, dict[int, float]()
        for at in sorted(line.points):
            total += line.points[at]
            points[at] = total
        return replace(line, points=points)

    return mapped(apply, *arguments)


def _edge(position: int) -> Run:
    """The first (0) or last (-1) line of an array, or value of a line."""

    def call(arguments: list[Value], _asked: range) -> Value:
        [value] = arguments
        if isinstance(value, list):
            return value[position] if value else Line({}, 60)
        line = one(value)
        return line.points[sorted(line.points)[position]] if line.points else replace(line, points={})

    return call


def _sort(arguments: list[Value], _asked: range) -> Value:
    """SORT(lines, by, order, how many)."""
    lines, by, order = many(arguments[0]), str(arguments[1]), str(arguments[2])
    if by not in REDUCERS or order not in ("ASC", "DESC"):
        raise MathError("SORT takes SUM, AVG, MIN, MAX or STDDEV, and ASC or DESC")
    limit = int(number(arguments[3])) if len(arguments) > 3 else len(lines)
    known = [line for line in lines if line.points]
    return sorted(known, key=lambda line: REDUCERS[by](line.points.values()), reverse=order == "DESC")[:limit]


def _time_series(arguments: list[Value], asked: range) -> Value:
    value = number(arguments[0])
    return Line(dict.fromkeys(range(asked.start - asked.start % 60, asked.stop, 60), value), 60)


REDUCERS: Mapping[str, Reduce] = {
    "AVG": statistics.fmean,
    "MAX": max,
    "MIN": min,
    "STDDEV": statistics.pstdev,
    "SUM": math.fsum,
}
FUNCTIONS: Mapping[str, Run] = {
    "ABS": _each(abs),
    "CEIL": _each(lambda value: float(math.ceil(value))),
    "FLOOR": _each(lambda value: float(math.floor(value))),
    **{name: _reduced(run) for name, run in REDUCERS.items()},
    "DATAPOINT_COUNT": lambda arguments, _asked: float(len(one(arguments[0]).points)),
    "DIFF": _between(lambda change, _seconds: change),
    "DIFF_TIME": _between(lambda _change, seconds: float(seconds)),
    "FILL": _fill,
    "FIRST": _edge(0),
    "IF": _if,
    "LAST": _edge(-1),
    "METRIC_COUNT": lambda arguments, _asked: float(len(many(arguments[0]))),
    "PERIOD": lambda arguments, _asked: float(one(arguments[0]).period),
    "RATE": _between(lambda change, seconds: change / seconds),
    "REMOVE_EMPTY": lambda arguments, _asked: [line for line in many(arguments[0]) if line.points],
    "RUNNING_SUM": _running_sum,
    "SORT": _sort,
    "TIME_SERIES": _time_series,
}
