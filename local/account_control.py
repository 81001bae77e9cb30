"""The part of the control client that steers the account: limits, quotas, faults of event delivery, API-call events."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypedDict, Unpack
from urllib.parse import quote


class FaultFields(TypedDict, total=False):
    """The fields of local/event_faults.py: chances from 0 to 1, and simulated seconds."""

    seed: int
    loss: float
    duplicates: float
    shuffle_window: float
    delay_seconds: float


class AccountControl(ABC):
    """Inherited by `local.control.Control`, which has the connection."""

    @abstractmethod
    def _call(
        self, method: str, route: str, body: dict[str, Any] | None = None, query: dict[str, str] | None = None
    ) -> Any:
        """Send one request to a `/_local/` route; its JSON answer."""

    def limits(self) -> dict[str, Any]:
        """`on`, `root_spared`, `burst` and `operations`.

        Of each operation: account, region, service, operation, allowed, throttled, peak_per_second.
        """
        return dict(self._call("GET", "limits"))

    @contextmanager
    def users_unthrottled(self) -> Iterator[None]:
        """Within it, what `Laptop.client` calls is neither limited nor counted: it signs as the account's root.

        For users who create or watch more jobs at once than an account may. Functions have roles and stay limited.
        """
        self._call("PUT", "limits", {"root_spared": True})
        try:
            yield
        finally:
            self._call("PUT", "limits", {"root_spared": False})

    def set_limits(self, *, on: bool, burst: float | None = None) -> None:
        """Enforce the request rates (the default) or not; `burst` is a bucket's size in seconds' worth of calls."""
        self._call("PUT", "limits", {"on": on} | ({} if burst is None else {"burst": burst}))

    def clear_limits(self) -> None:
        """Forget the counters of `limits`."""
        self._call("DELETE", "limits")

    def fail(self, operation: str, code: str, *, times: int = 1, after: int = 0, status: int = 400) -> None:
        """Refuse the next calls of a SageMaker, Service Quotas or Price List operation, once `after` have passed.

        Clients retry throttling and HTTP status 500 and above by themselves: `times` must exceed their attempts.
        """
        script = {"operation": operation, "code": code, "times": times, "after": after, "status": status}
        self._call("PUT", "failures", script)

    def failures(self) -> list[dict[str, Any]]:
        """The scripts of `fail` that have not happened yet, with what is left of `times` and `after`."""
        return list(self._call("GET", "failures"))

    def clear_failures(self) -> None:
        """Let every call through again."""
        self._call("DELETE", "failures")

    def set_quota(
        self, quota: str, value: float | None, *, account: str = "000000000000", region: str = "us-east-1"
    ) -> None:
        """Apply a value to the SageMaker quota of that code or exact name; None leaves only AWS' default."""
        self._call("PUT", "quotas/values", {"quota": quota, "value": value, "account": account, "region": region})

    def enforce_quotas(self, *, on: bool) -> None:
        """Let quotas bind training jobs and warm pools, as in a real account (the default), or not."""
        self._call("PUT", "quotas/enforcement", {"on": on})

    def quotas_enforced(self) -> bool:
        """Whether instance quotas bind training jobs and warm pools."""
        return bool(self._call("GET", "quotas/enforcement")["on"])

    def quota_requests(self) -> list[dict[str, Any]]:
        """Every increase request so far as RequestedServiceQuotaChange, with `Account` and `Region`."""
        return list(self._call("GET", "quotas/requests"))

    def decide_quota(
        self,
        request_id: str,
        status: str,
        *,
        value: float | None = None,
        value_after_seconds: float = 0,
        case_id: str | None = None,
    ) -> dict[str, Any]:
        """Move an increase request to a status; `value` is what is granted (an approval grants what was asked).

        The value is in force only after `value_after_seconds` of simulated time.
        """
        script = {"status": status, "value_after_seconds": value_after_seconds}
        chosen = {"value": value, "case_id": case_id}
        script |= {name: given for name, given in chosen.items() if given is not None}
        return dict(self._call("PUT", f"quotas/requests/{quote(request_id, safe='')}", script))

    def set_event_faults(self, **faults: Unpack[FaultFields]) -> None:
        """Lose, repeat, reorder or delay the simulator's events from now on; without fields all is well again."""
        self._call("PUT", "sagemaker/faults", dict(faults))

    def event_faults(self) -> dict[str, Any]:
        """The faults in force and, since they were set: `genuine`, `lost`, `duplicated`, `delivered`, `waiting`."""
        return dict(self._call("GET", "sagemaker/faults"))

    def set_api_call_events(self, *, on: bool) -> None:
        """Publish "AWS API Call via CloudTrail" for Create-, Update- and StopTrainingJob, as a trail would."""
        self._call("PUT", "sagemaker/api-calls", {"on": on})

    def api_call_events(self) -> list[dict[str, Any]]:
        """Every such event so far as a PutEvents entry, with `Account` and `Region`."""
        return list(self._call("GET", "sagemaker/api-calls"))
