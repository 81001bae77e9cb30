"""A log line as the record that Logs Insights queries: system fields, and the fields that it discovers in JSON.

Source: CloudWatch Logs user guide, "Supported logs and discovered fields": nested names are joined by a dot, members of
an array are numbered from 0.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

Scalar = str | float | None
Record = Mapping[str, Scalar]


def record_of(message: str, at: float, group: str, stream: str) -> Record:
    """The record of a line that was written at a moment in seconds since the epoch."""
    system: dict[str, Scalar] = {"@timestamp": at, "@message": message, "@log": group, "@logStream": stream}
    try:
        document = json.loads(message) if message.lstrip().startswith("{") else {}
    except ValueError:
        document = {}
    return {**dict(_fields("", document)), **system}


def _fields(name: str, value: object) -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _fields(f"{name}.{key}" if name else str(key), member)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _fields(f"{name}.{index}", member)
    elif isinstance(value, bool):
        yield name, "1" if value else "0"
    elif value is not None:
        yield name, float(value) if isinstance(value, int | float) else str(value)


def shown(name: str, value: Scalar) -> str:
    """A value as a result holds it; moments as Logs Insights writes them."""
    if name.endswith("@timestamp") and isinstance(value, float):
        return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    return f"{value:.12g}" if isinstance(value, float) else value or ""
