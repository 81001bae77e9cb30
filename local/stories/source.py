"""A YAML file as plain text values with the line of each, and errors that name file, line and field."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Where = tuple[str | int, ...]
MERGE = "<<"


class StoryError(Exception):
    """A story cannot be used; the text says all there is to repair, a line for each fault."""


@dataclass(frozen=True)
class Source:
    """A file's content. All scalars are text, so that `on`, `10:30` and `1` mean what the format says they mean."""

    file: Path
    document: Any
    lines: dict[Where, int]

    def known(self, where: Sequence[str | int]) -> Where:
        """The part of a place that is written in the file; other steps are left out."""
        place: Where = ()
        for step in where:
            if (*place, step) in self.lines:
                place = (*place, step)
        return place

    def at(self, where: Sequence[str | int], fault: str) -> str:
        """`file:line: field: fault`."""
        place = self.known(where)
        field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")
        return f"{self.file}:{self.lines[place]}: {field + ': ' if field else ''}{fault}"

    def refuse(self, faults: Iterable[tuple[Sequence[str | int], str]]) -> None:
        """StoryError unless there are no faults; what is merged into several places is told once."""
        told: dict[tuple[int, str], str] = {}
        for where, fault in faults:
            told.setdefault((self.lines[self.known(where)], fault), self.at(where, fault))
        if told:
            raise StoryError("\n".join(told.values()))

    def value(self, where: Where) -> Any:
        """What is written at a place."""
        found = self.document
        for step in where:
            found = found[step]
        return found


def read(file: Path) -> Source:
    """Parse a file; StoryError when it cannot be read, is not YAML, or gives a key twice."""
    try:
        node = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError) as error:
        raise StoryError(f"{file}: cannot be read: {error}") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise StoryError(f"{file}:{line}: not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise StoryError(f"{file}: not YAML: {error}") from error
    source = Source(file, None, {(): 1})
    return Source(file, "" if node is None else _value(source, node, ()), source.lines)


def _value(source: Source, node: yaml.Node, place: Where) -> Any:
    if isinstance(node, yaml.MappingNode):
        return _mapping(source, node, place)
    if isinstance(node, yaml.SequenceNode):
        return [_part(source, item, item, (*place, number)) for number, item in enumerate(node.value)]
    return node.value


def _mapping(source: Source, node: yaml.MappingNode, place: Where) -> dict[str, Any]:
    """Keys of a merged mapping (`<<: *anchor`) first, with the lines of their origin; own keys replace them."""
    own = [(str(key.value), key, value) for key, value in node.value if key.value != MERGE]
    found: dict[str, Any] = {}
    for key, value in node.value:
        if key.value == MERGE:
            found |= _value(source, value, place)
    given: dict[str, int] = {}
    for name, key, value in own:
        found[name] = _part(source, key, value, (*place, name))
        if name in given:
            raise StoryError(source.at((*place, name), f"this key is already given in line {given[name]}"))
        given[name] = source.lines[*place, name]
    return found


def _part(source: Source, mark: yaml.Node, node: yaml.Node, place: Where) -> Any:
    source.lines[place] = mark.start_mark.line + 1
    return _value(source, node, place)
