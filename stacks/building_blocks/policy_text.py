"""What CloudFormation will make of a policy document, as far as that is known before it does."""

import json
from typing import Any

LONGEST = {"AWS::AccountId": "1" * 12, "AWS::Partition": "aws", "AWS::Region": "ap-southeast-1"}
UNKNOWN = "x" * 95
"""As long as a role's ARN may be."""


def size_of(document: Any) -> int:
    """The characters of a resolved document that IAM counts, at most: what is not known yet is taken as long."""
    return len(json.dumps(_text_of(document), separators=(",", ":"), ensure_ascii=False))


def _text_of(value: Any) -> Any:
    """The value with every intrinsic function replaced by text."""
    if isinstance(value, list):
        return [_text_of(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        [(function, argument)] = value.items()
        if function == "Fn::Join":
            return argument[0].join(_text_of(part) for part in argument[1])
        if function == "Ref" or function.startswith("Fn::"):
            return LONGEST.get(argument, UNKNOWN) if isinstance(argument, str) else UNKNOWN
    return {key: _text_of(item) for key, item in value.items()}
