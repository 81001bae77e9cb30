"""How long a training job needs before it trains: cold, or on the instances of a warm pool.

The P90 seconds by input mode are a published benchmark of warm pools (Amazon FSx 136 cold and 19 warm, FastFile 143
and 21, File 176 and 70), known to us from a second hand.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from local.sagemaker.chance import around_p90
from local.sagemaker.plans import Plan

P90 = {"FSx": (136.0, 19.0), "FastFile": (143.0, 21.0), "File": (176.0, 70.0)}
"""Seconds from the request to Training, cold and warm."""
STARTING_PART = 0.8  # of those seconds; the rest is Downloading (our choice)


def with_startup(plan: Plan, request: Mapping[str, Any], *, warm: bool) -> Plan:
    """The plan with its Starting and Downloading as they will be on this cluster.

    A scripted plan keeps its seconds on a cold cluster and is shortened in the benchmark's proportion on a warm one.
    """
    cold_p90, warm_p90 = P90[input_mode(request)]
    if plan.startup == "measured":
        total = around_p90(warm_p90 if warm else cold_p90, plan.seed, request["TrainingJobName"], "startup")
        plan = replace(plan, starting_seconds=total * STARTING_PART, downloading_seconds=total * (1 - STARTING_PART))
    elif warm:
        plan = replace(plan, starting_seconds=plan.starting_seconds * warm_p90 / cold_p90)
    if warm:
        plan = replace(plan, capacity_wait_seconds=0)  # the instances are there
    if warm and plan.warm_starting_seconds is not None:
        plan = replace(plan, starting_seconds=plan.warm_starting_seconds)
    return plan


def input_mode(request: Mapping[str, Any]) -> str:
    """FSx when a channel is on a file system, else the input mode; Pipe streams like FastFile."""
    channels = request.get("InputDataConfig", [])
    if any("FileSystemDataSource" in channel.get("DataSource", {}) for channel in channels):
        return "FSx"
    modes = [channel.get("InputMode") for channel in channels]
    mode = next(filter(None, modes), request.get("AlgorithmSpecification", {}).get("TrainingInputMode"))
    return "FastFile" if mode in {"FastFile", "Pipe"} else "File"
