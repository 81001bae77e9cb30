"""Reads a settings file, or says everything that is wrong with it at once, in the words of the person who wrote it."""

from collections.abc import Hashable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from stacks.settings import Settings, fields_at

_ACCEPTED = {
    ("name",): "2 to 32 lower-case letters, digits and hyphens, a letter first",
    ("region",): "a Region such as eu-central-1",
    ("account",): 'twelve digits in quotes, such as "123456789012"',
    ("notifications", "slack", "secret_name"): "the name of a secret in Secrets Manager (letters, digits and /_+=.@-)",
    ("notifications", "email", "sender"): "one e-mail address",
    ("limits", "describe_per_second"): "a number from 1 to 5, which is the account's limit and not adjustable",
    ("alarms", "idle_usd_per_day"): "US dollars a day above 0",
    ("alarms", "spot_savings_percent"): "percent from 1 to 99",
    ("alarms", "spot_savings_after_instance_hours"): "a number of instance-hours above 0",
    ("metrics", "monthly_budget_usd"): "US dollars a month above 0",
    ("prices",): "US dollars per instance-hour above 0, under an instance type such as ml.g5.xlarge",
}
_MAPPINGS = {"model_type", "dict_type", "model_attributes_type"}
_EXPECTED = {
    "bool_type": "true or false",
    "tuple_type": "a list",
    "too_short": "at least one entry",
    "too_long": "at most {max_length} entries",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} character",
}


class SettingsError(Exception):
    """The settings file cannot be used; the text says all there is to repair."""


class _Loader(yaml.SafeLoader):
    """YAML in which a key that is written twice is an error: otherwise the second silently wins."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: dict[str, int] = {}
        for key_node, _ in node.value:
            line = key_node.start_mark.line + 1
            if (key := str(key_node.value)) in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} is already given in line {seen[key]}", key_node.start_mark
                )
            seen[key] = line
        return super().construct_mapping(node, deep)


def load_settings(path: Path) -> Settings:
    """The settings in a file. Raises SettingsError, naming each fault's key, what was given and what is accepted."""
    try:
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - a SafeLoader
    except FileNotFoundError as error:
        raise SettingsError(f"{path}: no such file; name another with TRAINOPS_CONFIG or cdk -c config=…") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise SettingsError(f"{path}: {_syntax(error)}") from error
    if document is None:
        return Settings()
    if not isinstance(document, dict):
        raise SettingsError(f"{path}: holds {_shown(document)}; a settings file is a mapping, such as `name: trainops`")
    try:
        return Settings.model_validate(document)
    except ValidationError as error:
        faults = [_fault(details) for details in error.errors(include_url=False)]
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        raise SettingsError("\n  ".join([f"{path}: {count}", *faults])) from error


def _syntax(error: yaml.YAMLError) -> str:
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return f"not YAML: {error}"
    mark = error.problem_mark
    return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"


def _fault(details: ErrorDetails) -> str:
    path = tuple(part for part in details["loc"] if part != "[key]")
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    if details["type"] == "extra_forbidden":
        return f"{where}: unknown key; {_near(str(path[-1]), fields_at(path[:-1]))}"
    given = _shown(details["input"])
    accepted = _accepted(details, path)
    hint = ""
    if details["type"] == "literal_error" and isinstance(details["input"], str):
        hint = _meant(
            details["input"], str(details["ctx"]["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        )
    return f"{where}: given {given}; accepted: {accepted}{hint}"


def _accepted(details: ErrorDetails, path: tuple[int | str, ...]) -> str:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "refused":
        return details["msg"]
    if kind in _MAPPINGS:
        keys = fields_at(path)
        return f"a mapping with {', '.join(keys)}" if keys else "a mapping"
    if kind == "literal_error":
        return str(context["expected"]).replace("'", "")
    if kind in _EXPECTED:
        return _EXPECTED[kind].format(**context)
    for length in range(len(path), 0, -1):
        if known := _ACCEPTED.get(tuple(str(part) for part in path[:length])):
            return known
    return "an e-mail address" if "pattern" in context else details["msg"]


def _near(key: str, keys: list[str]) -> str:
    return f"accepted here: {', '.join(keys)}{_meant(key, keys)}"


def _meant(given: str, choices: list[str]) -> str:
    folded = {choice.lower(): choice for choice in choices}
    match = get_close_matches(given.lower(), folded, n=1, cutoff=0.6)
    return f" (did you mean {folded[match[0]]}?)" if match else ""


def _shown(value: object) -> str:
    kinds = {bool: "a flag", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        text = ", ".join(str(item) for item in value)
        return f"{kinds[type(value)]} ({text[:57] + '…' if len(text) > 60 else text})"
    if isinstance(value, str):
        # A webhook's address is a secret, and this text ends up in build logs.
        return f'"{value.partition("://")[0]}://…" (an address)' if "://" in value else f'"{value}" (text)'
    return f"{str(value).lower()} ({kinds.get(type(value), type(value).__name__)})"
