"""GetProducts of the AWS Price List API: authorise, filter, answer one page of JSON strings."""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from local.api_model import check_request, check_response
from local.price_list.products import SERVICE_CODE, products
from local.sagemaker.errors import ServiceError
from local.sagemaker.simulator import Scope

Json = dict[str, Any]
PAGE = 100
ENDPOINTS = frozenset({"us-east-1", "eu-central-1", "ap-south-1"})
TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "TERM_MATCH": lambda found, wanted: found == wanted,
    "EQUALS": lambda found, wanted: found == wanted,
    "CONTAINS": lambda found, wanted: wanted in found,
    "ANY_OF": lambda found, wanted: found in wanted.split(","),
    "NONE_OF": lambda found, wanted: found not in wanted.split(","),
}


class Caller(Protocol):
    """Who sent the request; AccessDeniedException is raised as a ServiceError."""

    scope: Scope

    def authorise(self, action: str, resource: str, context: Mapping[str, Any]) -> None:
        """Evaluate the caller's policies for the action on the resource."""


class PriceListApi:
    """One operation on the rows of SageMaker; the same for every account."""

    def call(self, operation: str, caller: Caller, request: Json) -> Json:
        """Run GetProducts; anything else is an UnknownOperationException that names it."""
        if caller.scope.region not in ENDPOINTS:
            # A real client would find no host of that name; here every Region shares one address.
            host = f"api.pricing.{caller.scope.region}.amazonaws.com"
            raise ServiceError("UnknownEndpoint", f"{host} does not exist; use one of {sorted(ENDPOINTS)}")
        if operation != "GetProducts":
            raise ServiceError("UnknownOperationException", f"{operation} is not simulated on this machine")
        check_request("pricing", operation, request, "InvalidParameterException")
        caller.authorise("pricing:GetProducts", "*", {})
        response = _products(request)
        check_response("pricing", operation, response)
        return response


def _products(request: Json) -> Json:
    """GetProductsResponse; a service that the laptop has no prices for is NotFoundException."""
    if request["ServiceCode"] != SERVICE_CODE:
        raise ServiceError("NotFoundException", f"{request['ServiceCode']} has no prices on this machine")
    if request.get("FormatVersion", "aws_v1") != "aws_v1":
        raise ServiceError("InvalidParameterException", f"Unknown format version {request['FormatVersion']}")
    found = [row for row in products() if all(_matches(row, wanted) for wanted in request.get("Filters", []))]
    start = _start(request.get("NextToken"), len(found))
    page = found[start : start + request.get("MaxResults", PAGE)]
    end = start + len(page)
    shape: Json = {"FormatVersion": "aws_v1", "PriceList": [json.dumps(row) for row in page]}
    return shape | ({"NextToken": base64.b64encode(str(end).encode()).decode()} if end < len(found) else {})


def _matches(row: Json, wanted: Json) -> bool:
    """Whether an attribute of that name passes; a row without the attribute never does."""
    product = row["product"]
    fields = {**product["attributes"], "productFamily": product["productFamily"], "ServiceCode": row["serviceCode"]}
    found = fields.get(wanted["Field"])
    return found is not None and TESTS[wanted["Type"]](found, wanted["Value"])


def _start(token: str | None, count: int) -> int:
    if token is None:
        return 0
    try:
        start = int(base64.b64decode(token))
    except ValueError as error:
        raise ServiceError("InvalidNextTokenException", "The pagination token is invalid") from error
    if not 0 < start < count:
        raise ServiceError("InvalidNextTokenException", "The pagination token is invalid")
    return start
