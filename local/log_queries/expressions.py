"""Conditions, arithmetic and aggregations of Logs Insights, parsed by Python's `ast` after its operators are respelled.

Source: CloudWatch Logs user guide, "Supported operations and functions". A missing field makes a comparison false and
an amount missing; aggregations leave missing amounts out.
"""

import ast
import math
import operator
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from local.log_queries.records import Record, Scalar

TOKEN = re.compile(
    r"""(?P<text>"[^"]*"|'[^']*')|(?P<regex>/(?:[^/\n\\]|\\.)+/)"""
    r"""|\b(?P<like>not\s+like|like)\b|(?P<equals>(?<![<>!=~])=(?!=))|\b(?P<word>and|or|not|in)\b|(?P<star>\(\s*\*\s*\))"""
    r"""|(?P<field>@?[A-Za-z_]\w*(?:\.\w+)*)(?!\w|\.|\s*\()""",
    re.IGNORECASE,
)


class QueryError(ValueError):
    """A query that is not well formed, or asks for what is not known here."""


def parsed(text: str) -> ast.expr:
    """An expression; QueryError when it is none."""
    try:
        return ast.parse(TOKEN.sub(_respelled, text).strip(), mode="eval").body
    except SyntaxError as error:
        raise QueryError(f"not known here: {text.strip()}") from error


def _respelled(found: re.Match[str]) -> str:
    """`=` as `==`, `like` as `@` (which binds tighter than `and`), a field as `F["name"]`, `/regex/` as a text."""
    if found["text"]:
        return repr(re.escape(found["text"][1:-1])) if _after_like(found) else repr(found["text"][1:-1])
    if found["regex"]:
        return repr(found["regex"][1:-1])
    if found["field"]:
        return f"F[{found['field']!r}]"
    if found["like"]:
        return " % " if found["like"].lower().startswith("not") else " @ "
    if found["equals"]:
        return " == "
    return "()" if found["star"] else f" {found['word'].lower()} "


def _after_like(found: re.Match[str]) -> bool:
    return found.string[: found.start()].rstrip().lower().endswith("like")


def value_of(node: ast.expr, record: Record, group: Sequence[Record] = ()) -> Scalar:
    """What an expression comes to for a record; aggregations look at the records of its group."""
    run = _NODES.get(type(node))
    if run is None:
        raise QueryError(f"not known here: {ast.unparse(node)}")
    found: Scalar = run(node, record, group)
    return found


def number(value: Scalar) -> float | None:
    """A value as an amount; None when it is none."""
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _field(node: ast.Subscript, record: Record, _group: Sequence[Record]) -> Scalar:
    return record.get(ast.literal_eval(node.slice))


def _constant(node: ast.Constant, _record: Record, _group: Sequence[Record]) -> Scalar:
    return node.value if isinstance(node.value, str) else float(node.value)  # type: ignore[arg-type]


def _boolean(node: ast.BoolOp, record: Record, group: Sequence[Record]) -> Scalar:
    over = all if isinstance(node.op, ast.And) else any
    return float(over(value_of(each, record, group) for each in node.values))


def _unary(node: ast.UnaryOp, record: Record, group: Sequence[Record]) -> Scalar:
    value = value_of(node.operand, record, group)
    if isinstance(node.op, ast.Not):
        return float(not value)
    amount = number(value)
    return None if amount is None else -amount


def _comparison(node: ast.Compare, record: Record, group: Sequence[Record]) -> Scalar:
    left, right = value_of(node.left, record, group), node.comparators[0]
    if isinstance(node.ops[0], ast.In) and isinstance(right, ast.List | ast.Tuple):
        return float(any(_equal(left, value_of(each, record, group)) for each in right.elts))
    other = value_of(right, record, group)
    if isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return float(_equal(left, other) is isinstance(node.ops[0], ast.Eq))
    one, two = number(left), number(other)
    return float(one is not None and two is not None and _ORDER[type(node.ops[0])](one, two))


def _equal(left: Scalar, right: Scalar) -> bool:
    one, two = number(left), number(right)
    return left == right if one is None or two is None else one == two


def _operation(node: ast.BinOp, record: Record, group: Sequence[Record]) -> Scalar:
    left, right = value_of(node.left, record, group), value_of(node.right, record, group)
    if isinstance(node.op, ast.MatMult | ast.Mod):
        found = left is not None and re.search(str(right), str(left)) is not None
        return float(found is isinstance(node.op, ast.MatMult))
    one, two = number(left), number(right)
    if one is None or two is None or (isinstance(node.op, ast.Div) and not two):
        return None
    return _ARITHMETIC[type(node.op)](one, two)


def _call(node: ast.Call, record: Record, group: Sequence[Record]) -> Scalar:
    name = ast.unparse(node.func).lower()
    if name in ("ispresent", "isblank"):
        return float((value_of(node.args[0], record) is None) is (name == "isblank"))
    if name == "count" and not node.args:
        return float(len(group))
    if name == "bin":
        raise QueryError("bin() is not known here")
    if name == "latest":
        return _latest(node.args[0], group)
    if name not in AGGREGATIONS:
        raise QueryError(f"the function {name} is not known here")
    values = [value_of(node.args[0], each) for each in group]
    amounts = [amount for value in values if (amount := number(value)) is not None]
    if name == "count":
        return float(sum(value is not None for value in values))
    if name == "pct":
        return _percentile(amounts, number(value_of(node.args[1], record)) or 0)
    return AGGREGATIONS[name](amounts) if amounts else None


def _latest(node: ast.expr, group: Sequence[Record]) -> Scalar:
    """Of the newest line that has it."""
    newest = max(group, key=lambda each: (value_of(node, each) is not None, number(each["@timestamp"]) or 0))
    return value_of(node, newest)


def _percentile(amounts: Sequence[float], percent: float) -> float | None:
    ordered = sorted(amounts)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)] if ordered else None


AGGREGATIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "avg": statistics.fmean,
    "count": len,
    "max": max,
    "min": min,
    "pct": math.fsum,  # asked for by name only
    "sum": math.fsum,
}
_ORDER: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_NODES: Mapping[type[ast.expr], Callable[[Any, Record, Sequence[Record]], Scalar]] = {
    ast.BinOp: _operation,
    ast.BoolOp: _boolean,
    ast.Call: _call,
    ast.Compare: _comparison,
    ast.Constant: _constant,
    ast.Subscript: _field,
    ast.UnaryOp: _unary,
}
