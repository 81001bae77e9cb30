"""How training jobs fail: the kinds that FailureReason begins with, and what each does to the job's course.

AlgorithmError and ClientError are the user's; CapacityError comes after waiting in Starting; InternalServerError is
the only kind that a RetryStrategy repeats (API shape RetryStrategy). The texts are shortened reported ones.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from local.sagemaker.plans import Plan

INTERNAL = "InternalServerError: We encountered an internal error. Please try again."
NO_CAPACITY = (
    "CapacityError: Unable to provision requested ML compute capacity. Please retry using a different ML instance type."
)
LONGEST_REASON = 1024  # API shape FailureReason
KINDS = ("AlgorithmError", "ClientError", "CapacityError", "InternalServerError")


def plan_fields(kind: str, exit_code: int = 1) -> dict[str, Any]:
    """The fields of a plan that make a job fail in this way; an unknown kind is a ValueError."""
    if kind == "AlgorithmError":
        return {"outcome": "Failed", "failure_reason": f"AlgorithmError: ExecuteUserScriptError: ExitCode {exit_code}"}
    if kind == "ClientError":
        reason = "ClientError: Data download failed: no S3 objects found under the given S3 URL"
        return {"outcome": "Failed", "failure_reason": reason, "fails_in": "Downloading"}
    if kind == "CapacityError":
        failing = {"outcome": "Failed", "failure_reason": NO_CAPACITY, "fails_in": "Starting"}
        return {**failing, "capacity_wait_seconds": 1800}
    if kind == "InternalServerError":
        return {"internal_errors": 1}
    raise ValueError(f"failure must be one of {list(KINDS)}, not {kind!r}")


def plan_from_json(body: Mapping[str, Any]) -> Plan:
    """A plan that may name its failure by `failure` and `exit_code`; fields beside them have precedence."""
    kind, exit_code = body.get("failure"), body.get("exit_code", 1)
    own = {name: value for name, value in body.items() if name not in {"failure", "exit_code"}}
    return Plan.from_json({**(plan_fields(kind, exit_code) if kind else {}), **own})


def settled(plan: Plan, request: Mapping[str, Any]) -> Plan:
    """The plan once the request's RetryStrategy is known: `internal_errors` are those that it repeats.

    One error more than MaximumRetryAttempts fails the job. A reason is as long as the API allows.
    """
    plan = replace(plan, failure_reason=plan.failure_reason[:LONGEST_REASON])
    retries = request.get("RetryStrategy", {}).get("MaximumRetryAttempts", 0)
    if plan.internal_errors <= retries:
        return plan
    return replace(plan, internal_errors=retries, outcome="Failed", failure_reason=INTERNAL)
