"""`cdk deploy` of stacks that want quotas, with Service Quotas' limits on: calls are counted for each deployment."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local.laptop import Laptop
from local.problems import LaptopError

pytestmark = pytest.mark.local
APP = f"{sys.executable} -m tests.local.quota_stacks"
WANTED = {"quota-blue": {"ml.g6.xlarge": {"training": 8}}, "quota-green": {"ml.g6.xlarge": {"training": 8}}}
REFUSED = {**WANTED, "quota-blue": {"ml.g6.xlarge": {"training": 8}, "ml.x9.xlarge": {"training": 1}}}

SHOWN = {"AWS::CloudFormation::Stack": "the stack", "Custom::QuotaRequest": "Custom::QuotaRequest"}


def calls(laptop: Laptop) -> dict[str, int]:
    """Service Quotas calls since the last time; none may have been throttled."""
    found = [item for item in laptop.control.limits()["operations"] if item["service"] == "servicequotas"]
    laptop.control.clear_limits()
    assert sum(item["throttled"] for item in found) == 0
    return {item["operation"]: item["allowed"] for item in found}


def deploy(laptop: Laptop, wanted: Mapping[str, object]) -> None:
    laptop.deploy(app=APP, environ={"QUOTAS": json.dumps(wanted), "PYTHONPATH": "lambdas:."})


def asked(laptop: Laptop) -> list[tuple[str, float]]:
    every = laptop.control.quota_requests()
    return [(item["QuotaName"], item["DesiredValue"]) for item in every if "ml.g6." in item["QuotaName"]]


def events(laptop: Laptop, stack: str) -> list[dict[str, Any]]:
    """What CloudFormation shows of the stack and of what asks for quotas in it, oldest first."""
    every = laptop.client("cloudformation").describe_stack_events(StackName=stack)["StackEvents"]
    return [event for event in reversed(every) if event["ResourceType"] in SHOWN]


def told(event: dict[str, Any]) -> str:
    """One line of it, without the provider framework's trace."""
    reason = event.get("ResourceStatusReason", "").partition("\n")[0].strip()
    return f"{event['ResourceStatus']:<44} {SHOWN[event['ResourceType']]:<22} {reason}".rstrip()


@pytest.mark.case("QU-02", "QU-08", "QU-11", "QU-12", "CD-02", "CD-04")
def test_two_stacks_a_failed_update_a_rollback_and_two_lives_make_one_request(laptop: Laptop) -> None:
    laptop.control.clear_limits()
    deploy(laptop, WANTED)
    [request] = asked(laptop)
    assert request == ("ml.g6.xlarge for training job usage", 8)
    first = calls(laptop)
    assert first["RequestServiceQuotaIncrease"] == 1
    assert sum(first.values()) == 5, "read, history and request for one stack; read and the request for the other"

    with pytest.raises(LaptopError, match="cdk deploy"):
        deploy(laptop, REFUSED)
    failed = calls(laptop)
    assert "RequestServiceQuotaIncrease" not in failed
    assert failed["ListServiceQuotas"] >= 16, "the quota that is not offered was looked for among all"
    status = laptop.client("cloudformation").describe_stacks(StackName="quota-blue")["Stacks"][0]["StackStatus"]
    assert status == "UPDATE_ROLLBACK_COMPLETE"

    stack = laptop.client("cloudformation").describe_stacks(StackName="quota-blue")["Stacks"][0]["StackId"]
    laptop.destroy()
    assert calls(laptop) == {}, "deleting calls nothing"
    seen = events(laptop, stack)
    assert "\n".join(map(told, seen)) in Path("docs/quotas.md").read_text(encoding="utf-8")
    ours = [event for event in seen if event["ResourceType"] == "Custom::QuotaRequest"]
    assert {event["PhysicalResourceId"] for event in ours} - {""} == {f"{stack}/{ours[0]['LogicalResourceId']}"}
    for _ in range(2):
        deploy(laptop, WANTED)
        again = calls(laptop)
        assert "RequestServiceQuotaIncrease" not in again
        assert sum(again.values()) <= 4
        laptop.destroy()
        assert calls(laptop) == {}
    assert asked(laptop) == [request]
