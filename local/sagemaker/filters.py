"""One condition of a Search expression: a property of a shape, an operator and a value (shape Filter).

A property that a record does not have satisfies NotExists and nothing else (for NotEquals not documented).
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from botocore.model import MapShape, Shape, StructureShape

from local.sagemaker.errors import validation
from local.sagemaker.model import structure

ORDERED: dict[str, Callable[[Any, Any], bool]] = {
    "GreaterThan": operator.gt,
    "GreaterThanOrEqualTo": operator.ge,
    "LessThan": operator.lt,
    "LessThanOrEqualTo": operator.le,
}
TEXT_ONLY = frozenset({"Contains", "In"})
KINDS = {"string": "text", "boolean": "boolean", "timestamp": "timestamp"}
NUMBERS = frozenset({"integer", "long", "float", "double"})
HYPERPARAMETER = "hyperparameter"
KEYED = frozenset({"Tags", "HyperParameters", "Environment", "Metrics"})  # the rest of the name is a key


@dataclass(frozen=True)
class Property:
    """A searchable property: the path to its value and how the value is compared."""

    name: str
    kind: str
    path: tuple[str, ...]

    @classmethod
    def named(cls, name: str) -> Self:
        """Find the property in the model; `Tags.<key>`, `HyperParameters.<name>` and `Metrics.<name>` are special."""
        head, _, rest = name.partition(".")
        if rest and head in KEYED:
            kind = {"HyperParameters": HYPERPARAMETER, "Metrics": "number"}.get(head, "text")
            return cls(name, kind, (head, rest))
        return cls.within(structure("TrainingJob"), name, name)

    @classmethod
    def within(cls, shape: Shape, name: str, given: str) -> Self:
        """The property `name` of a shape; `given` is what the caller calls it."""
        path = tuple(name.split("."))
        found = at(shape, path)
        if found is None or (found.type_name not in KINDS and found.type_name not in NUMBERS):
            raise validation(f"{given} is not a property that TrainingJob can be searched by")
        return cls(given, KINDS.get(found.type_name, "number"), path)

    def value(self, record: Mapping[str, Any]) -> Any:
        """The record's value, or None."""
        if self.path[0] == "Tags":
            return {tag["Key"]: tag["Value"] for tag in record.get("Tags", [])}.get(self.path[1])
        return dig(record, self.path)

    def sortable(self, record: Mapping[str, Any]) -> str:
        """The value as text that sorts as the value does."""
        found = self.value(record)
        if found is None:
            return ""
        if self.kind == "timestamp":
            return f"{found.timestamp():020.6f}"
        return f"{found:020.6f}" if self.kind == "number" else str(found)

    def read(self, text: str) -> Any:
        """A filter's Value in the property's type; a value of another type is a ValidationException."""
        try:
            if self.kind == "number":
                return float(text)
            if self.kind == "timestamp":
                moment = datetime.fromisoformat(text)
                return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        except ValueError as error:
            raise validation(f"Value '{text}' is not a {self.kind}, as {self.name} is") from error
        if self.kind == "boolean":
            if text.lower() not in {"true", "false"}:
                raise validation(f"Value '{text}' is not a boolean, as {self.name} is")
            return text.lower() == "true"
        return text


def satisfied(record: Mapping[str, Any], condition: Mapping[str, Any]) -> bool:
    """Whether the record satisfies the condition."""
    return meets(record, Property.named(condition["Name"]), condition)


def meets(record: Mapping[str, Any], subject: Property, condition: Mapping[str, Any]) -> bool:
    """Whether the record's property satisfies the condition; Equals when no operator is given."""
    how, found = condition.get("Operator", "Equals"), subject.value(record)
    if how in {"Exists", "NotExists"}:
        return (found is not None) is (how == "Exists")
    if "Value" not in condition:
        raise validation(f"Operator {how} of {subject.name} needs a Value")
    _check_operator(subject, how)
    wanted = subject.read(condition["Value"])
    return found is not None and _judged(subject, how, found, wanted)


def _judged(subject: Property, how: str, found: Any, wanted: Any) -> bool:
    """An operator with a value, on a value that is there."""
    if how == "Contains":
        return wanted in found
    if how == "In":
        return found in [part.strip() for part in wanted.split(",")]
    if subject.kind == HYPERPARAMETER:
        found, wanted = _as_numbers(found, wanted, strictly=how in ORDERED)
    if how in ORDERED:
        return found is not None and ORDERED[how](found, wanted)
    return bool(found == wanted) is (how == "Equals")


def _check_operator(subject: Property, how: str) -> None:
    if how in ORDERED and subject.kind in {"text", "boolean"}:
        raise validation(f"Operator {how} is not supported for the {subject.kind} property {subject.name}")
    if how in TEXT_ONLY and subject.kind not in {"text", HYPERPARAMETER}:
        raise validation(f"Operator {how} is only supported for text properties, and {subject.name} is none")


def _as_numbers(found: str, text: str, *, strictly: bool) -> tuple[Any, Any]:
    """Hyperparameters are text that is compared as numbers, whole ones when the filter's value is whole.

    When either is no number they stay text, or (None, None) where only numbers have an order.
    """
    try:
        number, wanted = float(found), float(text)
    except ValueError:
        return (None, None) if strictly else (found, text)
    try:
        return int(number), int(text)
    except ValueError:
        return number, wanted


def dig(record: Any, path: tuple[str, ...]) -> Any:
    """The value at a path of nested members, or None."""
    for step in path:
        record = record.get(step) if isinstance(record, Mapping) else None
    return record


def at(shape: Shape | None, path: tuple[str, ...]) -> Shape | None:
    """The shape at a path of nested members, or None."""
    for step in path:
        shape = _member(shape, step)
    return shape


def _member(shape: Shape | None, name: str) -> Shape | None:
    if isinstance(shape, StructureShape):
        found: Shape | None = shape.members.get(name)
        return found
    return shape.value if isinstance(shape, MapShape) else None
