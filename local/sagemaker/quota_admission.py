"""Quotas as the decision on starting jobs and retaining pools: to be set as `Simulator.admission`.

Sources: the general reference's table of SageMaker quotas (one per instance type for training, spot training and
warm pools; and those of the account) and the warm-pool page on resource limits: a pool counts towards the training
quota of its type too, until it is reused or terminated; without a warm-pool quota the job runs and no pool is kept.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from local.sagemaker.admission import Admission
from local.sagemaker.errors import ServiceError, validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.scope import Scope
from local.sagemaker.stopping import ONE_DAY
from local.sagemaker.usage import Usage, instances

Applied = Callable[[Scope, str], float]
"""The value in force of a quota by its exact name; KeyError when there is no such quota."""
TRAINING = "{} for training job usage"
SPOT = "{} for spot training job usage"
WARM_POOL = "{} for training warm pool usage"
ALL_TRAINING = "Number of instances across all training jobs"
ALL_SPOT = "Number of instances across all spot training jobs"
PER_JOB = "Maximum number of instances per training job"
PER_SPOT_JOB = "Maximum number of instances per spot training job"
LONGEST_RUN = "Longest run time for a training job"
VOLUME = "Size of EBS volume for a training job instance"


@dataclass(frozen=True)
class Demand:
    """What a request asks of one quota, on top of what is used of it."""

    quota: str
    asked: int
    used: int = 0
    unit: str = "Instances"

    def refusal(self, limit: float) -> ServiceError | None:
        """ResourceLimitExceeded, in the wording that users report, when the demand does not fit."""
        if not self.asked or self.used + self.asked <= limit:
            return None
        return ServiceError(
            "ResourceLimitExceeded",
            f"The account-level service limit '{self.quota}' is {limit:.0f} {self.unit}, with current utilization of "
            f"{self.used} {self.unit} and a request delta of {self.asked} {self.unit}. Please use AWS Service Quotas "
            "to request an increase for this quota. If AWS Service Quotas is not available, contact AWS support to "
            "request an increase for this quota.",
        )


def admission_by(applied: Applied) -> Admission:
    """Both decisions, by the values that `applied` gives at that moment."""
    quotas = _Quotas(applied)
    return Admission(check_start=quotas.check_start, may_retain=quotas.may_retain)


@dataclass(frozen=True)
class _Quotas:
    applied: Applied

    def check_start(self, scope: Scope, request: Mapping[str, Any], usage: Usage, warm: bool) -> None:
        """The first quota that is exceeded, those of instance types first; a type without one is not available.

        A quota of the account that does not exist limits nothing.
        """
        for kind in instances(request):
            if self._limit(scope, _of_type(request).format(kind)) is None:
                raise validation(f"training-job/{kind} is not available in this region")
        for demand in (*(() if warm else _instances(request, usage)), *_alone(request)):
            limit = self._limit(scope, demand.quota)
            if limit is not None and (refusal := demand.refusal(limit)) is not None:
                raise refusal

    def may_retain(self, scope: Scope, job: TrainingJob, usage: Usage) -> bool:
        """Whether the pool of the job's type still fits; a type without warm-pool quota keeps none."""
        limits = {kind: self._limit(scope, WARM_POOL.format(kind)) for kind in instances(job.request)}
        return all(
            (limit := limits[kind]) is not None and usage.pools[kind] + asked <= limit
            for kind, asked in instances(job.request).items()
        )

    def _limit(self, scope: Scope, name: str) -> float | None:
        try:
            return self.applied(scope, name)
        except KeyError:
            return None


def _is_spot(request: Mapping[str, Any]) -> bool:
    return bool(request.get("EnableManagedSpotTraining"))


def _of_type(request: Mapping[str, Any]) -> str:
    return SPOT if _is_spot(request) else TRAINING


def _instances(request: Mapping[str, Any], usage: Usage) -> Iterator[Demand]:
    """Instances beside those that are held; a warm start has them already."""
    used, everywhere = (usage.spot, ALL_SPOT) if _is_spot(request) else (usage.training, ALL_TRAINING)
    asked = instances(request)
    for kind, count in asked.items():
        yield Demand(_of_type(request).format(kind), count, used[kind])
    yield Demand(everywhere, asked.total(), used.total())


def _alone(request: Mapping[str, Any]) -> Iterator[Demand]:
    """What the request asks for by itself, whatever runs."""
    yield Demand(PER_SPOT_JOB if _is_spot(request) else PER_JOB, instances(request).total())
    longest = request.get("StoppingCondition", {}).get("MaxRuntimeInSeconds", ONE_DAY)
    yield Demand(LONGEST_RUN, longest, unit="Seconds")
    yield Demand(VOLUME, request.get("ResourceConfig", {}).get("VolumeSizeInGB", 0), unit="Gigabytes")
