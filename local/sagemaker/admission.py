"""Whether a training job may start and whether its cluster may be retained: where quotas are plugged in.

`Simulator.admission` is asked at the two moments that AWS decides on, with what the account holds in the Region as it
is then. By the warm-pool page on resource limits a missing warm-pool quota fails no job: the pool is just not kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from local.sagemaker.jobs import TrainingJob
from local.sagemaker.scope import Scope
from local.sagemaker.usage import Usage

CheckStart = Callable[[Scope, Mapping[str, Any], Usage, bool], None]
MayRetain = Callable[[Scope, TrainingJob, Usage], bool]


def _no_limit(*_: object) -> None:
    """Lets every job start."""


def _always(*_: object) -> bool:
    """Keeps every pool."""
    return True


@dataclass(frozen=True)
class Admission:
    """Both decisions; everything is allowed unless told otherwise.

    `check_start` gets the request and whether it takes a pool, which is no new demand for instances; it raises the
    ServiceError (ResourceLimitExceeded) that CreateTrainingJob earns. `may_retain` is asked at the end of a job with
    a keep-alive period whose cluster is sound; the job still counts as running then.
    """

    check_start: CheckStart = _no_limit
    may_retain: MayRetain = _always
