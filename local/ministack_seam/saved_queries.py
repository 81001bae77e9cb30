"""Saved queries of Logs Insights, by CloudFormation and DescribeQueryDefinitions; MiniStack has neither."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from ministack import app
from ministack.services.cloudformation import provisioners

_saved: dict[str, Mapping[str, Any]] = {}


def patch() -> None:
    """Called once, before the first request."""
    provisioners._RESOURCE_HANDLERS["AWS::Logs::QueryDefinition"] = {
        "create": lambda _logical_id, properties, _stack: _save(str(uuid.uuid4()), properties),
        "update": lambda physical_id, _old, new, _stack: _save(physical_id, new),
        "delete": lambda physical_id, _properties: _saved.pop(physical_id, None),
    }
    answer = app.SERVICE_HANDLERS["logs"]

    async def handle(method: str, path: str, headers: dict[str, str], body: bytes, query: dict[str, Any]) -> Any:
        if headers.get("x-amz-target", "").endswith(".DescribeQueryDefinitions"):
            found = json.dumps({"queryDefinitions": list(_saved.values())}).encode()
            return 200, {"Content-Type": "application/x-amz-json-1.1"}, found
        return await answer(method, path, headers, body, query)

    app.SERVICE_HANDLERS["logs"] = handle


def _save(identity: str, properties: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    _saved[identity] = {
        "queryDefinitionId": identity,
        "name": properties["Name"],
        "queryString": properties["QueryString"],
        "logGroupNames": properties.get("LogGroupNames", []),
    }
    return identity, {"QueryDefinitionId": identity}
