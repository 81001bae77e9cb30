"""What AWS takes of monitoring and MiniStack refuses: alarms over metric math, and saved queries of Logs Insights."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from ministack import app
from ministack.services.cloudformation import provisioners

_saved: dict[str, Mapping[str, Any]] = {}


def patch() -> None:
    """Called once, before the first request."""
    _take_metric_math()
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


def _take_metric_math() -> None:
    """CloudFormation passes `Metrics` to PutMetricAlarm; MiniStack refuses them. Stored here, and never evaluated."""
    record_of = provisioners._cw_metric_alarm_record

    def record(name: str, properties: dict[str, Any]) -> dict[str, Any]:
        if not (metrics := properties.get("Metrics")):
            return dict(record_of(name, properties))
        simple = {key: value for key, value in properties.items() if key != "Metrics"}
        stored = record_of(name, simple | {"MetricName": "-", "Namespace": "-"})
        return {**stored, "MetricName": "", "Namespace": "", "Metrics": metrics}

    provisioners._cw_metric_alarm_record = record


def _save(identity: str, properties: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    _saved[identity] = {
        "queryDefinitionId": identity,
        "name": properties["Name"],
        "queryString": properties["QueryString"],
        "logGroupNames": properties.get("LogGroupNames", []),
    }
    return identity, {"QueryDefinitionId": identity}
