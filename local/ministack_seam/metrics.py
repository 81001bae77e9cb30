"""CloudWatch on the simulated clock: metrics of log lines and of invocations, metric math, the depth of queues."""

import contextvars
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from ministack.core import responses
from ministack.services import cloudwatch, cloudwatch_logs, lambda_svc, sqs

from local.metrics.embedded import data_of
from local.metrics.lines import Line, MathError, periods
from local.metrics.queries import Queries
from local.sagemaker.clock import Clock

Json = Mapping[str, Any]
QUEUE_SECONDS = 60
"""AWS publishes a queue's depth once a minute."""
SIMULATED = "simulated"
"""The key of a stored log event's moment on the simulated clock, in seconds; no API shows it."""
LOOK_SECONDS = 0.25
"""Real seconds between two looks at the alarms while functions tell of more."""
_news = threading.Event()
"""Set when log lines brought metrics that no alarm has looked at."""


def functions_at_work() -> int:
    """How many invocations of functions have not come to their end, whatever invoked them."""
    return int(lambda_svc.executions_in_flight()[0])


def patch(clock: Clock) -> None:
    """Patch MiniStack's CloudWatch; its every date, also that of an alarm, is the simulated one from here on."""
    cloudwatch.time = SimpleNamespace(time=lambda: clock.now().timestamp())
    cloudwatch._evict_old_metrics = lambda: None  # AWS keeps them for 15 months, MiniStack for two weeks
    _take_log_lines(clock)
    _count_invocations()
    cloudwatch._get_metric_data = answer


def _take_log_lines(clock: Clock) -> None:
    """Each line in the embedded metric format becomes metric data when it is stored, so once.

    Functions date it on the machine's clock; the metric's moment is that one as the simulated clock counts it.
    """
    append = cloudwatch_logs._append_log_events

    def append_log_events(stream: Any, events: list[dict[str, Any]]) -> None:
        for event in events:
            event[SIMULATED] = clock.simulated(event["timestamp"] / 1000)
        append(stream, events)
        found = [datum for event in events for datum in data_of(event["message"])]
        for datum in found:
            at = clock.simulated(datum.timestamp)
            values = list(datum.values)
            cloudwatch._store_datum(
                datum.namespace, datum.name, dict(datum.dimensions), at, datum.unit, None, values, None, None
            )
        if found:
            _news.set()

    cloudwatch_logs._append_log_events = append_log_events


def _count_invocations() -> None:
    """AWS counts every invocation; MiniStack only those through the API, none of a queue, rule or schedule."""
    emit, dispatch = lambda_svc._emit_lambda_metrics, lambda_svc._execute_function_dispatch

    def counted(func: Any, config: Json, event: Any, request_id: str, started: float) -> Any:
        result = dispatch(func, config, event, request_id, started)
        took = (time.time() - started) * 1000
        emit(config["FunctionName"], duration_ms=took, error=bool(result.get("error")), throttle=False)
        return result

    def throttled(name: str, *, duration_ms: float, error: bool, throttle: bool) -> None:
        if throttle:
            emit(name, duration_ms=duration_ms, error=error, throttle=True)

    lambda_svc._execute_function_dispatch = counted
    lambda_svc._emit_lambda_metrics = throttled


class Stored:
    """The metrics of the request's account and Region."""

    def line(self, metric: Json, statistic: str, period: int, asked: range) -> Line:
        dimensions = cloudwatch._dims_from_list(metric.get("Dimensions") or [])
        key = (metric["Namespace"], metric["MetricName"], cloudwatch._dims_key(dimensions))
        origin = periods(asked, period).start
        buckets: dict[int, list[Any]] = {}
        for point in list(cloudwatch._metrics.get(key) or ()):
            if asked.start <= point["Timestamp"] < asked.stop:
                at = int((point["Timestamp"] - origin) // period) * period + origin
                buckets.setdefault(at, []).append(point)
        found = {at: _statistic(points, statistic) for at, points in sorted(buckets.items())}
        points = {at: value for at, value in found.items() if value is not None}
        return Line(points, period, metric["MetricName"], dimensions)

    def listed(self) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        for (namespace, name, _), points in list(cloudwatch._metrics.items()):
            yield namespace, name, points[0].get("Dimensions", {}) if points else {}


def _statistic(points: list[Any], statistic: str) -> float | None:
    value = cloudwatch._stat_value(cloudwatch._calc_stats(points), statistic, points)
    return None if value is None else float(value)


def answer(_parameters: Any, request: dict[str, Any], is_cbor: bool, is_json: bool = False) -> Any:
    """GetMetricData with expressions, newest point first as AWS orders them unless asked otherwise."""
    start, end = cloudwatch._parse_ts(request["StartTime"]), cloudwatch._parse_ts(request["EndTime"])
    queries = Queries(Stored(), request["MetricDataQueries"], range(int(start), int(end)))
    newest_first = request.get("ScanBy", "TimestampDescending") == "TimestampDescending"
    try:
        results = [_result(query["Id"], line, newest_first) for query, line in queries.results()]
    except MathError as error:
        return cloudwatch._error("ValidationError", str(error), 400, use_json=is_json, use_cbor=is_cbor)
    body = {"MetricDataResults": results, "Messages": []}
    if not is_cbor:
        return cloudwatch._json_ok(body)
    return cloudwatch._cbor_ok({**body, "MetricDataResults": [cloudwatch._cbor_metric_data_result(r) for r in results]})


def _result(name: str, line: Line, newest_first: bool) -> dict[str, Any]:
    moments = sorted(line.points, reverse=newest_first)
    values = [line.points[at] for at in moments]
    stamps = [cloudwatch._ts_iso(at) for at in moments]
    return {"Id": name, "Label": line.label, "Timestamps": stamps, "Values": values, "StatusCode": "Complete"}


@dataclass
class Sampling:
    """What AWS does by itself: publishes the depth of the queues every minute, and looks at the alarms."""

    clock: Clock
    _sample_at: float = 0.0
    _look_at: float = 0.0

    def __call__(self) -> None:
        """Do what is due; a jump of the clock is one sample."""
        now, due = self.clock.now().timestamp(), _news.is_set() and time.monotonic() >= self._look_at
        if now >= self._sample_at:
            self._sample_at, due = now + QUEUE_SECONDS, True
            for (account, region, url), queue in sqs._queues.all_items():
                _within(account, region, partial(_publish_depth, url, queue))
        if due:
            _news.clear()
            self._look_at = time.monotonic() + LOOK_SECONDS
            for account, region in {key[:2] for key, _ in cloudwatch._alarms.all_items()}:
                _within(account, region, cloudwatch._evaluate_all_alarms)


def _publish_depth(url: str, queue: dict[str, Any]) -> None:
    sqs._refresh_counts(queue)
    for name in ("Visible", "NotVisible"):
        full = f"ApproximateNumberOfMessages{name}"
        attribute = "ApproximateNumberOfMessages" + ("" if name == "Visible" else name)
        depth = float(queue["attributes"][attribute])
        cloudwatch.record_metric("AWS/SQS", full, depth, "Count", {"QueueName": url.rpartition("/")[2]})


def _within(account: str, region: str, run: Callable[[], None]) -> None:
    """Run as if for a request of that account and Region."""

    def scoped() -> None:
        responses.set_request_account_id(account)
        responses.set_request_region(region)
        run()

    contextvars.copy_context().run(scoped)
