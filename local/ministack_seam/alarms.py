"""Alarms of CloudWatch evaluated as AWS does: exactly their dimensions, metric math, M out of N, missing data.

MiniStack looks at all metrics of a name, and never lets an alarm fall when its data ends.
"""

from collections.abc import Mapping
from typing import Any

from ministack.services import cloudwatch
from ministack.services.cloudformation import provisioners

from local.metrics.alarms import state
from local.metrics.queries import Queries
from local.ministack_seam.metrics import Stored


def patch() -> None:
    """Evaluate alarms from here, and take those with metric math, which MiniStack refuses or drops."""
    cloudwatch._evaluate_alarm = _evaluate
    record, put = provisioners._cw_metric_alarm_record, cloudwatch._put_metric_alarm

    def alarm_record(name: str, properties: dict[str, Any]) -> Any:
        queries = properties.get("Metrics")
        if not queries:
            return record(name, properties)
        single = {**properties, "Metrics": None, "MetricName": "math", "Namespace": "math"}
        return {**record(name, single), "MetricName": None, "Namespace": None, "Metrics": _typed(queries)}

    def put_metric_alarm(parameters: Any, request: dict[str, Any], is_cbor: bool, is_json: bool = False) -> Any:
        result = put(parameters, request, is_cbor, is_json)
        if request.get("Metrics") and result[0] == 200:
            cloudwatch._alarms[request["AlarmName"]]["Metrics"] = request["Metrics"]
        return result

    provisioners._cw_metric_alarm_record = alarm_record
    cloudwatch._put_metric_alarm = put_metric_alarm


def _evaluate(alarm: dict[str, Any]) -> None:
    """An alarm over its last N periods, the one that runs included; looks at exactly its dimensions, and at math."""
    queries = alarm.get("Metrics") or [_query_of(alarm)]
    period = max(int((query.get("MetricStat") or query).get("Period") or 60) for query in queries)
    count = int(alarm["EvaluationPeriods"])
    last = int(cloudwatch.time.time()) // period * period
    moments = range(last - (count - 1) * period, last + period, period)
    [(_, line)] = Queries(Stored(), queries, range(moments.start, moments.stop)).results()
    before = alarm["StateValue"]
    now = state(
        [line.points.get(at) for at in moments],
        threshold=alarm["Threshold"],
        comparison=alarm["ComparisonOperator"],
        needed=int(alarm.get("DatapointsToAlarm") or count),
        missing=alarm.get("TreatMissingData") or "missing",
        before=before,
    )
    if now != before:
        shown = [f"{line.points[at]:g}" for at in moments if at in line.points]
        reason = f"{', '.join(shown) or 'no data'}: {alarm['ComparisonOperator']} {alarm['Threshold']:g}"
        alarm |= {"StateValue": now, "StateReason": reason, "StateUpdatedTimestamp": int(cloudwatch.time.time())}
        cloudwatch._record_history(alarm["AlarmName"], before, now, reason)
        cloudwatch._dispatch_alarm_actions(alarm, before, now, reason)
        cloudwatch._evaluate_parent_alarms(alarm)


def _query_of(alarm: Mapping[str, Any]) -> dict[str, Any]:
    metric = {name: alarm.get(name) for name in ("Namespace", "MetricName", "Dimensions")}
    statistic = alarm.get("ExtendedStatistic") or alarm.get("Statistic") or "Average"
    return {"Id": "m", "MetricStat": {"Metric": metric, "Period": alarm.get("Period") or 60, "Stat": statistic}}


def _typed(queries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """CloudFormation's booleans may be texts."""
    return [{**query, "ReturnData": str(query.get("ReturnData", True)).lower() == "true"} for query in queries]
