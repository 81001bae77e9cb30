"""Loads a story, or says everything that is wrong with it: file, line, field, what was given and what is accepted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from local.stories import consistency
from local.stories.format import Story
from local.stories.source import Source, Where, read
from local.stories.steps import Step, in_order

ACCEPTED = {
    "bool_parsing": "on or off",
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number, {ge} or more",
    "less_than_equal": "a number, {le} or less",
    "tuple_type": "a list such as [one, two]",
    "dict_type": "a mapping",
    "string_type": "text",
    "string_pattern_mismatch": "text that matches {pattern}",
}


@dataclass(frozen=True)
class Loaded:
    """A story that can be played, with its steps in the order of their time."""

    source: Source
    story: Story
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.source.file.stem


def load(file: Path) -> Loaded:
    """Read a story; StoryError names every fault of its form, or else every contradiction in its content."""
    source = read(file)
    try:
        story = Story.model_validate(source.document)
    except ValidationError as error:
        source.refuse((details["loc"], _fault(source, details)) for details in error.errors(include_url=False))
        raise AssertionError("a validation error without a fault") from error
    steps = in_order(story)
    source.refuse(consistency.faults(story, steps))
    return Loaded(source, story, steps)


def _fault(source: Source, details: ErrorDetails) -> str:
    kind, where = details["type"], details["loc"]
    place = source.known(where)
    if kind == "extra_forbidden":
        return f"unknown key; {_near(str(where[-1]), fields_at(place[:-1]))}"
    if kind == "missing":
        return f"needs `{where[-1]}`"
    if kind == "said":
        return details["msg"]
    return f"given {_shown(source.value(place))}; accepted: {_accepted(details, place)}"


def _accepted(details: ErrorDetails, place: Where) -> str:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "model_type":
        return f"a mapping with {', '.join(fields_at(place))}"
    if kind == "literal_error":
        choices = str(context["expected"]).replace("'", "")
        return choices + _meant(str(details["input"]), choices.replace(" or ", ", ").split(", "))
    return ACCEPTED[kind].format(**context) if kind in ACCEPTED else details["msg"]


def fields_at(place: Sequence[str | int]) -> list[str]:
    """The keys that are accepted at a place of a story; numbers of entries and free keys lead no deeper."""
    models: list[type[BaseModel]] = [Story]
    for step in place:
        found = [model.model_fields[name] for model in models if (name := _by_key(model).get(str(step)))]
        if found:
            models = [inner for field in found for inner in _models(field.annotation)]
    return [key for model in models for key in _by_key(model)]


def _by_key(model: type[BaseModel]) -> dict[str, str]:
    """The names of a model's fields by the keys they are written with."""
    return {str(field.alias or name): name for name, field in model.model_fields.items()}


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


def _near(key: str, keys: list[str]) -> str:
    return f"accepted here: {', '.join(keys)}{_meant(key, keys)}"


def _meant(given: str, choices: list[str]) -> str:
    match = get_close_matches(given, choices, n=1, cutoff=0.6)
    return f" (did you mean {match[0]}?)" if match else ""


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"' if value else "nothing"
    return "a mapping" if isinstance(value, dict) else "a list"
