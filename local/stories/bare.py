"""A story's world in this process: the simulator on a stepped clock, in milliseconds and without the product."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from local.event_faults import EventFaults, Faults
from local.limits import SAGEMAKER, Limited, Limits
from local.sagemaker.api import Api
from local.sagemaker.clock import Clock
from local.sagemaker.errors import ServiceError
from local.sagemaker.failures import plan_from_json
from local.sagemaker.quota_admission import admission_by
from local.sagemaker.simulator import Scope, Simulator
from local.sagemaker.switches import Switches
from local.service_quotas.account import Quotas
from local.stories.world import Json, Refused

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOME = Scope("000000000000", "us-east-1")


class Anyone:
    """A caller who may do everything; every role trusts SageMaker."""

    scope = HOME
    session_keys: frozenset[str] = frozenset()
    is_root = False

    def authorise(self, _action: str, _resource: str, _context: Mapping[str, Any]) -> None:
        """Let it pass."""

    def trusted_by(self, _role_arn: str, _service: str, _source: str) -> bool:
        """Always."""
        return True


class BareWorld:
    """An account of its own for one story; request rates are kept on the simulated clock."""

    product = None

    def __init__(self) -> None:
        self._clock = Clock.stepped(START)
        self._faults = EventFaults(self._clock, lambda _scope, _entry: None)
        self._simulator = Simulator(self._clock, self._faults)
        self._quotas = Quotas(self._clock)
        self._simulator.admission = admission_by(self._quotas.applied)
        self._limits = Limits(now=lambda: self._clock.now().timestamp())
        self._api = Limited[Anyone](Api(self._simulator), self._limits, SAGEMAKER)

    def now(self) -> datetime:
        return self._clock.now()

    def pass_until(self, moment: datetime, look: Callable[[], None]) -> None:
        if moment > self.now():
            self._clock.advance(moment - self.now())
        self._simulator.tick()
        self._faults.flush()
        look()

    def call(self, operation: str, **request: Any) -> Json:
        try:
            return self._api.call(operation, Anyone(), request)
        except ServiceError as error:
            raise Refused(error.code, error.message) from error

    def role_arn(self, name: str) -> str:
        return f"arn:aws:iam::{HOME.account}:role/{name}"

    def plan(self, job: str, fields: Json) -> None:
        self._simulator.plans[job] = plan_from_json(fields)

    def switch(self, positions: Json) -> None:
        self._simulator.switches = Switches.from_json(positions, current=self._simulator.switches)

    def set_quota(self, quota: str, value: float) -> None:
        self._quotas.set_value(HOME, quota, value)

    def set_limits(self, *, on: bool) -> None:
        self._limits.configure({"on": on})

    def set_event_faults(self, fields: Json) -> None:
        self._faults.set(Faults.from_json(fields))

    def delivery(self) -> Mapping[str, int]:
        return self._faults.listed()

    def events(self) -> Sequence[Json]:
        return self._simulator.history

    def rates(self) -> Mapping[str, Mapping[str, int]]:
        return by_operation(self._limits.listed()["operations"], HOME)


def by_operation(operations: Sequence[Json], scope: Scope) -> dict[str, dict[str, int]]:
    """SageMaker's counters of one account and Region, out of those that the limits list."""
    own = {"account": scope.account, "region": scope.region, "service": SAGEMAKER.service}
    found = [entry for entry in operations if own.items() <= entry.items()]
    return {
        entry["operation"]: {
            "allowed": entry["allowed"],
            "throttled": entry["throttled"],
            "peak": entry["peak_per_second"],
        }
        for entry in found
    }
