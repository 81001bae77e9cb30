"""Failures of single API calls by script: the next calls of an operation are refused with a code of your choice.

For what no limit or plan brings about: an update that is throttled once, a listing that breaks off between two pages,
a service that is down for a moment. A refused call reaches nothing: it is neither authorised nor validated.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from local.api_model import model
from local.sagemaker.errors import ServiceError
from local.services import Service

Json = dict[str, Any]
C = TypeVar("C")
SERVICES = ("sagemaker", "service-quotas", "pricing")


@dataclass
class Script:
    """Let `after` calls of the operation through, then refuse `times` of them with `code` and HTTP `status`."""

    operation: str
    code: str
    times: int = 1
    after: int = 0
    status: int = 400

    def __post_init__(self) -> None:
        if not any(self.operation in model(service).operation_names for service in SERVICES):
            raise ValueError(f"{self.operation} is no operation of {', '.join(SERVICES)}")
        if self.times < 1 or self.after < 0:
            raise ValueError(f"times must be 1 or more and after 0 or more, not {self.times} and {self.after}")
        if not 400 <= self.status < 600:
            raise ValueError(f"status must be that of an error, 400 to 599, not {self.status}")


class ScriptedFailures:
    """The scripts of all operations; several for the same one follow each other."""

    def __init__(self) -> None:
        self._scripts: dict[str, deque[Script]] = {}

    def add(self, body: Mapping[str, Any]) -> list[Json]:
        """Take up a script; an unknown field, operation or number is a ValueError. Answers like `left`."""
        if unknown := set(body) - {field.name for field in fields(Script)}:
            raise ValueError(f"unknown field(s) {sorted(unknown)}")
        script = Script(**body)
        self._scripts.setdefault(script.operation, deque()).append(script)
        return self.left()

    def left(self) -> list[Json]:
        """What has not happened yet."""
        return [asdict(script) for scripts in self._scripts.values() for script in scripts]

    def clear(self) -> None:
        """Forget every script."""
        self._scripts.clear()

    def check(self, operation: str) -> None:
        """Count a call of the operation; raises the ServiceError that it was scripted to meet."""
        scripts = self._scripts.get(operation)
        if not scripts:
            return
        script = scripts[0]
        if script.after:
            script.after -= 1
            return
        script.times -= 1
        if not script.times:
            scripts.popleft()
        raise ServiceError(script.code, f"{operation} was told to fail", script.status)

    def routes(self) -> dict[tuple[str, str], Callable[..., Any]]:
        """The `/_local/failures` routes."""
        return {
            ("GET", "failures"): lambda _body, _query: self.left(),
            ("PUT", "failures"): lambda body, _query: self.add(body),
            ("DELETE", "failures"): lambda _body, _query: self.clear(),
        }


@dataclass(frozen=True)
class Failing(Service[C]):
    """A service whose calls fail when they are scripted to."""

    service: Service[C]
    failures: ScriptedFailures

    def call(self, operation: str, caller: C, request: Json) -> Json:
        """Run one operation unless it was told to fail."""
        self.failures.check(operation)
        return self.service.call(operation, caller, request)
