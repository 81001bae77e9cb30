"""Requests and answers of a JSON service checked against botocore's own model of it."""

from functools import cache
from typing import Any

import botocore.session
from botocore.model import ServiceModel
from botocore.validate import ParamValidator

from local.sagemaker.errors import ServiceError
from local.sagemaker.model import broken_constraints

Json = dict[str, Any]


@cache
def model(service: str) -> ServiceModel:
    """The model that boto3 itself uses, by boto3's name of the service."""
    return botocore.session.get_session().get_service_model(service)


def check_request(service: str, operation: str, request: Json, code: str) -> None:
    """Refuse with `code` what the service's model does not allow."""
    if problem := _problem(service, operation, "input_shape", request):
        raise ServiceError(code, f"1 validation error detected: {problem}")


def check_response(service: str, operation: str, response: Json) -> None:
    """Fail loudly (AssertionError) when the answer is one that AWS never would give."""
    if problem := _problem(service, operation, "output_shape", response):
        raise AssertionError(f"{operation}: {problem}")


def _problem(service: str, operation: str, side: str, value: Json) -> str:
    shape = getattr(model(service).operation_model(operation), side)
    report = ParamValidator().validate(value, shape)
    if report.has_errors():
        return str(report.generate_report())
    for found, path, rule in broken_constraints(value, shape):
        return f"Value '{found}' at '{path}' failed to satisfy constraint: Member must {rule}"
    return ""
