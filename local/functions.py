"""What an operator does to a deployed function by hand: find it, run it as scheduled, read its log, restart it."""

import json
from datetime import datetime
from typing import Any


def find(functions: Any, part: str) -> str:
    """The name of the one function whose name has this part; `functions` is a boto3 `lambda` client."""
    pages = functions.get_paginator("list_functions").paginate()
    [found] = [name for page in pages for entry in page["Functions"] if part in (name := entry["FunctionName"])]
    return str(found)


def run_scheduled(functions: Any, name: str, moment: datetime) -> None:
    """Invoke with the payload of a schedule at that moment; a RuntimeError says what the function raised."""
    _, _, _, region, account, *_ = functions.get_function_configuration(FunctionName=name)["FunctionArn"].split(":")
    event = {"time": moment.isoformat(), "account": account, "region": region}
    answer = functions.invoke(FunctionName=name, Payload=json.dumps(event))
    if "FunctionError" in answer:
        raise RuntimeError(f"{name}: {answer['Payload'].read().decode()}")


def log_events(logs: Any, group: str, **between: int) -> list[dict[str, Any]]:
    """Everything in a log group; `logs` is a boto3 `logs` client, `between` startTime and endTime of FilterLogEvents in
    milliseconds.
    """
    pages = logs.get_paginator("filter_log_events").paginate(logGroupName=group, **between)
    return [event for page in pages for event in page["events"]]


def restart(functions: Any, name: str) -> None:
    """Give a function a new process, which remembers no secret and no parameter."""
    variables = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    count = int(variables.get("RESTARTED", "0")) + 1
    functions.update_function_configuration(
        FunctionName=name, Environment={"Variables": {**variables, "RESTARTED": str(count)}}
    )
