"""Requests as people keep them in files: JSON or YAML, one, a list of them, or several YAML documents."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml


class UnreadableFile(ValueError):
    """What is in the file is no request; says where and why in one line."""


def requests_in(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each request with where it is: the file, and its number when there are several. Raises UnreadableFile."""
    try:
        documents = _documents(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UnreadableFile(f"{path}: {' '.join(str(error).split())}") from error
    found = [item for document in documents for item in (document if isinstance(document, list) else [document])]
    for number, request in enumerate(found, start=1):
        place = str(path) if len(found) == 1 else f"{path} #{number}"
        if not isinstance(request, dict):
            raise UnreadableFile(f"{place}: expected the members of a CreateTrainingJob request")
        yield place, request
    if not found:
        raise UnreadableFile(f"{path}: holds no request")


def _documents(text: str) -> list[Any]:
    """JSON first: indented with tabs it is no YAML. What is neither is reported as YAML would."""
    try:
        return [json.loads(text)]
    except ValueError:
        return list(yaml.safe_load_all(text))
