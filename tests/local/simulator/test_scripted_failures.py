"""The next calls of an operation fail as scripted, the others do not, and what fails has had no effect."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from botocore.exceptions import ClientError

from local.laptop import Laptop
from local.sagemaker.api import Api
from local.sagemaker.errors import ServiceError
from local.scripted_failures import Failing, ScriptedFailures
from tests.local.simulator.bench import Bench, create_request
from tests.local.simulator.clients import Wire


class Service:
    """Answers everything, and counts."""

    reached = 0

    def call(self, operation: str, caller: object, request: dict[str, Any]) -> dict[str, Any]:
        self.reached += 1
        return {}


def outcomes(failing: Failing[object], operation: str, count: int) -> list[str]:
    found = []
    for _ in range(count):
        try:
            failing.call(operation, None, {})
            found.append("")
        except ServiceError as error:
            found.append(error.code)
    return found


def scripted(**script: Any) -> tuple[Failing[object], Service]:
    failures, service = ScriptedFailures(), Service()
    failures.add(script)
    return Failing(service, failures), service


def test_as_many_calls_fail_as_were_scripted_after_as_many_were_let_through() -> None:
    failing, service = scripted(operation="UpdateTrainingJob", code="ThrottlingException", times=2, after=1)
    throttled = ["ThrottlingException"] * 2
    assert outcomes(failing, "UpdateTrainingJob", 4) == ["", *throttled, ""]
    assert service.reached == 2


def test_other_operations_neither_fail_nor_count() -> None:
    failing, _ = scripted(operation="UpdateTrainingJob", code="ThrottlingException", after=1)
    assert outcomes(failing, "StopTrainingJob", 3) == ["", "", ""]
    assert outcomes(failing, "UpdateTrainingJob", 2) == ["", "ThrottlingException"]


def test_several_scripts_for_one_operation_follow_each_other() -> None:
    failing, _ = scripted(operation="ListTrainingJobs", code="ThrottlingException")
    failing.failures.add({"operation": "ListTrainingJobs", "code": "InternalFailure", "after": 1, "status": 500})
    assert outcomes(failing, "ListTrainingJobs", 4) == ["ThrottlingException", "", "InternalFailure", ""]


def test_what_is_left_is_listed_and_can_be_forgotten() -> None:
    failing, _ = scripted(operation="ListTrainingJobs", code="ThrottlingException", times=3)
    outcomes(failing, "ListTrainingJobs", 1)
    expected = {"operation": "ListTrainingJobs", "code": "ThrottlingException", "times": 2, "after": 0, "status": 400}
    assert failing.failures.left() == [expected]
    failing.failures.clear()
    assert (failing.failures.left(), outcomes(failing, "ListTrainingJobs", 1)) == ([], [""])


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"operation": "UpdateTrainingJobs"}, "no operation"),
        ({"times": 0}, "times must be"),
        ({"after": -1}, "after 0 or more"),
        ({"status": 200}, "status must be"),
        ({"colour": "red"}, "unknown field"),
    ],
)
def test_a_script_that_could_never_happen_is_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ScriptedFailures().add({"operation": "UpdateTrainingJob", "code": "ThrottlingException", **wrong})


def test_a_listing_breaks_off_between_two_pages_and_a_client_sees_the_code_and_status() -> None:
    bench, failures = Bench(), ScriptedFailures()
    for number in range(4):
        bench.call("CreateTrainingJob", **create_request(f"job-{number}"))
    failures.add({"operation": "ListTrainingJobs", "code": "ServiceUnavailable", "after": 1, "status": 503})
    client = Wire(Failing(Api(bench.simulator), failures), bench.caller).client()
    paginator, seen = client.get_paginator("list_training_jobs"), list[str]()

    def read() -> None:
        for page in paginator.paginate(PaginationConfig={"PageSize": 2}):
            seen.extend(job["TrainingJobName"] for job in page["TrainingJobSummaries"])

    with pytest.raises(ClientError) as caught:
        read()
    assert len(seen) == 2
    assert caught.value.response["Error"]["Code"] == "ServiceUnavailable"
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 503
    read()
    assert len(seen) == 2 + 4


@pytest.mark.local
def test_scripts_are_given_to_the_running_server_for_each_of_its_services() -> None:
    with Laptop() as laptop:
        scripted: list[tuple[str, Callable[[], Any]]] = [
            ("ListTrainingJobs", lambda: laptop.client("sagemaker").list_training_jobs()),
            ("ListServiceQuotas", lambda: laptop.client("service-quotas").list_service_quotas(ServiceCode="sagemaker")),
            ("GetProducts", lambda: laptop.client("pricing").get_products(ServiceCode="AmazonSageMaker")),
        ]
        for operation, call in scripted:
            laptop.control.fail(operation, "AccessDeniedException", status=403)
            with pytest.raises(ClientError, match=f"AccessDeniedException.*{operation} was told to fail"):
                call()
            assert call()["ResponseMetadata"]["HTTPStatusCode"] == 200
        laptop.control.fail("UpdateTrainingJob", "ThrottlingException", times=2)
        assert [script["times"] for script in laptop.control.failures()] == [2]
        laptop.control.clear_failures()
        assert laptop.control.failures() == []
        with pytest.raises(httpx.HTTPStatusError, match="no operation"):
            laptop.control.fail("UpdateTrainingJobs", "ThrottlingException")
