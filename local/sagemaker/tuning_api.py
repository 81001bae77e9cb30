"""The operations on hyperparameter tuning jobs: authorise, validate, act, answer."""

from local.sagemaker import conditions
from local.sagemaker.callers import Caller, Json, Operation, authorise_pass_role, check_trust
from local.sagemaker.errors import validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.listing import key_of, within_times
from local.sagemaker.paging import Place, cut
from local.sagemaker.tuning import Tunings
from local.sagemaker.tuning_job import TuningJob, tuning_arn
from local.sagemaker.tuning_rules import check_tuning
from local.sagemaker.tuning_shapes import child_summary, describe, summary
from local.sagemaker.tuning_values import definitions

NAME = "HyperParameterTuningJobName"


class TuningOperations:
    """Create, Describe, Stop and both lists; all lists here default to ten, by Name, ascending (API model)."""

    def __init__(self, tunings: Tunings) -> None:
        self._tunings = tunings

    def operations(self) -> dict[str, Operation]:
        """By the names of the API."""
        return {
            "CreateHyperParameterTuningJob": self._create,
            "DescribeHyperParameterTuningJob": self._describe,
            "ListHyperParameterTuningJobs": self._list,
            "ListTrainingJobsForHyperParameterTuningJob": self._list_children,
            "StopHyperParameterTuningJob": self._stop,
        }

    def _create(self, caller: Caller, request: Json) -> Json:
        arn, tags = tuning_arn(caller.scope, request[NAME]), request.get("Tags", [])
        parts = definitions(request)
        keys = _create_keys(caller, parts)
        caller.authorise("sagemaker:CreateHyperParameterTuningJob", arn, {**conditions.tag_keys(tags), **keys})
        if tags:
            told = conditions.tagging_keys(tags, "CreateHyperParameterTuningJob")
            caller.authorise("sagemaker:AddTags", arn, told)
        roles = sorted({part["RoleArn"] for part in parts})
        for role in roles:
            authorise_pass_role(caller, role, arn)
        check_tuning(request, arn)
        for role in roles:
            check_trust(caller, role, arn)
        return {"HyperParameterTuningJobArn": self._tunings.create(caller.scope, request).arn}

    def _describe(self, caller: Caller, request: Json) -> Json:
        return describe(self._job("DescribeHyperParameterTuningJob", caller, request), self._tunings.now)

    def _stop(self, caller: Caller, request: Json) -> Json:
        job = self._job("StopHyperParameterTuningJob", caller, request)
        if job.ended is not None:
            raise validation(f"The request was rejected because the tuning job is in status {job.status}: {job.arn}")
        if job.status == "InProgress":
            self._tunings.stop(caller.scope, job)
        return {}

    def _list(self, caller: Caller, request: Json) -> Json:
        caller.authorise("sagemaker:ListHyperParameterTuningJobs", "*", {})
        found = [job for job in self._tunings.jobs(caller.scope) if _wanted(job, request)]
        page, more = cut(found, key_of({"SortBy": "Name", **request}), request, descending=_descending(request))
        return {"HyperParameterTuningJobSummaries": [summary(job) for job in page], **more}

    def _list_children(self, caller: Caller, request: Json) -> Json:
        job = self._job("ListTrainingJobsForHyperParameterTuningJob", caller, request)
        by_metric = request.get("SortBy") == "FinalObjectiveMetricValue"
        found = [child for child in job.children if request.get("StatusEquals", child.status) == child.status]
        if by_metric:
            found = [child for child in found if job.objective(child) is not None]

        def metric(child: TrainingJob) -> Place:
            value = (job.objective(child) or {}).get("Value", 0.0)
            return f"{value:020.6f}", child.name

        key = metric if by_metric else key_of({"SortBy": "Name", **request})
        page, more = cut(found, key, request, descending=_descending(request))
        return {"TrainingJobSummaries": [child_summary(job, child) for child in page], **more}

    def _job(self, action: str, caller: Caller, request: Json) -> TuningJob:
        """Authorise on the ARN before it is known whether the job exists."""
        found = self._tunings.find(caller.scope, request[NAME])
        arn = tuning_arn(caller.scope, request[NAME])
        caller.authorise(f"sagemaker:{action}", arn, conditions.resource_tags(found))
        return self._tunings.get(caller.scope, request[NAME])


def _create_keys(caller: Caller, parts: list[Json]) -> Json:
    """The keys of every definition together; sagemaker:KeepAlivePeriod is none of this action's."""
    keys: Json = {}
    for part in parts:
        for key, value in conditions.create_keys(part, caller.scope).items():
            both = isinstance(value, list) and key in keys
            keys[key] = list(dict.fromkeys([*keys[key], *value])) if both else value
    keys.pop("sagemaker:KeepAlivePeriod", None)
    return keys


def _wanted(job: TuningJob, request: Json) -> bool:
    contains = request.get("NameContains", "").lower() in job.name.lower()
    status = request.get("StatusEquals", job.status) == job.status
    return contains and status and within_times(job.created, job.modified, request)


def _descending(request: Json) -> bool:
    return bool(request.get("SortOrder") == "Descending")
