"""SageMaker's quotas that concern training: how they are called, and which a deployment wants.

Names are those of Service Quotas and of SageMaker's own refusals (general reference, SageMaker endpoints and quotas).
Those of single instance types are matched whole and without regard to case, so that `ml.g5.xlarge for training job
usage` is never taken for `ml.g5.xlarge for training warm pool usage`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class QuotaKind(StrEnum):
    """What instances of one type are limited for; raising one of these quotas does nothing for another."""

    TRAINING = "training"
    SPOT = "spot"
    WARM_POOL = "warm_pool"
    PROCESSING = "processing"
    """Debugger and profiler rules run as processing jobs."""


NAMES = {
    QuotaKind.TRAINING: "{} for training job usage",
    QuotaKind.SPOT: "{} for spot training job usage",
    QuotaKind.WARM_POOL: "{} for training warm pool usage",
    QuotaKind.PROCESSING: "{} for processing job usage",
}


@dataclass(frozen=True, slots=True)
class QuotaId:
    """Which quota is meant. Account-wide ones are known by their published code, since their names were only seen in
    third-party audits; those of a type by their exact name, and a code is then no more than a hint.
    """

    name: str
    code: str | None = None

    @property
    def key(self) -> str:
        """The same for every spelling of the name."""
        return quota_key(self.name)

    def fits(self, name: str, code: str) -> bool:
        """Whether what the API showed is this quota."""
        return code == self.code or quota_key(name) == self.key


ALL_TRAINING = QuotaId("Number of instances across all training jobs", "L-00C91CB5")
ALL_SPOT = QuotaId("Number of instances across all spot training jobs", "L-93958082")
LONGEST_RUN = QuotaId("Longest run time for a training job", "L-33A961FD")
ACCOUNT_WIDE = {
    "training_instances": ALL_TRAINING,
    "spot_training_instances": ALL_SPOT,
    "instances_per_job": QuotaId("Maximum number of instances per training job", "L-622CFD70"),
    "instances_per_spot_job": QuotaId("Maximum number of instances per spot training job", "L-DB62C864"),
    "processing_instances": QuotaId("Number of instances across all processing jobs", "L-F311B08F"),
    "longest_run_seconds": LONGEST_RUN,
    "volume_gb": QuotaId("Size of EBS volume for a training job instance", "L-C5A266EB"),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What one deployment wants of one quota."""

    quota: QuotaId
    value: int


def quota_key(name: str) -> str:
    """A quota's name as it is compared and stored."""
    return " ".join(name.split()).casefold()


def quota_name(kind: QuotaKind, instance_type: str) -> str:
    """The name of a type's quota, as Service Quotas writes it."""
    return NAMES[kind].format(instance_type)


def kind_of(name: str) -> tuple[QuotaKind, str] | None:
    """What a quota of one instance type limits, and the type; None for every other quota."""
    key = quota_key(name)
    for kind, pattern in NAMES.items():
        instance_type, found, rest = key.partition(pattern.removeprefix("{}"))
        if found and not rest and instance_type.startswith("ml.") and " " not in instance_type:
            return kind, instance_type
    return None


def wishes(properties: Mapping[str, Any]) -> Iterator[Wish]:
    """What a custom resource's properties ask for; CloudFormation makes text of every number. Raises ValueError or
    KeyError naming what is none of ours.
    """
    for instance_type, wanted in properties.get("InstanceTypes", {}).items():
        for kind, value in wanted.items():
            yield Wish(QuotaId(quota_name(QuotaKind(kind), instance_type)), int(value))
    for name, value in properties.get("Account", {}).items():
        yield Wish(ACCOUNT_WIDE[name], int(value))
