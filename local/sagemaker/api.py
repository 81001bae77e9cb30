"""The operations of SageMaker's API that concern training jobs: authorise, validate, act, answer.

One method per operation; each returns the response as botocore would show it (dates as datetimes).
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from local.sagemaker import conditions
from local.sagemaker.describe import describe
from local.sagemaker.errors import ServiceError, not_found, validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.listing import list_training_jobs
from local.sagemaker.model import check_request, check_response
from local.sagemaker.rules import KEEP_ALIVE, check_create
from local.sagemaker.simulator import Scope, Simulator

Json = dict[str, Any]
PRINCIPAL = "sagemaker.amazonaws.com"


class Caller(Protocol):
    """Who sent the request; AccessDeniedException is raised as a ServiceError."""

    scope: Scope

    def authorise(self, action: str, resource: str, context: Mapping[str, Any]) -> None:
        """Evaluate the caller's policies for the action on the resource."""

    def trusted_by(self, role_arn: str, service: str) -> bool:
        """Whether the role exists and lets the service assume it."""


class Api:
    """Training-job operations on one simulator."""

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._operations: dict[str, Callable[[Caller, Json], Json]] = {
            "CreateTrainingJob": self._create,
            "DescribeTrainingJob": self._describe,
            "ListTrainingJobs": self._list,
            "StopTrainingJob": self._stop,
            "UpdateTrainingJob": self._update,
            "DeleteTrainingJob": self._delete,
            "AddTags": self._add_tags,
            "ListTags": self._list_tags,
        }

    def call(self, operation: str, caller: Caller, request: Json) -> Json:
        """Run one operation; an unknown one is an UnknownOperationException that names it."""
        run = self._operations.get(operation)
        if run is None:
            raise ServiceError("UnknownOperationException", f"{operation} is not simulated on this machine")
        check_request(operation, request)
        response = run(caller, request)
        check_response(operation, response)
        return response

    def _create(self, caller: Caller, request: Json) -> Json:
        arn, role = caller.scope.arn(request["TrainingJobName"]), request["RoleArn"]
        caller.authorise("sagemaker:CreateTrainingJob", arn, conditions.create_keys(request))
        if tags := request.get("Tags"):
            caller.authorise("sagemaker:AddTags", arn, conditions.tag_keys(tags))
        caller.authorise("iam:PassRole", role, {"iam:PassedToService": PRINCIPAL, "iam:AssociatedResourceArn": arn})
        check_create(request)
        if not caller.trusted_by(role, PRINCIPAL):
            raise validation(
                f"Could not assume role {role}. Please ensure that the role exists and allows principal "
                f"'{PRINCIPAL}' to assume the role."
            )
        return {"TrainingJobArn": self._simulator.create(caller.scope, request).arn}

    def _describe(self, caller: Caller, request: Json) -> Json:
        return describe(self._job("DescribeTrainingJob", caller, request))

    def _list(self, caller: Caller, request: Json) -> Json:
        caller.authorise("sagemaker:ListTrainingJobs", "*", {})
        return list_training_jobs(self._simulator.jobs(caller.scope), request)

    def _stop(self, caller: Caller, request: Json) -> Json:
        job = self._job("StopTrainingJob", caller, request)
        if job.ended is not None:
            raise validation(f"The request was rejected because the training job is in status {job.status}: {job.arn}")
        job.stop(self._simulator.clock.now())
        self._simulator.tick()
        return {}

    def _update(self, caller: Caller, request: Json) -> Json:
        job = self._job("UpdateTrainingJob", caller, request, conditions.update_keys(request))
        resources = request.get("ResourceConfig")
        if resources is None:
            raise validation("Invalid UpdateTrainingJobRequest, the request cannot be empty")
        self._simulator.keep_alive(job, resources[KEEP_ALIVE])
        return {"TrainingJobArn": job.arn}

    def _delete(self, caller: Caller, request: Json) -> Json:
        self._job("DeleteTrainingJob", caller, request)
        self._simulator.delete(caller.scope, request["TrainingJobName"])
        return {}

    def _add_tags(self, caller: Caller, request: Json) -> Json:
        job = self._tagged(caller, request["ResourceArn"])
        keys = {**conditions.tag_keys(request["Tags"]), **conditions.resource_tags(job)}
        caller.authorise("sagemaker:AddTags", request["ResourceArn"], keys)
        if job is None:
            raise not_found(request["ResourceArn"])
        job.tags.update({tag["Key"]: tag["Value"] for tag in request["Tags"]})
        return {"Tags": _tag_list(job)}

    def _list_tags(self, caller: Caller, request: Json) -> Json:
        job = self._tagged(caller, request["ResourceArn"])
        caller.authorise("sagemaker:ListTags", request["ResourceArn"], conditions.resource_tags(job))
        if job is None:
            raise not_found(request["ResourceArn"])
        return {"Tags": _tag_list(job)}

    def _job(self, action: str, caller: Caller, request: Json, keys: Json | None = None) -> TrainingJob:
        """Authorise on the job's ARN first, so that a stranger does not learn whether it exists."""
        name = request["TrainingJobName"]
        found = self._simulator.find(caller.scope, name)
        caller.authorise(
            f"sagemaker:{action}", caller.scope.arn(name), {**conditions.resource_tags(found), **(keys or {})}
        )
        return self._simulator.get(caller.scope, name)

    def _tagged(self, caller: Caller, arn: str) -> TrainingJob | None:
        return next((job for job in self._simulator.jobs(caller.scope) if job.arn == arn), None)


def _tag_list(job: TrainingJob) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in job.tags.items()]
