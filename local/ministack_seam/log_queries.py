"""StartQuery of CloudWatch Logs evaluated by local/log_queries, on the simulated clock; FilterLogEvents by prefix."""

from collections.abc import Iterator
from typing import Any

from ministack.core import responses
from ministack.services import cloudwatch_logs

from local.log_queries.expressions import QueryError
from local.log_queries.queries import run
from local.log_queries.records import Record, record_of
from local.ministack_seam.metrics import SIMULATED

_filter_log_events = cloudwatch_logs._filter_log_events


def patch() -> None:
    """MiniStack knows no stats, display and conditions on fields of JSON, and reads all streams whatever the prefix."""
    cloudwatch_logs._start_query = start
    cloudwatch_logs._filter_log_events = filter_events


def filter_events(request: dict[str, Any]) -> Any:
    """Only the streams whose name begins with logStreamNamePrefix, when it is given."""
    prefix, group = request.get("logStreamNamePrefix"), request.get("logGroupName")
    if prefix is None or group not in cloudwatch_logs._log_groups:
        return _filter_log_events(request)
    streams = cloudwatch_logs._log_groups[group]["streams"]
    names = [name for name in streams if name.startswith(prefix)]
    return _filter_log_events({**request, "logStreamNames": names or [prefix]})  # none at all would mean every stream


def start(request: dict[str, Any]) -> Any:
    """Run a query at once; a faulty one is MalformedQueryException, as in AWS."""
    groups = cloudwatch_logs._resolve_query_log_groups(request)
    if missing := [name for name in groups if name not in cloudwatch_logs._log_groups]:
        return responses.error_response_json("ResourceNotFoundException", f"No log group {missing[0]}", 400)
    records = list(_records(groups, float(request["startTime"]), float(request["endTime"])))
    try:
        rows = run(request["queryString"], records)
    except QueryError as error:
        return responses.error_response_json("MalformedQueryException", str(error), 400)
    results = [[{"field": name, "value": value} for name, value in row.items()] for row in rows]
    scanned = {"recordsMatched": float(len(rows)), "recordsScanned": float(len(records)), "bytesScanned": 0.0}
    name = responses.new_uuid()
    cloudwatch_logs._queries[name] = {**request, "queryId": name, "status": "Complete", "results": results,
                                      "statistics": scanned}  # fmt: skip
    return responses.json_response({"queryId": name})


def _records(groups: list[str], start: float, end: float) -> Iterator[Record]:
    for group in groups:
        for stream, content in list(cloudwatch_logs._log_groups[group]["streams"].items()):
            for event in list(content["events"]):
                at = event.get(SIMULATED, event["timestamp"] / 1000)
                if start <= at <= end:
                    yield record_of(event["message"], at, group, stream)
