"""The JSON 1.1 protocol of SageMaker: from an HTTP request to an operation and back."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from local.sagemaker.api import Api
from local.sagemaker.callers import Caller
from local.sagemaker.errors import ServiceError

Response = tuple[int, dict[str, str], bytes]
MakeCaller = Callable[[Mapping[str, str], Mapping[str, Any]], Caller]


def handler(api: Api, make_caller: MakeCaller) -> Callable[..., Any]:
    """A handler in the form that the server's router calls."""

    async def handle(_method: str, _path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Response:
        operation = headers.get("x-amz-target", "").rpartition(".")[2]
        try:
            request = json.loads(body or b"{}")
            return answer(200, api.call(operation, make_caller(headers, query), request))
        except ServiceError as error:
            return answer(error.status, {"__type": error.code, "message": error.message})

    return handle


def answer(status: int, shape: Mapping[str, Any]) -> Response:
    """A response with headers of its own: the server adds to them, so they must not be shared."""
    body = b"" if shape == {} else json.dumps(shape, default=_encode).encode()
    return status, {"Content-Type": "application/x-amz-json-1.1"}, body


def _encode(value: object) -> float:
    if isinstance(value, datetime):
        return round(value.timestamp(), 3)
    raise TypeError(f"{type(value).__name__} has no place in a response")
