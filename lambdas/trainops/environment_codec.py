"""A frozen dataclass as a function's environment variables, and back.

Values are written as text: strings as they are, `timedelta` in seconds, everything else as JSON; an absent optional
value is not written.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from decimal import Decimal
from types import NoneType
from typing import Any, Self, get_args, get_origin, get_type_hints

MAX_BYTES = 4096
"""Lambda refuses more than 4 KB of environment variables in total (Lambda quotas)."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Reads and writes a function's variables; one field is one variable, in upper case."""

    def to_env(self) -> dict[str, str]:
        """The variables for the function. Raises ValueError above Lambda's 4 KB."""
        env = {
            field.name.upper(): _write(value)
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }
        size = sum(len(name) + len(text.encode()) for name, text in env.items())
        if size > MAX_BYTES:
            largest = max(env, key=lambda name: len(env[name]))
            raise ValueError(
                f"{type(self).__name__}: {size} bytes of environment, Lambda takes {MAX_BYTES}; "
                f"the largest is {largest} ({len(env[largest])} bytes)"
            )
        return env

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """The values a function was deployed with. Raises ValueError naming each faulty variable."""
        values: dict[str, Any] = {}
        faults: list[str] = []
        for name, kind in get_type_hints(cls).items():
            variable = name.upper()
            optional = NoneType in get_args(kind)
            if not env.get(variable) and optional:
                values[name] = None
            elif variable not in env:
                faults.append(f"{variable} is missing")
            else:
                try:
                    values[name] = _read(env[variable], kind)
                except (ValueError, ArithmeticError) as error:
                    faults.append(f"{variable}: {error}")
        if faults:
            raise ValueError(f"{cls.__name__}: " + "; ".join(faults))
        return cls(**values)


def _write(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, timedelta):
        return f"{value.total_seconds():g}"
    return json.dumps(value, default=str, sort_keys=True, separators=(",", ":"))


def _read(text: str, kind: Any) -> Any:
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
