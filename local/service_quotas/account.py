"""Applied values and increase requests of all accounts and Regions, on the simulator's clock."""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from local.sagemaker.clock import Clock
from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope
from local.service_quotas.catalogue import Quota, by_code, by_name

OPEN = frozenset({"PENDING", "CASE_OPENED"})
STATUSES = OPEN | {"APPROVED", "DENIED", "CASE_CLOSED", "NOT_APPROVED", "INVALID_REQUEST"}
OPEN_PER_ACCOUNT = 20
OPEN_PER_OPT_IN_REGION = 2
OPT_IN = frozenset(
    {
        *("af-south-1", "ap-east-1", "ap-south-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5"),
        *("ap-southeast-7", "ca-west-1", "eu-central-2", "eu-south-1", "eu-south-2", "il-central-1"),
        *("me-central-1", "me-south-1", "mx-central-1"),
    }
)
KEPT = timedelta(days=90)


@dataclass
class Change:
    """One request for an increase (API shape RequestedServiceQuotaChange)."""

    id: str
    scope: Scope
    quota: Quota
    desired: float
    requester: str
    case_allowed: bool
    created: datetime
    updated: datetime
    status: str = "PENDING"
    case_id: str | None = None


class Quotas:
    """What every account may use; a value that was never applied is the default, and is not listed for some quotas."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._values: dict[tuple[Scope, str], list[tuple[datetime, float | None]]] = {}
        self._changes: dict[str, Change] = {}

    def applied(self, scope: Scope, name: str) -> float:
        """The value in force for the quota of that exact name; KeyError when there is no such quota."""
        quota = by_name()[name]
        value = self.value(scope, quota)
        return quota.default if value is None else value

    def value(self, scope: Scope, quota: Quota) -> float | None:
        """The applied value, or None when the account has only the default."""
        now = self.clock.now()
        past = [value for moment, value in self._values.get((scope, quota.code), []) if moment <= now]
        return past[-1] if past else (quota.default if quota.listed else None)

    def set_value(self, scope: Scope, code_or_name: str, value: float | None, after: timedelta = timedelta()) -> None:
        """Apply a value, now or after a simulated while; None leaves only the default."""
        quota = by_code().get(code_or_name) or by_name()[code_or_name]
        if value is not None and value < 0:
            raise ValueError(f"a quota is 0 or more, not {value}")
        history = self._values.setdefault((scope, quota.code), [])
        history.append((self.clock.now() + after, value))
        history.sort(key=lambda entry: entry[0])

    def request(self, scope: Scope, quota: Quota, desired: float, requester: str, *, case_allowed: bool) -> Change:
        """Open a request; refused when one is open for the quota, too many are open, or it is no increase."""
        current = self.applied(scope, quota.name)
        if desired <= current:
            raise ServiceError(
                "IllegalArgumentException", f"You must provide a quota value greater than the current value: {current}"
            )
        open_changes = [change for change in self._changes.values() if change.status in OPEN]
        own = [change for change in open_changes if change.scope == scope]
        if any(change.quota == quota for change in own):
            raise ServiceError(
                "ResourceAlreadyExistsException",
                f"Only one open service quota increase request is allowed per quota: {quota.code}",
            )
        account = [change for change in open_changes if change.scope.account == scope.account]
        if len(account) >= OPEN_PER_ACCOUNT or (scope.region in OPT_IN and len(own) >= OPEN_PER_OPT_IN_REGION):
            raise ServiceError("QuotaExceededException", "You have exceeded the number of open quota increase requests")
        now = self.clock.now()
        change = Change(uuid.uuid4().hex, scope, quota, desired, requester, case_allowed, now, now)
        self._changes[change.id] = change
        return change

    def decide(self, change_id: str, script: Mapping[str, Any]) -> Change:
        """Move a request on as AWS would: `status`, `case_id`, granted `value`, `value_after_seconds`.

        An approval grants what was asked unless `value` says otherwise; other statuses grant only a given `value`.
        """
        if unknown := set(script) - {"status", "case_id", "value", "value_after_seconds"}:
            raise ValueError(f"unknown field(s) {sorted(unknown)}")
        change = self._changes[change_id]
        status = script["status"]
        if status not in STATUSES:
            raise ValueError(f"unknown status {status}; known: {sorted(STATUSES)}")
        if status == "CASE_OPENED" and not change.case_allowed:
            status = "NOT_APPROVED"  # SupportCaseAllowed=false: no case is opened
        change.status, change.updated = status, self.clock.now()
        if status in {"CASE_OPENED", "CASE_CLOSED"}:
            change.case_id = script.get("case_id") or change.case_id or "1234567890"
        granted = script.get("value", change.desired if status == "APPROVED" else None)
        if granted is not None:
            after = timedelta(seconds=float(script.get("value_after_seconds", 0)))
            self.set_value(change.scope, change.quota.code, float(granted), after)
        return change

    def find(self, scope: Scope, change_id: str) -> Change | None:
        """The request of that identifier, if the scope has it."""
        return next((change for change in self.history(scope) if change.id == change_id), None)

    def history(self, scope: Scope) -> Iterator[Change]:
        """Requests of the scope, newest first: open ones and those closed within 90 days."""
        since = self.clock.now() - KEPT
        for change in reversed(self._changes.values()):
            if change.scope == scope and (change.status in OPEN or change.updated >= since):
                yield change

    def everything(self) -> list[Change]:
        """Every request of every account, oldest first."""
        return list(self._changes.values())
