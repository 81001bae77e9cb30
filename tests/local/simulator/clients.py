"""A boto3 client whose requests the simulator answers in this process: real serialisation, no network, no MiniStack."""

import asyncio
import io
import json
from collections.abc import Iterator
from typing import Any

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config

from local.sagemaker.callers import Caller
from local.sagemaker.http import handler
from local.services import Service


class Body(io.BytesIO):
    """A response body as botocore reads it."""

    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


class Wire:
    """Carries requests from a client to a service and notes the operations and their requests."""

    def __init__(self, api: Service[Caller], caller: Caller) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._handle = handler(api, lambda *_: caller)

    def client(self, region: str = "eu-central-1") -> Any:
        """A SageMaker client that is answered here and never tries again by itself."""
        client: Any = boto3.client(
            "sagemaker",
            region_name=region,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            config=Config(retries={"total_max_attempts": 1, "mode": "standard"}),
        )
        client.meta.events.register("before-send.sagemaker", self._answer)
        return client

    def _answer(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        headers = {name.lower(): _text(value) for name, value in request.headers.items()}
        body = request.body if isinstance(request.body, bytes) else str(request.body or "").encode()
        self.asked.append((headers["x-amz-target"].rpartition(".")[2], json.loads(body)))
        status, answered, content = asyncio.run(self._handle("POST", "/", headers, body, {}))
        return AWSResponse(request.url, status, answered, Body(content))


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
