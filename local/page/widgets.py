"""The widgets of a dashboard with what they show, asked of the local CloudWatch as the console would ask."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from botocore.exceptions import ClientError
from markdown_it import MarkdownIt

from local.page.metric_arrays import DEFAULT_PERIOD, rows

Json = dict[str, Any]
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
"""HTML within the text is shown, not obeyed."""
BUTTON = re.compile(r"\[button:(?:primary:)?([^\]]+)\]\(")
"""CloudWatch's own markup for a link that looks like a button."""
CONSOLE_PLACE = "](#dashboards/dashboard/"
"""Where the console has a dashboard; here the page has it."""
SOURCE = re.compile(r"SOURCE\s+'([^']+)'\s*\|\s*")
PLACE = {"x": 0, "y": 0, "width": 6, "height": 6}


@dataclass(frozen=True)
class Screen:
    """Draws widgets between two moments; what cannot be evaluated here is said in the widget."""

    cloudwatch: Any
    logs: Any
    start: datetime
    end: datetime

    def widget(self, given: Mapping[str, Any]) -> Json:
        """One widget of a dashboard's body: its place, its title, and `kind` with what that needs."""
        properties = given.get("properties", {})
        place = {name: given.get(name, default) for name, default in PLACE.items()}
        draw = _KINDS.get(given["type"], Screen._unknown)
        try:
            drawn = draw(self, properties)
        except ClientError as error:
            drawn = {"kind": "note", "note": error.response["Error"]["Message"]}
        return {**place, "title": properties.get("title", ""), **drawn}

    def _text(self, properties: Mapping[str, Any]) -> Json:
        text = BUTTON.sub(r"[\1](", properties["markdown"]).replace(CONSOLE_PLACE, "](#dashboards/")
        return {"kind": "text", "html": MARKDOWN.render(text),
                "plain": properties.get("background") == "transparent"}  # fmt: skip

    def _metric(self, properties: Mapping[str, Any]) -> Json:
        marks = properties.get("annotations", {})
        if not properties.get("metrics"):
            properties, marks = self._of_alarm(properties, marks)
        given = rows(properties, int((self.end - self.start).total_seconds()))
        queries = [row.query for row in given]
        answer = self.cloudwatch.get_metric_data(
            StartTime=self.start, EndTime=self.end, MetricDataQueries=queries, ScanBy="TimestampAscending"
        )
        by_id = {row.query["Id"]: row for row in given}
        lines = []
        for result in answer["MetricDataResults"]:
            row = by_id[result["Id"]]
            points = [[at.timestamp(), value] for at, value in zip(result["Timestamps"], result["Values"], strict=True)]
            lines.append(
                {
                    "label": result["Label"],
                    "axis": row.axis,
                    "colour": row.colour,
                    "period": row.period,
                    "points": points,
                }
            )
        kept = ("view", "stacked", "yAxis", "legend", "sparkline")
        shown = {name: properties[name] for name in kept if name in properties}
        return {"kind": "metric", "view": "timeSeries", **shown, "lines": lines,
                "marks": marks.get("horizontal", [])}  # fmt: skip

    def _of_alarm(self, properties: Mapping[str, Any], marks: Mapping[str, Any]) -> tuple[Json, Json]:
        """The metric and the threshold of the alarm that a widget without metrics names."""
        names = [arn.rpartition(":")[2] for arn in marks.get("alarms", ())]
        alarms = self.cloudwatch.describe_alarms(AlarmNames=names)["MetricAlarms"] if names else []
        metrics: list[Any] = []
        for alarm in alarms:
            pairs = [part for pair in alarm.get("Dimensions", ()) for part in (pair["Name"], pair["Value"])]
            options = {"stat": alarm.get("Statistic", "Sum"), "period": alarm.get("Period", DEFAULT_PERIOD)}
            metrics.append([alarm["Namespace"], alarm["MetricName"], *pairs, options])
        levels = [{"value": alarm["Threshold"], "label": "threshold"} for alarm in alarms]
        return {**properties, "metrics": metrics}, {"horizontal": levels}

    def _alarms(self, properties: Mapping[str, Any]) -> Json:
        names = [arn.rpartition(":")[2] for arn in properties["alarms"]]
        pages = self.cloudwatch.get_paginator("describe_alarms").paginate(AlarmNames=names)
        found = {alarm["AlarmName"]: alarm for page in pages for alarm in page["MetricAlarms"]}
        alarms = [
            {"name": name, "state": found[name]["StateValue"], "about": found[name].get("AlarmDescription", "")}
            for name in names
            if name in found
        ]
        return {"kind": "alarms", "alarms": alarms}

    def _log(self, properties: Mapping[str, Any]) -> Json:
        """The rows of a Logs Insights query; what is no SOURCE is the query."""
        groups, query = SOURCE.findall(properties["query"]), SOURCE.sub("", properties["query"])
        started = self.logs.start_query(
            logGroupNames=groups,
            queryString=query,
            startTime=int(self.start.timestamp()),
            endTime=int(self.end.timestamp()),
        )
        results = self.logs.get_query_results(queryId=started["queryId"])["results"]
        rows = [{cell["field"]: cell["value"] for cell in row} for row in results]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        cells = [[row.get(name, "") for name in columns] for row in rows]
        return {"kind": "rows", "view": properties.get("view", "table"), "columns": columns, "rows": cells}

    def _unknown(self, _properties: Mapping[str, Any]) -> Json:
        return {"kind": "note", "note": "This kind of widget is not drawn on this machine."}


_KINDS: Mapping[str, Callable[[Screen, Mapping[str, Any]], Json]] = {
    "alarm": Screen._alarms,
    "log": Screen._log,
    "metric": Screen._metric,
    "text": Screen._text,
}
