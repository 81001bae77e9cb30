"""Typed client of the server's `/_local/` routes: scripts jobs, moves time, reads what was authorised and sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypedDict, Unpack
from urllib.parse import quote

import httpx

from local.account_control import AccountControl


class PlanFields(TypedDict, total=False):
    """The fields of a plan (see local/sagemaker/plans.py); durations are simulated seconds.

    `failure` with `exit_code` names a kind of failure (see local/sagemaker/failures.py) that fills other fields.
    """

    outcome: str
    failure_reason: str
    fails_in: str
    interruptions: int
    starting_seconds: float
    downloading_seconds: float
    training_seconds: float
    uploading_seconds: float
    interrupted_seconds: float
    stopping_seconds: float
    billable_seconds: int
    keep_pool: bool
    pool_patched_after_seconds: float
    pool_ends_after_seconds: float
    failure: str
    exit_code: int
    internal_errors: int
    capacity_wait_seconds: float
    interruptions_per_hour: float
    spot_wait_mean_seconds: float
    warm_starting_seconds: float
    startup: str
    seed: int
    objective: float


class SwitchFields(TypedDict, total=False):
    """The unverified behaviours of SageMaker (see local/sagemaker/switches.py for what each stands for)."""

    keep_alive_update_counts_from: str
    keep_alive_cap: int
    pool_pick: str
    pool_available_lag_seconds: float
    subnet_order_matters: bool
    update_in_use_pool: bool
    transitions_emit: str
    interrupted_emits: bool
    events_fill_tags: bool
    event_tags: str
    events_fill_transitions: bool
    describe_missing_job: str
    describe_lag_seconds: float
    arn_case: str
    unstarted_job_has_end_time: bool
    waits_in: str
    max_pending_ends_in: str
    thirty_days_count: str
    tuning_criteria_end_in: str


@dataclass(frozen=True)
class Authorisation:
    """One decision: `decision` is Allow, Deny, ImplicitDeny or the code of an authentication error."""

    principal: str
    role: str
    action: str
    resource: str
    decision: str
    count: int

    @property
    def allowed(self) -> bool:
        """Whether the call was let through."""
        return self.decision == "Allow"


class Control(AccountControl):
    """Steers one running server; a refused request raises httpx.HTTPStatusError with the server's reason."""

    def __init__(self, endpoint_url: str) -> None:
        self._http = httpx.Client(base_url=f"{endpoint_url}/_local/", timeout=60, trust_env=False)

    def close(self) -> None:
        """Release the connection."""
        self._http.close()

    def health(self) -> dict[str, Any]:
        """Status, simulated time and rate, and how many functions are at work; raises httpx.TransportError while the
        server is not up.
        """
        return dict(self._call("GET", "health"))

    def plan(self, job_name: str, **fields: Unpack[PlanFields]) -> None:
        """Script a training job before it is created; what is not given keeps its default."""
        self._call("PUT", f"sagemaker/plans/{quote(job_name, safe='')}", dict(fields))

    def switch(self, **fields: Unpack[SwitchFields]) -> dict[str, Any]:
        """Turn unverified behaviours of SageMaker; the rest stays. Gives every switch's position."""
        return dict(self._call("PUT", "sagemaker/switches", dict(fields)))

    def emit(self, *, on: bool) -> None:
        """Deliver genuine events (the default) or lose them, as best-effort delivery may."""
        self._call("PUT", "sagemaker/emission", {"emit": on})

    def sagemaker_events(self) -> list[dict[str, Any]]:
        """Every genuine event so far as a PutEvents entry, with `Delivered`, `Account` and `Region`."""
        return list(self._call("GET", "sagemaker/events"))

    def inject(
        self,
        source: str,
        detail_type: str,
        detail: dict[str, Any] | str,
        *,
        resources: Sequence[str] = (),
        time: datetime | None = None,
        account: str = "000000000000",
        region: str = "us-east-1",
    ) -> None:
        """Put any event on the default bus, also one of source `aws.…` and one with a malformed detail."""
        event: dict[str, Any] = {"source": source, "detail-type": detail_type, "detail": detail}
        event |= {"resources": list(resources), "account": account, "region": region}
        if time is not None:
            event["time"] = time.timestamp()
        self._call("POST", "events", event)

    def now(self) -> datetime:
        """The simulated moment."""
        return datetime.fromisoformat(self._call("GET", "clock")["now"])

    def set_rate(self, rate: float) -> None:
        """Simulated seconds per real second; 0 stands still. Rate and cron rules follow the same clock."""
        self._call("PUT", "clock", {"rate": rate})

    def advance(self, step: timedelta) -> datetime:
        """Jump forward; all that became due has been published when this returns. Gives the new moment."""
        answer = self._call("PUT", "clock", {"advance_seconds": step.total_seconds()})
        return datetime.fromisoformat(answer["now"])

    def authorisations(self, principal: str | None = None) -> list[Authorisation]:
        """Every distinct decision since the last reset; `principal` is a role's name or a principal's ARN."""
        query = {"principal": principal} if principal else {}
        return [Authorisation(**entry) for entry in self._call("GET", "authorisations", query=query)]

    def clear_authorisations(self) -> None:
        """Forget all decisions."""
        self._call("DELETE", "authorisations")

    def _call(
        self, method: str, route: str, body: dict[str, Any] | None = None, query: dict[str, str] | None = None
    ) -> Any:
        response = self._http.request(method, route, json=body, params=query)
        if response.is_error:
            request, text = response.request, response.text
            raise httpx.HTTPStatusError(f"{method} {route}: {text}", request=request, response=response)
        return response.json()
