"""Requests and responses checked against botocore's own model of SageMaker, so that the simulator cannot drift.

botocore checks types, required members and minima; enumerations, patterns and maxima are checked here, because
the service refuses them although the client library lets them pass.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session
from botocore.model import ListShape, MapShape, OperationModel, ServiceModel, Shape, StructureShape
from botocore.validate import ParamValidator

from local.sagemaker.errors import constraint, validation

JAVA_CLASSES = (
    (r"\p{Alnum}", "a-zA-Z0-9"),
    (r"\p{L}", r"\w"),
    (r"\p{N}", r"\d"),
    (r"\p{Z}", r"\s"),
    (r"\p{M}", ""),
)


@cache
def service_model() -> ServiceModel:
    """The model that boto3 itself uses; read once."""
    return botocore.session.get_session().get_service_model("sagemaker")


@cache
def partition_of(region: str) -> str:
    """`aws`, `aws-cn` or `aws-us-gov` for a Region."""
    return str(botocore.session.get_session().get_partition_for_region(region))


@cache
def operation(name: str) -> OperationModel:
    """The model of one operation."""
    return service_model().operation_model(name)


@cache
def structure(name: str) -> StructureShape:
    """A structure of the model by its name."""
    shape = service_model().shape_for(name)
    if not isinstance(shape, StructureShape):
        raise TypeError(f"{name} is a {shape.type_name}")
    return shape


def check_request(name: str, request: dict[str, Any]) -> None:
    """Refuse, as the service does, a request that its model does not allow."""
    shape = operation(name).input_shape
    if shape is None:
        return
    report = ParamValidator().validate(request, shape)
    if report.has_errors():
        raise validation(f"1 validation error detected: {report.generate_report()}")
    for value, path, rule in broken_constraints(request, shape):
        raise constraint(value, path, rule)


def check_response(name: str, response: dict[str, Any]) -> None:
    """Fail loudly (AssertionError) when the simulator answers something that AWS never would."""
    shape = operation(name).output_shape
    if shape is None:
        return
    report = ParamValidator().validate(response, shape)
    if report.has_errors():
        raise AssertionError(f"{name}: {report.generate_report()}")
    if broken := next(broken_constraints(response, shape), None):
        raise AssertionError(f"{name}: {broken}")


def broken_constraints(value: Any, shape: Shape, path: str = "") -> Iterator[tuple[Any, str, str]]:
    """Every (value, path, rule) outside an enumeration, pattern or maximum of the model."""
    yield from _own_constraints(value, shape, path)
    for name, inner, inner_shape in _parts(value, shape):
        yield from broken_constraints(inner, inner_shape, f"{path}.{name}".lstrip("."))


def _parts(value: Any, shape: Shape) -> Iterator[tuple[str, Any, Shape]]:
    """The named parts of a structure, list or map; nothing for a plain value."""
    if isinstance(shape, StructureShape):
        for member, inner in value.items():
            if member in shape.members:
                yield member[0].lower() + member[1:], inner, shape.members[member]
    elif isinstance(shape, ListShape):
        for number, inner in enumerate(value, start=1):
            yield f"{number}.member", inner, shape.member
    elif isinstance(shape, MapShape):
        for key, inner in value.items():
            yield f"{key}.key", key, shape.key
            yield f"{key}.member", inner, shape.value


def _own_constraints(value: Any, shape: Shape, path: str) -> Iterator[tuple[Any, str, str]]:
    if shape.type_name == "string":
        yield from _broken_string(value, shape, path)
    elif shape.type_name in {"list", "map"}:
        yield from _too_large(len(value), value, shape, path, "have length")
    elif shape.type_name in {"integer", "long", "float", "double"}:
        yield from _too_large(value, value, shape, path, "have value")


def _broken_string(value: str, shape: Shape, path: str) -> Iterator[tuple[Any, str, str]]:
    allowed = shape.metadata.get("enum")
    if allowed and value not in allowed:
        yield value, path, f"satisfy enum value set: [{', '.join(allowed)}]"
    yield from _too_large(len(value), value, shape, path, "have length")
    pattern = shape.metadata.get("pattern")
    if pattern and not _compiled(pattern).fullmatch(value):
        yield value, path, f"satisfy regular expression pattern: {pattern}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The model's patterns are Java's: letters, digits and separators of Unicode are written otherwise here."""
    for java, python in JAVA_CLASSES:
        pattern = pattern.replace(java, python)
    return re.compile(pattern)


def _too_large(size: float, value: Any, shape: Shape, path: str, what: str) -> Iterator[tuple[Any, str, str]]:
    maximum = shape.metadata.get("max")
    if maximum is not None and size > maximum:
        yield value, path, f"{what} less than or equal to {maximum}"
