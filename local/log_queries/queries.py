"""The commands of a query, one after the other: fields, display, filter, stats, sort, limit.

Source: CloudWatch Logs user guide, "CloudWatch Logs Insights language query syntax".
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence

from local.log_queries.expressions import QueryError, number, parsed, value_of
from local.log_queries.records import Record, Scalar, shown

PIPE = re.compile(r"""\|(?=(?:[^"']|"[^"]*"|'[^']*')*$)""")
COMMA = re.compile(r",(?![^()\[\]]*[)\]])")
NAMED = re.compile(r"^(?P<expression>.+?)\s+as\s+(?P<name>[\w.@]+)\s*$", re.IGNORECASE | re.DOTALL)
BY = re.compile(r"\s+by\s+", re.IGNORECASE)
DEFAULT_LIMIT = 1000
Row = dict[str, Scalar]


def run(query: str, records: Sequence[Record]) -> list[dict[str, str]]:
    """The rows of a result, their fields in order. Without `sort` the newest line comes first."""
    rows: list[Record] = sorted(records, key=lambda record: number(record["@timestamp"]) or 0, reverse=True)
    columns, limit = ["@timestamp", "@message"], DEFAULT_LIMIT
    for command in (part.strip() for part in PIPE.split(query)):
        name, _, rest = command.partition(" ")
        word = name.lower()
        if word == "limit":
            limit = int(rest)
        elif word in ("fields", "display", "stats"):
            rows, columns = _COLUMNS[word](rest, rows)
        elif word in _ROWS:
            rows = _ROWS[word](rest, rows)
        elif word not in ("", "source"):
            raise QueryError(f"the command {name} is not known here")
    return [{name: shown(name, row[name]) for name in columns if row.get(name) is not None} for row in rows[:limit]]


def _named(text: str) -> list[tuple[str, ast.expr]]:
    """`a, sum(b) / 2 as c` as names and expressions."""
    found = []
    for part in COMMA.split(text):
        named = NAMED.match(part.strip())
        expression = named["expression"] if named else part.strip()
        found.append((named["name"] if named else expression, parsed(expression)))
    return found


def _fields(text: str, rows: Sequence[Record]) -> tuple[list[Record], list[str]]:
    wanted = _named(text)
    return [{**row, **{name: value_of(node, row) for name, node in wanted}} for row in rows], [n for n, _ in wanted]


def _stats(text: str, rows: Sequence[Record]) -> tuple[list[Record], list[str]]:
    """One row for each combination of what stands after `by`; lines that lack any of it are in none."""
    what, *by = BY.split(text, maxsplit=1)
    keys, results = _named(by[0]) if by else [], _named(what)
    groups: dict[tuple[Scalar, ...], list[Record]] = {}
    for row in rows:
        key = tuple(value_of(node, row) for _, node in keys)
        if None not in key:
            groups.setdefault(key, []).append(row)
    names = [name for name, _ in keys]
    found: list[Record] = [
        {**dict(zip(names, key, strict=True)), **{name: value_of(node, members[0], members) for name, node in results}}
        for key, members in groups.items()
    ]
    return found, [*names, *(name for name, _ in results)]


def _filter(text: str, rows: Sequence[Record]) -> list[Record]:
    node = parsed(text)
    return [row for row in rows if value_of(node, row)]


def _sort(text: str, rows: Sequence[Record]) -> list[Record]:
    ordered = list(rows)
    for part in reversed(COMMA.split(text)):
        name, _, direction = part.strip().partition(" ")
        ordered.sort(key=lambda row, name=name: _rank(row.get(name)), reverse=direction.strip().lower() == "desc")  # type: ignore[misc]
    return ordered


def _rank(value: Scalar) -> tuple[int, float, str]:
    """Missing before numbers before texts."""
    amount = number(value)
    return (0, 0.0, "") if value is None else (1, amount, "") if amount is not None else (2, 0.0, str(value))


_COLUMNS: Mapping[str, Callable[[str, Sequence[Record]], tuple[list[Record], list[str]]]] = {
    "display": _fields,
    "fields": _fields,
    "stats": _stats,
}
_ROWS: Mapping[str, Callable[[str, Sequence[Record]], list[Record]]] = {"filter": _filter, "sort": _sort}
