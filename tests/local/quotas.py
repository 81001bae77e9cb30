"""Quotas of the deployed product: what its ledger says, and everything that its functions can do with them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.service_quotas.catalogue import by_code
from local.waiting import until
from tests.local.product import Product

HIDDEN = [quota.name.partition(" ")[0] for quota in by_code().values() if not quota.listed]
"""Types whose warm-pool quota has only a default, and no published code."""


def quota(product: Product, name: str) -> dict[str, Any] | None:
    """The ledger's record of one quota."""
    key = {"pk": {"S": "QUOTAS"}, "sk": {"S": name}}
    found = product.laptop.client("dynamodb").get_item(TableName=product.named("Ledger"), Key=key).get("Item")
    return dict(found["record"]["M"]) if found else None


def state(product: Product, name: str) -> str | None:
    """How a wish stands."""
    found = quota(product, name)
    return str(found["state"]["S"]) if found else None


def want(product: Product, by_type: dict[str, dict[str, str]]) -> None:
    """What CloudFormation asks the function for, of a stack beside the product's."""
    event = {
        "RequestType": "Create",
        "StackId": "stack",
        "LogicalResourceId": "Wanted",
        "ResourceProperties": {
            "AskedBy": "beside",
            "InstanceTypes": by_type,
            "FailOnRefusal": "false",
            "SupportCaseAllowed": "true",
        },
    }
    function = product.named("QuotasRequestsFunction")
    answer = product.laptop.client("lambda").invoke(FunctionName=function, Payload=json.dumps(event))
    assert "FunctionError" not in answer, answer["Payload"].read()


def refused_job(product: Product, name: str, **request: Any) -> None:
    """A person asks for a type whose quota is 0, in an account with a trail."""
    resources = {"InstanceType": "ml.g5.4xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30}
    product.laptop.control.set_api_call_events(on=True)
    with pytest.raises(ClientError, match="ResourceLimitExceeded"):
        product.run_job(name, **{"ResourceConfig": resources, **request})
    product.laptop.control.set_api_call_events(on=False)


def exercise_quotas(product: Product, waits: Callable[[], bool]) -> None:
    """Quotas that only the defaults list are asked for: one at a deployment, one that was throttled by the tracker. A
    refused job waits until jobs can be counted, as `waits` can tell.
    """
    control = product.laptop.control
    first, second = f"{HIDDEN[0]} for training warm pool usage", f"{HIDDEN[1]} for training warm pool usage"
    want(product, {HIDDEN[0]: {"warm_pool": "1"}})
    until(lambda: state(product, first) == "PENDING", "the request for a hidden quota")
    want(product, {HIDDEN[0]: {"warm_pool": "1"}})  # now there is a request to look at
    product.restart("QuotasRequestsFunction")
    control.fail("ListServiceQuotas", "TooManyRequestsException", times=3)
    want(product, {HIDDEN[1]: {"warm_pool": "1"}})
    assert state(product, second) == "deferred"
    product.track()
    assert state(product, second) == "PENDING"
    control.fail("Search", "ThrottlingException", times=6)
    refused_job(product, "refused-by-quota-1")
    until(waits, "the refusal to wait")
    product.quiet()
