"""Every authorisation decision of the local AWS, kept so that tests can hold policies against real calls."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Authorisation:
    """One evaluated call: who, what, on which resource, and `Allow`, `Deny`, `ImplicitDeny` or an error code.

    `principal` is the ARN of a role (not of its session), a user or the root; `role` is the role's name or "".
    """

    principal: str
    role: str
    action: str
    resource: str
    decision: str


class Authorisations:
    """The record; equal calls are counted, not repeated, so that it stays small."""

    def __init__(self) -> None:
        self._counts: Counter[Authorisation] = Counter()

    def note(self, caller_arn: str, action: str, resource: str, decision: str) -> None:
        """Add one decision for the caller of that ARN."""
        principal, role = principal_of(caller_arn)
        self._counts[Authorisation(principal, role, action, resource, decision)] += 1

    def listed(self, principal: str | None = None) -> list[dict[str, Any]]:
        """All decisions, oldest first, with their `count`; `principal` is a role's name or a full ARN."""
        return [
            {**asdict(entry), "count": count}
            for entry, count in self._counts.items()
            if principal is None or principal in {entry.principal, entry.role}
        ]

    def clear(self) -> None:
        """Forget everything."""
        self._counts.clear()


def principal_of(caller_arn: str) -> tuple[str, str]:
    """The principal whose policies were evaluated, and the role's name, for a caller's ARN."""
    _, separator, session = caller_arn.partition(":assumed-role/")
    if not separator:
        return caller_arn or "anonymous", ""
    role = session.split("/")[0]
    partition, account = caller_arn.split(":")[1], caller_arn.split(":")[4]
    return f"arn:{partition}:iam::{account}:role/{role}", role
