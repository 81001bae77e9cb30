"""The operations of SageMaker's API that concern training jobs: authorise, validate, act, answer.

One method per operation; each returns the response as botocore would show it (dates as datetimes).
"""

from local.sagemaker import conditions
from local.sagemaker.callers import Caller, Json, Operation, authorise_pass_role, check_trust
from local.sagemaker.describe import describe
from local.sagemaker.errors import ServiceError, validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.listing import list_training_jobs
from local.sagemaker.model import check_request, check_response
from local.sagemaker.rules import KEEP_ALIVE, check_create
from local.sagemaker.search import search, visibility_keys
from local.sagemaker.simulator import Scope, Simulator
from local.sagemaker.tags import MOST, Tagged, TagOperations
from local.sagemaker.tuning import Tunings
from local.sagemaker.tuning_api import TuningOperations


class Api:
    """All operations on one simulator; its tuning jobs live here, as only they need to follow training jobs."""

    def __init__(self, simulator: Simulator, tags_page: int = MOST) -> None:
        self._simulator = simulator
        self._tunings = Tunings(simulator)
        self._operations: dict[str, Operation] = {
            "CreateTrainingJob": self._create,
            "DescribeTrainingJob": self._describe,
            "ListTrainingJobs": self._list,
            "StopTrainingJob": self._stop,
            "UpdateTrainingJob": self._update,
            "DeleteTrainingJob": self._delete,
            "Search": self._search,
            **TagOperations(self._taggable, tags_page).operations(),
            **TuningOperations(self._tunings).operations(),
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

    def _taggable(self, scope: Scope) -> list[Tagged]:
        """Everything of a scope that can have tags."""
        return [*self._simulator.jobs(scope), *self._tunings.jobs(scope)]

    def _create(self, caller: Caller, request: Json) -> Json:
        arn, role = self._simulator.arn(caller.scope, request["TrainingJobName"]), request["RoleArn"]
        caller.authorise("sagemaker:CreateTrainingJob", arn, conditions.create_keys(request, caller.scope))
        if tags := request.get("Tags"):
            caller.authorise("sagemaker:AddTags", arn, conditions.tagging_keys(tags, "CreateTrainingJob"))
        authorise_pass_role(caller, role, arn)
        check_create(request)
        check_trust(caller, role, arn)
        return {"TrainingJobArn": self._simulator.create(caller.scope, request, caller.session_keys).arn}

    def _describe(self, caller: Caller, request: Json) -> Json:
        return describe(self._job("DescribeTrainingJob", caller, request))

    def _list(self, caller: Caller, request: Json) -> Json:
        caller.authorise("sagemaker:ListTrainingJobs", "*", {})
        return list_training_jobs(self._simulator.jobs(caller.scope), request)

    def _search(self, caller: Caller, request: Json) -> Json:
        caller.authorise("sagemaker:Search", "*", visibility_keys(request))
        return search(self._simulator.jobs(caller.scope), request)

    def _stop(self, caller: Caller, request: Json) -> Json:
        job = self._job("StopTrainingJob", caller, request)
        if job.ended is not None:
            raise validation(f"The request was rejected because the training job is in status {job.status}: {job.arn}")
        self._simulator.stop(job, self._simulator.clock.now())
        self._simulator.tick()
        return {}

    def _update(self, caller: Caller, request: Json) -> Json:
        job = self._job("UpdateTrainingJob", caller, request, conditions.update_keys(request))
        resources = request.get("ResourceConfig")
        if others := set(request) - {"TrainingJobName", "ResourceConfig"}:
            raise validation(f"An update of {', '.join(sorted(others))} is not simulated on this machine")
        if resources is None:
            raise validation("Invalid UpdateTrainingJobRequest, the request cannot be empty")
        self._simulator.keep_alive(job, resources[KEEP_ALIVE])
        return {"TrainingJobArn": job.arn}

    def _delete(self, caller: Caller, request: Json) -> Json:
        self._job("DeleteTrainingJob", caller, request)
        self._simulator.delete(caller.scope, request["TrainingJobName"])
        return {}

    def _job(self, action: str, caller: Caller, request: Json, keys: Json | None = None) -> TrainingJob:
        """Authorise on the job's ARN first, so that a stranger does not learn whether it exists."""
        name = request["TrainingJobName"]
        found = self._simulator.find(caller.scope, name)
        caller.authorise(
            f"sagemaker:{action}",
            self._simulator.arn(caller.scope, name),
            {**conditions.resource_tags(found), **(keys or {})},
        )
        return self._simulator.get(caller.scope, name)
