"""NestedFilters of a Search expression: one object of a list must satisfy all conditions (shape NestedFilters).

The API model's example is InputDataConfig with a channel's name and S3 URI; any list of objects that a TrainingJob
record holds is accepted alike. Conditions name their property in full, from the list on.
"""

from collections.abc import Mapping
from typing import Any

from botocore.model import ListShape, Shape, StructureShape

from local.sagemaker.errors import validation
from local.sagemaker.filters import Property, at, dig, meets
from local.sagemaker.model import structure

Condition = tuple[Property, Mapping[str, Any]]


def check_nested(nested: Mapping[str, Any]) -> None:
    """Refuse a wrong list, property, operator or value, also when no record is there."""
    for subject, condition in _conditions(nested):
        meets({}, subject, condition)


def nested_satisfied(record: Mapping[str, Any], nested: Mapping[str, Any]) -> bool:
    """Whether a single object of the record's list satisfies every condition; an absent list has none."""
    objects = dig(record, tuple(nested["NestedPropertyName"].split("."))) or []
    conditions = _conditions(nested)
    return any(all(meets(one, subject, condition) for subject, condition in conditions) for one in objects)


def _conditions(nested: Mapping[str, Any]) -> list[Condition]:
    """Each condition with its property within the objects of the list."""
    name, found = nested["NestedPropertyName"], list[Condition]()
    element = _element(name)
    for condition in nested["Filters"]:
        inner = condition["Name"].removeprefix(f"{name}.")
        if inner == condition["Name"]:
            raise validation(f"{inner} is no property of {name}, which the nested filter is about")
        found.append((Property.within(element, inner, condition["Name"]), condition))
    return found


def _element(name: str) -> Shape:
    """The shape of the objects in the list of that name."""
    found = at(structure("TrainingJob"), tuple(name.split(".")))
    if not isinstance(found, ListShape) or not isinstance(found.member, StructureShape):
        raise validation(f"{name} is not a list of objects that TrainingJob can be searched by")
    return found.member
