"""What the deployment leaves in CloudWatch: dashboards that can be read back, alarms, saved queries."""

import json

import pytest

from tests.local.product import Product
from trainops.telemetry import NAMESPACE

pytestmark = pytest.mark.local


def test_both_dashboards_are_stored_as_they_were_made(product: Product) -> None:
    cloudwatch = product.laptop.client("cloudwatch")
    stored = {item["DashboardName"] for item in cloudwatch.list_dashboards()["DashboardEntries"]}
    names = [f"trainops-{kind}-{cloudwatch.meta.region_name}" for kind in ("overview", "team")]
    assert set(names) <= stored
    for name in names:
        body = json.loads(cloudwatch.get_dashboard(DashboardName=name)["DashboardBody"])
        widgets = [widget["properties"] for widget in body["widgets"]]
        assert all("${" not in json.dumps(widget) and "Token[" not in json.dumps(widget) for widget in widgets)
        assert any(NAMESPACE in metric for widget in widgets for metric in widget.get("metrics", ()))


def test_every_alarm_is_there_those_over_metric_math_included(product: Product) -> None:
    alarms = [
        alarm
        for page in product.laptop.client("cloudwatch").get_paginator("describe_alarms").paginate()
        for alarm in page["MetricAlarms"]
        if "docs/runbook.md#" in alarm.get("AlarmDescription", "")
    ]
    sections = {alarm["AlarmDescription"].rpartition("#")[2] for alarm in alarms}
    assert {"dead-letters", "sweep-silent", "reconciler-silent", "idle-spend", "savings-collapsed"} <= sections
    [savings] = [alarm for alarm in alarms if "saved team default " in alarm["AlarmDescription"]]
    assert [query["Id"] for query in savings["Metrics"] if "MetricStat" in query] == ["training", "billable"]


def test_saved_queries_name_log_groups_that_exist(product: Product) -> None:
    logs = product.laptop.client("logs")
    groups = {
        item["logGroupName"]
        for page in logs.get_paginator("describe_log_groups").paginate()
        for item in page["logGroups"]
    }
    queries = [
        item for item in logs.describe_query_definitions()["queryDefinitions"] if item["name"].startswith("trainops/")
    ]
    assert queries
    for query in queries:
        assert set(query["logGroupNames"]) <= groups
