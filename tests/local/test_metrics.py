"""CloudWatch of the local AWS: log lines become metrics once, at the simulated time; math in queries and alarms."""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from local.laptop import Laptop
from local.waiting import until

pytestmark = pytest.mark.local
TRUST = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
CODE = """
import json, time

def handler(event, context):
    metric = {"Name": "Told", "Unit": "Count"}
    directive = {"Namespace": "embedded", "Dimensions": [["team"]], "Metrics": [metric]}
    about = {"Timestamp": int(time.time() * 1000), "CloudWatchMetrics": [directive]}
    print(json.dumps({"_aws": about, "team": "vision", "Told": event["told"]}))
"""


@pytest.fixture(scope="module")
def function(laptop: Laptop) -> Iterator[str]:
    """A function that writes one line in the embedded metric format."""
    role = laptop.client("iam").create_role(
        RoleName="embedded", AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})
    )
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as folder:
        folder.writestr("embedded.py", CODE)
    lambdas = laptop.client("lambda")
    lambdas.create_function(
        FunctionName="embedded", Runtime="python3.13", Role=role["Role"]["Arn"], Handler="embedded.handler",
        Code={"ZipFile": archive.getvalue()},
    )  # fmt: skip
    yield "embedded"
    lambdas.delete_function(FunctionName="embedded")


def tell(laptop: Laptop, function: str, told: list[float]) -> None:
    laptop.client("lambda").invoke(FunctionName=function, Payload=json.dumps({"told": told}))


def asked(laptop: Laptop, *queries: dict[str, Any]) -> dict[str, list[float]]:
    """Values by label of the last three simulated hours."""
    now = laptop.control.now()
    answer = laptop.client("cloudwatch").get_metric_data(
        StartTime=now - timedelta(hours=3), EndTime=now + timedelta(minutes=1), MetricDataQueries=list(queries)
    )
    return {result["Label"]: result["Values"] for result in answer["MetricDataResults"]}


def told(statistic: str, name: str = "told") -> dict[str, Any]:
    metric = {"Namespace": "embedded", "MetricName": "Told", "Dimensions": [{"Name": "team", "Value": "vision"}]}
    return {"Id": name, "Label": name, "MetricStat": {"Metric": metric, "Period": 86400, "Stat": statistic}}


def test_a_log_line_is_a_metric_once_and_at_the_simulated_time(laptop: Laptop, function: str) -> None:
    laptop.control.advance(timedelta(days=2))
    tell(laptop, function, [1, 2, 3, 10])
    until(lambda: asked(laptop, told("Sum"))["told"], "the metric")
    assert asked(laptop, told("Sum"), told("SampleCount", "count"), told("p50", "median")) == {
        "told": [16], "count": [4], "median": [2.5],
    }  # fmt: skip
    laptop.control.advance(timedelta(days=2))
    assert asked(laptop, told("Sum")) == {"told": []}


def test_expressions_are_evaluated_and_wrong_ones_refused(laptop: Laptop, function: str) -> None:
    laptop.control.advance(timedelta(days=2))
    tell(laptop, function, [4])
    until(lambda: asked(laptop, told("Sum"))["told"], "the metric")
    search = "SUM(SEARCH('{embedded,team} MetricName=\"Told\"', 'Sum', 86400))"
    double = {"Id": "double", "Label": "double", "Expression": "2 * told"}
    found = asked(laptop, told("Sum") | {"ReturnData": False}, double, {"Id": "all", "Expression": search})
    assert found == {"double": [8], "all": [4]}
    assert asked(laptop, told("Sum"), {"Id": "filled", "Label": "filled", "Expression": "FILL(told, 0)"}) == {
        "told": [4], "filled": [4],
    }  # fmt: skip
    cloudwatch = laptop.client("cloudwatch")
    with pytest.raises(cloudwatch.exceptions.ClientError, match="no metric or expression has the id missing"):
        asked(laptop, {"Id": "wrong", "Expression": "missing + 1"})


def test_an_alarm_on_math_rises_and_falls_with_simulated_time(laptop: Laptop, function: str) -> None:
    cloudwatch = laptop.client("cloudwatch")

    def state() -> str:
        return str(cloudwatch.describe_alarms(AlarmNames=["math"])["MetricAlarms"][0]["StateValue"])

    stat = told("Sum") | {"ReturnData": False}
    stat["MetricStat"]["Period"] = 300
    cloudwatch.put_metric_alarm(
        AlarmName="math", Metrics=[stat, {"Id": "double", "Expression": "2 * told"}], EvaluationPeriods=1, Threshold=5,
        ComparisonOperator="GreaterThanThreshold", TreatMissingData="notBreaching",
    )  # fmt: skip
    laptop.control.advance(timedelta(days=2))
    tell(laptop, function, [3])
    until(lambda: state() == "ALARM", "the alarm")
    laptop.control.advance(timedelta(hours=1))
    until(lambda: state() == "OK", "the end of the alarm")


def test_a_queues_depth_is_published_every_minute(laptop: Laptop) -> None:
    sqs = laptop.client("sqs")
    url = sqs.create_queue(QueueName="measured")["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="one")
    laptop.control.advance(timedelta(days=2))
    metric = {"Namespace": "AWS/SQS", "MetricName": "ApproximateNumberOfMessagesVisible",
              "Dimensions": [{"Name": "QueueName", "Value": "measured"}]}  # fmt: skip
    query = {"Id": "depth", "Label": "depth", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Maximum"}}
    until(lambda: asked(laptop, query)["depth"] == [1], "the depth")
    sqs.delete_queue(QueueUrl=url)
