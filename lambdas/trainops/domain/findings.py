"""What a rule has to say about a request, before anything is called.

An error is what SageMaker or the team's permissions refuse, or what cannot do what it says; a warning is accepted and
surprises people later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: which rule, where (`StoppingCondition.MaxWaitTimeInSeconds`), which value (None when there is none),
    what is wrong with it and what to do.
    """

    rule: str
    severity: Severity
    path: str
    value: Any
    problem: str
    remedy: str

    def __str__(self) -> str:
        given = "" if self.value is None else f" = {self.value!r}"
        return f"{self.severity}: {self.path}{given}: {self.problem} {self.remedy} [{self.rule}]"


def errors(findings: Iterable[Finding]) -> list[Finding]:
    """Those that would be refused."""
    return [finding for finding in findings if finding.severity == "error"]
