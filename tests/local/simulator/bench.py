"""Requests, callers and simulators that the tests of the SageMaker simulator share."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from local.sagemaker.api import Api
from local.sagemaker.clock import Clock
from local.sagemaker.errors import ServiceError
from local.sagemaker.plans import Plan
from local.sagemaker.simulator import Scope, Simulator

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ROLE = "arn:aws:iam::123456789012:role/training"


def create_request(name: str = "job-1", **changes: Any) -> dict[str, Any]:
    """A valid CreateTrainingJob request with the given members replaced; None removes one."""
    request = {
        "TrainingJobName": name,
        "RoleArn": ROLE,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/output"},
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2, "VolumeSizeInGB": 50},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        **changes,
    }
    return {key: value for key, value in request.items() if value is not None}


def spot_request(name: str = "job-1", *, max_wait: int = 7200, **changes: Any) -> dict[str, Any]:
    """A managed spot job."""
    stopping = {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": max_wait}
    return create_request(name, EnableManagedSpotTraining=True, StoppingCondition=stopping, **changes)


def pool_request(name: str = "job-1", *, keep_alive: int = 600, **changes: Any) -> dict[str, Any]:
    """A job that keeps its cluster."""
    resources = create_request()["ResourceConfig"] | {"KeepAlivePeriodInSeconds": keep_alive}
    return create_request(name, ResourceConfig=resources, **changes)


class Everyone:
    """A caller who may do everything but what is denied; notes what was asked."""

    is_root = False

    def __init__(
        self, *, denied: frozenset[str] = frozenset(), trusted: bool = True, session_keys: frozenset[str] = frozenset()
    ) -> None:
        self.scope = Scope("123456789012", "eu-central-1")
        self.session_keys = session_keys
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self._denied, self._trusted = denied, trusted

    def authorise(self, action: str, resource: str, context: Mapping[str, Any]) -> None:
        self.asked.append((action, resource, dict(context)))
        if action in self._denied:
            raise ServiceError("AccessDeniedException", action)

    def trusted_by(self, role_arn: str, service: str, source_arn: str) -> bool:
        return self._trusted


class Bench:
    """An Api on a stepped clock, with the events that it published."""

    def __init__(self, caller: Everyone | None = None, **plans: Plan) -> None:
        self.events: list[dict[str, Any]] = []
        self.clock = Clock.stepped(START)
        self.caller = caller or Everyone()
        self.simulator = Simulator(self.clock, lambda _scope, entry: self.events.append(entry))
        self.simulator.plans.update({name.replace("_", "-"): plan for name, plan in plans.items()})
        self._api = Api(self.simulator)

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        """One request, as the protocol layer hands it over."""
        return self._api.call(operation, self.caller, request)

    def pass_time(self, seconds: float) -> None:
        """Step the clock and let the simulator notice."""
        self.clock.advance(timedelta(seconds=seconds))
        self.simulator.tick()

    def describe(self, name: str = "job-1") -> dict[str, Any]:
        """DescribeTrainingJob."""
        return self.call("DescribeTrainingJob", TrainingJobName=name)

    def statuses(self, name: str = "job-1") -> list[str]:
        """The secondary statuses so far."""
        return [step["Status"] for step in self.describe(name)["SecondaryStatusTransitions"]]


def code_of(error: BaseException) -> str:
    """The AWS error code."""
    assert isinstance(error, ServiceError)
    return error.code
