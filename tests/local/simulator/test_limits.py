"""Request rates are shared by an account in a Region, counted, and refuse exactly what is above them."""

from typing import Any

import pytest

from local.limits import SAGEMAKER, SERVICE_QUOTAS, Limited, Limits, Rates
from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope
from tests.local.simulator.bench import Everyone

HOME = Scope("123456789012", "eu-central-1")


class Machine:
    """Limits on a stepped monotonic clock."""

    def __init__(self, *, on: bool = True) -> None:
        self.now = 1000.0
        self.limits = Limits(lambda: self.now, on=on)

    def admitted(self, count: int, operation: str, rates: Rates = SAGEMAKER, scope: Scope = HOME) -> list[bool]:
        return [self._admits(operation, rates, scope) for _ in range(count)]

    def _admits(self, operation: str, rates: Rates, scope: Scope) -> bool:
        try:
            self.limits.admit(rates, scope, operation)
        except ServiceError:
            return False
        return True

    def counts(self, operation: str) -> tuple[int, int, int]:
        [entry] = [entry for entry in self.limits.listed()["operations"] if entry["operation"] == operation]
        return entry["allowed"], entry["throttled"], entry["peak_per_second"]


@pytest.mark.parametrize(
    ("rates", "operation"),
    [(rates, name) for rates in (SAGEMAKER, SERVICE_QUOTAS) for name in rates.per_second if name != "*"],
)
def test_a_second_allows_its_rate_and_not_one_more(rates: Rates, operation: str) -> None:
    rate = int(rates.per_second[operation])
    assert Machine().admitted(rate + 1, operation, rates) == [True] * rate + [False]


@pytest.mark.parametrize(("wait", "allowed"), [(0.199, False), (0.2, True)])
def test_a_token_is_back_after_its_share_of_a_second_and_not_before(wait: float, *, allowed: bool) -> None:
    machine = Machine()
    machine.admitted(5, "DescribeTrainingJob")
    machine.now += wait
    assert machine.admitted(1, "DescribeTrainingJob") == [allowed]


def test_a_quiet_hour_saves_up_no_more_than_one_second() -> None:
    machine = Machine()
    machine.admitted(2, "ListTrainingJobs")
    machine.now += 3600
    assert machine.admitted(3, "ListTrainingJobs") == [True, True, False]


def test_refused_calls_cost_nothing() -> None:
    machine = Machine()
    machine.admitted(50, "CreateTrainingJob")
    machine.now += 1
    assert machine.admitted(1, "CreateTrainingJob") == [True]


def test_another_operation_region_or_account_has_its_own_rate() -> None:
    machine = Machine()
    machine.admitted(1, "CreateTrainingJob")
    assert machine.admitted(1, "StopTrainingJob") == [True]
    assert machine.admitted(1, "CreateTrainingJob", scope=Scope(HOME.account, "us-east-1")) == [True]
    assert machine.admitted(1, "CreateTrainingJob", scope=Scope("210987654321", HOME.region)) == [True]


def test_all_operations_of_service_quotas_share_fifty_a_second() -> None:
    machine = Machine()
    machine.limits.configure({"burst": 10})
    assert all(machine.admitted(100, "ListServiceQuotas", SERVICE_QUOTAS))
    machine.limits.configure({"burst": 1})
    names = [name for name in SERVICE_QUOTAS.per_second if name != "*"]
    for name in names:
        machine.admitted(10, name, SERVICE_QUOTAS)
    assert sum(entry["allowed"] for entry in machine.limits.listed()["operations"]) == 100 + 48
    assert machine.admitted(3, "ListServices", SERVICE_QUOTAS) == [True, True, False]


def test_the_burst_size_is_a_switch_and_at_least_one_call_fits() -> None:
    machine = Machine()
    machine.limits.configure({"burst": 3})
    assert machine.admitted(7, "ListTrainingJobs").count(True) == 6
    machine.limits.configure({"burst": 0.1})
    assert machine.admitted(2, "ListTrainingJobs") == [True, False]


@pytest.mark.parametrize("operation", ["AddTags", "ListTags", "Search", "CreateHyperParameterTuningJob"])
def test_an_operation_without_a_published_rate_is_only_counted(operation: str) -> None:
    machine = Machine()
    assert all(machine.admitted(500, operation))
    assert machine.counts(operation) == (500, 0, 500)


def test_limits_that_are_off_refuse_nothing_and_still_count() -> None:
    machine = Machine(on=False)
    assert all(machine.admitted(200, "CreateTrainingJob"))
    assert machine.counts("CreateTrainingJob") == (200, 0, 200)


def test_root_is_limited_like_everybody_until_it_is_spared() -> None:
    class Root(Everyone):
        is_root = True

    class Answering:
        def call(self, operation: str, caller: Everyone, request: dict[str, Any]) -> dict[str, Any]:
            return {}

    machine = Machine()
    limited = Limited(Answering(), machine.limits, SAGEMAKER)
    limited.call("StopTrainingJob", Root(), {})
    with pytest.raises(ServiceError, match="Rate exceeded"):
        limited.call("StopTrainingJob", Root(), {})
    machine.limits.configure({"root_spared": True})
    for _ in range(5):
        limited.call("StopTrainingJob", Root(), {})
    with pytest.raises(ServiceError, match="Rate exceeded"):
        limited.call("StopTrainingJob", Everyone(), {})
    assert machine.counts("StopTrainingJob") == (1, 2, 3)


def test_the_peak_is_the_busiest_second_wherever_it_starts() -> None:
    machine = Machine()
    for step in (0.0, 0.6, 0.3, 0.3, 5.0):
        machine.now += step
        machine.admitted(1, "DescribeTrainingJob")
    assert machine.counts("DescribeTrainingJob") == (5, 0, 3)


@pytest.mark.parametrize(
    ("rates", "operation", "code"),
    [(SAGEMAKER, "CreateTrainingJob", "ThrottlingException"),
     (SERVICE_QUOTAS, "RequestServiceQuotaIncrease", "TooManyRequestsException")],
)  # fmt: skip
def test_a_throttled_call_reaches_nothing_and_is_a_client_error(rates: Rates, operation: str, code: str) -> None:
    class Answering:
        reached = 0

        def call(self, operation: str, caller: Everyone, request: dict[str, Any]) -> dict[str, Any]:
            self.reached += 1
            return {}

    service = Answering()
    limited = Limited(service, Machine().limits, rates)
    for _ in range(int(rates.per_second[operation])):
        limited.call(operation, Everyone(), {})
    with pytest.raises(ServiceError, match="Rate exceeded") as caught:
        limited.call(operation, Everyone(), {})
    assert (caught.value.code, caught.value.status) == (code, 400)
    assert service.reached == rates.per_second[operation]


@pytest.mark.parametrize("body", [{"burst": 0}, {"burst": -1}, {"rate": 3}])
def test_a_setting_that_means_nothing_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"burst|unknown"):
        Machine().limits.configure(body)
