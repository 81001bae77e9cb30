"""What a template says about CloudWatch, with references replaced by the names they point at."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.infrastructure.conftest import Deployment


def flat(value: Any) -> str:
    """Text as CloudFormation would put it together."""
    if isinstance(value, str):
        return value
    [(kind, argument)] = value.items()
    if kind == "Fn::Join":
        return str(argument[0]).join(flat(part) for part in argument[1])
    if kind == "Fn::GetAtt":
        return str(argument[0])
    return str(argument) if isinstance(argument, str) else flat(argument)


def dashboard(deployment: Deployment, kind: str) -> Mapping[str, Any]:
    """The body of the dashboard whose name says `overview` or `team`."""
    bodies = {
        flat(item["DashboardName"]): json.loads(flat(item["DashboardBody"]))
        for item in deployment.properties("AWS::CloudWatch::Dashboard")
    }
    [name] = [name for name in bodies if f"-{kind}-" in name]
    found: Mapping[str, Any] = bodies[name]
    return found


def plotted(body: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str, Mapping[str, Any]]]:
    """Namespace, name, dimension, its value and options of each metric in a dashboard; expressions are none."""
    for widget in body["widgets"]:
        for metric in widget["properties"].get("metrics", ()):
            if isinstance(metric[0], str):
                namespace, name, dimension, value, *options = metric
                yield namespace, name, dimension, value, options[0] if options else {}


def expressions(body: Mapping[str, Any]) -> Iterator[str]:
    """The metric math of a dashboard."""
    for widget in body["widgets"]:
        for metric in widget["properties"].get("metrics", ()):
            if isinstance(metric[0], dict):
                yield metric[0]["expression"]
