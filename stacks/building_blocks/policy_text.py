"""The text of a resolved policy document, in which CloudFormation's functions are still to be filled in."""

import json
from collections.abc import Callable
from typing import Any

LONGEST = {"AWS::AccountId": "1" * 12, "AWS::Partition": "aws", "AWS::Region": "ap-southeast-1"}
UNKNOWN = "x" * 95
"""As long as a role's ARN may be."""


def size_of(document: Any) -> int:
    """The characters that IAM counts, at most: what is not known yet is taken as long."""
    text = text_of(document, lambda argument: LONGEST.get(str(argument), UNKNOWN))
    return len(json.dumps(text, separators=(",", ":"), ensure_ascii=False))


def readable(value: Any) -> Any:
    """References by name, as cdk-nag writes them: `<AWS::Region>`, `<Ledger1234ABCD.Arn>`; an import is its export."""
    return text_of(value, lambda argument: f"<{'.'.join(argument) if isinstance(argument, list) else argument}>")


def text_of(value: Any, name: Callable[[Any], str]) -> Any:
    """The value with its functions replaced: joined text, and of a reference what `name` makes of its argument."""
    if isinstance(value, list):
        return [text_of(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        [(function, argument)] = value.items()
        if function == "Fn::Join":
            return argument[0].join(text_of(part, name) for part in argument[1])
        if function == "Fn::ImportValue":
            return name(argument).strip("<>")
        if function in {"Ref", "Fn::GetAtt"}:
            return name(argument)
    return {key: text_of(item, name) for key, item in value.items()}
