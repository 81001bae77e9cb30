"""Metric math: evaluates an expression such as `100 * IF(over > 0, reused / over)` over lines.

The syntax is close enough to Python's to be parsed by `ast`; only numbers, texts, names, operators, arrays and calls of
known functions are let through, and nothing is ever executed.
"""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from local.metrics.functions import FUNCTIONS
from local.metrics.lines import Binary, Line, MathError, Value, combined, many

Search = Callable[[str, str, int], list[Line]]
"""SEARCH's text, statistic and period in seconds."""
TOKEN = re.compile(r"""("[^"]*"|'[^']*')|(&&|\|\||\^|\bAND\b|\bOR\b)""")
PYTHON = {"&&": " and ", "AND": " and ", "||": " or ", "OR": " or ", "^": "**"}
OPERATORS: Mapping[type[ast.AST], Binary] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b if b else None,
    ast.Pow: lambda a, b: a**b if a > 0 or b == int(b) > 0 else None,
    ast.And: lambda a, b: float(bool(a) and bool(b)),
    ast.Or: lambda a, b: float(bool(a) or bool(b)),
    ast.Eq: lambda a, b: float(a == b),
    ast.NotEq: lambda a, b: float(a != b),
    ast.Lt: lambda a, b: float(a < b),
    ast.LtE: lambda a, b: float(a <= b),
    ast.Gt: lambda a, b: float(a > b),
    ast.GtE: lambda a, b: float(a >= b),
}
KEYWORDS = frozenset({"REPEAT", "LINEAR", "ASC", "DESC", "AVG", "MAX", "MIN", "STDDEV", "SUM"})


@dataclass(frozen=True)
class Scope:
    """What an expression may name: results by id, the metrics among them, SEARCH, and the seconds asked for."""

    named: Mapping[str, Value]
    metrics: Mapping[str, Line]
    search: Search
    asked: range

    def evaluate(self, text: str) -> Value:
        """The value of an expression; MathError says what is wrong with it."""
        python = TOKEN.sub(lambda found: found[1] or PYTHON[found[2]], text)
        try:
            tree = ast.parse(python.strip(), mode="eval")
        except SyntaxError as error:
            raise MathError(f"not an expression: {text}") from error
        return self._value(tree.body)

    def _value(self, node: ast.expr) -> Value:
        run = _NODES.get(type(node))
        if run is None:
            raise MathError(f"not known in an expression: {ast.unparse(node)}")
        return run(self, node)

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float | str):
            raise MathError(f"neither a number nor a text: {node.value!r}")
        return node.value if isinstance(node.value, str) else float(node.value)

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.named:
            return self.named[node.id]
        if node.id in KEYWORDS:
            return node.id
        raise MathError(f"no metric or expression has the id {node.id}")

    def _binary(self, node: ast.BinOp) -> Value:
        return self._apply(node.op, node.left, node.right)

    def _boolean(self, node: ast.BoolOp) -> Value:
        found = self._value(node.values[0])
        for value in node.values[1:]:
            found = combined(OPERATORS[type(node.op)], found, self._value(value))
        return found

    def _comparison(self, node: ast.Compare) -> Value:
        if len(node.ops) != 1:
            raise MathError("one comparison at a time")
        return self._apply(node.ops[0], node.left, node.comparators[0])

    def _apply(self, operator: ast.AST, left: ast.expr, right: ast.expr) -> Value:
        if type(operator) not in OPERATORS:
            raise MathError(f"not an operator of metric math: {type(operator).__name__}")
        return combined(OPERATORS[type(operator)], self._value(left), self._value(right))

    def _negative(self, node: ast.UnaryOp) -> Value:
        if not isinstance(node.op, ast.USub):
            raise MathError("only - may stand before a value")
        return combined(OPERATORS[ast.Mult], -1.0, self._value(node.operand))

    def _array(self, node: ast.List) -> Value:
        return [line for element in node.elts for line in many(self._value(element))]

    def _call(self, node: ast.Call) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        arguments = [self._value(argument) for argument in node.args]
        if name == "METRICS":
            return [line for key, line in self.metrics.items() if not arguments or str(arguments[0]) in key]
        if name == "SEARCH":
            text, statistic, *period = arguments
            return self.search(str(text), str(statistic), int(float(str(period[0]))) if period else 300)
        if name not in FUNCTIONS:
            raise MathError(f"the function {name or ast.unparse(node.func)} is not known here")
        try:
            return FUNCTIONS[name](arguments, self.asked)
        except (IndexError, TypeError, ValueError) as error:
            raise MathError(f"{name}: {error}") from error


_NODES: Mapping[type[ast.expr], Callable[[Scope, Any], Value]] = {
    ast.BinOp: Scope._binary,
    ast.BoolOp: Scope._boolean,
    ast.Call: Scope._call,
    ast.Compare: Scope._comparison,
    ast.Constant: Scope._constant,
    ast.List: Scope._array,
    ast.Name: Scope._name,
    ast.UnaryOp: Scope._negative,
}
