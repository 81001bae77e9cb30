"""Values of environment variables: strings as they are, `timedelta` in seconds, everything else as JSON."""

import json
from datetime import timedelta
from decimal import Decimal
from types import NoneType
from typing import Any, get_args, get_origin


def as_text(value: object) -> str:
    """The value as a variable holds it."""
    if isinstance(value, str):
        return value
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g}"
    return json.dumps(value, default=str, sort_keys=True, separators=(",", ":"))


def from_text(text: str, kind: Any) -> Any:
    """The value of a type that `as_text` wrote. Raises ValueError or ArithmeticError when it is not one."""
    kind = next((part for part in get_args(kind) if part is not NoneType), kind) if NoneType in get_args(kind) else kind
    if kind is str:
        return text
    if kind is timedelta:
        return timedelta(seconds=float(text))
    value = json.loads(text)
    if get_origin(kind) is tuple:
        return tuple(value)
    if get_args(kind) == (str, Decimal):
        return {key: Decimal(item) for key, item in value.items()}
    return value
