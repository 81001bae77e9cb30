"""Frozen dataclasses to maps that DynamoDB stores, and back: ISO-8601 times, durations in seconds, no unknowns.

Amounts may come back as text, from maps that were kept as JSON.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, TypeVar

from dacite import Config, from_dict

Record = TypeVar("Record")

_CONFIG = Config(
    type_hooks={
        datetime: datetime.fromisoformat,
        timedelta: lambda seconds: timedelta(seconds=int(seconds)),
        int: int,
        Decimal: lambda value: Decimal(str(value)),
    },
    cast=[Enum, tuple],
)


def to_map(value: Any) -> Any:
    """The value as DynamoDB's serializer takes it. None is left out of maps, so that absent means unknown."""
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_map(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [to_map(item) for item in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, timedelta):
        return Decimal(int(value.total_seconds()))
    return value.value if isinstance(value, Enum) else value


def from_map(kind: type[Record], stored: Mapping[str, Any]) -> Record:
    """The dataclass that `to_map` wrote. Raises dacite.DaciteError when the map does not fit."""
    return from_dict(kind, dict(stored), _CONFIG)
