"""The part of the control client that steers the account: limits, quotas, faults of event delivery, API-call events."""

from abc import ABC, abstractmethod
from typing import Any


class AccountControl(ABC):
    """Inherited by `local.control.Control`, which has the connection."""

    @abstractmethod
    def _call(
        self, method: str, route: str, body: dict[str, Any] | None = None, query: dict[str, str] | None = None
    ) -> Any:
        """Send one request to a `/_local/` route; its JSON answer."""

    def limits(self) -> dict[str, Any]:
        """`on`, `burst` and `operations`: account, region, service, operation, allowed, throttled, peak_per_second."""
        return dict(self._call("GET", "limits"))

    def set_limits(self, *, on: bool, burst: float | None = None) -> None:
        """Enforce the accounts' request rates or not; `burst` is a bucket's size in seconds' worth of calls."""
        self._call("PUT", "limits", {"on": on} | ({} if burst is None else {"burst": burst}))

    def clear_limits(self) -> None:
        """Forget the counters of `limits`."""
        self._call("DELETE", "limits")
