"""Instance quotas as the decision on starting jobs and retaining pools: to be set as `Simulator.admission`.

Sources: the general reference's table of SageMaker quotas (one per instance type for training, spot training and
warm pools) and the warm-pool page on resource limits: a pool counts towards the training quota of its type too, until
it is reused or terminated; without a warm-pool quota the job runs and the pool is not kept.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from local.sagemaker.admission import Admission
from local.sagemaker.errors import ServiceError, validation
from local.sagemaker.jobs import TrainingJob
from local.sagemaker.scope import Scope

Applied = Callable[[Scope, str], float]
"""The value in force of a quota by its exact name; KeyError when there is no such quota."""
TRAINING = "{} for training job usage"
SPOT = "{} for spot training job usage"
WARM_POOL = "{} for training warm pool usage"


def instances(request: Mapping[str, Any]) -> Counter[str]:
    """How many instances of which type a request asks for; one with InstancePreferences names none yet."""
    resources = request.get("ResourceConfig", {})
    groups = resources.get("InstanceGroups") or [resources]
    found: Counter[str] = Counter()
    for group in groups:
        if kind := group.get("InstanceType"):
            found[kind] += group.get("InstanceCount", 1)
    return found


def admission_by(applied: Applied) -> Admission:
    """Both decisions, by the values that `applied` gives at that moment."""
    quotas = _Quotas(applied)
    return Admission(check_start=quotas.check_start, may_retain=quotas.may_retain)


@dataclass(frozen=True)
class _Quotas:
    applied: Applied

    def check_start(self, scope: Scope, request: Mapping[str, Any], jobs: Collection[TrainingJob], warm: bool) -> None:
        """ResourceLimitExceeded names the quota; a type without one is not available (reported wordings)."""
        if warm:
            return
        spot = bool(request.get("EnableManagedSpotTraining"))
        for kind, asked in instances(request).items():
            name = (SPOT if spot else TRAINING).format(kind)
            used = sum(instances(job.request)[kind] for job in jobs if job.holds_cluster and job.is_spot == spot)
            try:
                limit = self.applied(scope, name)
            except KeyError as error:
                raise validation(f"training-job/{kind} is not available in this region") from error
            if used + asked > limit:
                raise exceeded(name, limit, used, asked)

    def may_retain(self, scope: Scope, job: TrainingJob, jobs: Collection[TrainingJob]) -> bool:
        """Whether the pool of the job's type still fits; a type without warm-pool quota keeps none."""
        pools = [other for other in jobs if other.ended is not None and other.holds_cluster and other is not job]
        for kind, asked in instances(job.request).items():
            try:
                limit = self.applied(scope, WARM_POOL.format(kind))
            except KeyError:
                return False
            if sum(instances(other.request)[kind] for other in pools) + asked > limit:
                return False
        return True


def exceeded(name: str, limit: float, used: int, asked: int) -> ServiceError:
    """The refusal in the wording that users report."""
    return ServiceError(
        "ResourceLimitExceeded",
        f"The account-level service limit '{name}' is {limit:g} Instances, with current utilization of {used} "
        f"Instances and a request delta of {asked} Instances. Please use AWS Service Quotas to request an increase "
        "for this quota. If AWS Service Quotas is not available, contact AWS support to request an increase for this "
        "quota.",
    )
