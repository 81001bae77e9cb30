"""Every SageMaker quota of the laptop: code, name, default value.

`codes.tsv` holds the codes that are published for training (general reference, SageMaker endpoints and quotas; a few
come from public audits); `-` says that there is no such quota. AWS lists more than 1,500 quotas, of which a caller
has to find its own: the rest is filled in for the instance types of botocore's model, with codes made up here.
"""

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from local.sagemaker.model import service_model
from local.sagemaker.quota_admission import (
    ALL_SPOT,
    ALL_TRAINING,
    LONGEST_RUN,
    PER_JOB,
    PER_SPOT_JOB,
    SPOT,
    TRAINING,
    VOLUME,
    WARM_POOL,
)

MADE_UP = "The code of this quota is made up by the local AWS."
WITHOUT_TRAINING = frozenset({"ml.t3.medium"})
ACCOUNT_WIDE = (
    ("L-00C91CB5", ALL_TRAINING, 4, "None"),
    ("L-93958082", ALL_SPOT, 4, "None"),
    ("L-622CFD70", PER_JOB, 20, "None"),
    ("L-DB62C864", PER_SPOT_JOB, 20, "None"),
    ("L-F311B08F", "Number of instances across all processing jobs", 4, "None"),
    ("L-33A961FD", LONGEST_RUN, 432_000, "Seconds"),
    ("L-C5A266EB", VOLUME, 1024, "Gigabytes"),
)
FURTHER = (
    ("ProcessingInstanceType", "{} for processing job usage"),
    ("TransformInstanceType", "{} for transform job usage"),
    ("ProductionVariantInstanceType", "{} for endpoint usage"),
    ("InstanceType", "{} for notebook instance usage"),
    ("ClusterInstanceType", "{} for cluster usage"),
    ("AppInstanceType", "Studio KernelGateway Apps running on {} instance"),
    ("AppInstanceType", "Studio JupyterLab Apps running on {} instance"),
)


@dataclass(frozen=True)
class Quota:
    """One quota; `listed` false has only a default until a value was applied, `metric` names its usage metric."""

    code: str
    name: str
    default: float
    unit: str = "None"
    made_up: bool = False
    listed: bool = True
    metric: str | None = None


@cache
def by_code() -> dict[str, Quota]:
    """All quotas in the order in which they are listed."""
    found = [*_account_wide(), *_training(), *_further()]
    return {quota.code: quota for quota in sorted(found, key=lambda quota: quota.code)}


@cache
def by_name() -> dict[str, Quota]:
    """All quotas by their exact name."""
    return {quota.name: quota for quota in by_code().values()}


def _account_wide() -> Iterator[Quota]:
    for code, name, default, unit in ACCOUNT_WIDE:
        yield Quota(code, name, default, unit)


def _training() -> Iterator[Quota]:
    with (Path(__file__).parent / "codes.tsv").open(encoding="utf-8", newline="") as file:
        published = {row["type"]: row for row in csv.DictReader(file, delimiter="\t")}
    types = {*published, *service_model().shape_for("TrainingInstanceType").metadata["enum"]}
    for kind in sorted(types - WITHOUT_TRAINING):
        row = published.get(kind, {})
        if (code := row.get("training")) != "-":
            yield _quota(code, TRAINING.format(kind), metric=f"training-job/{kind}")
        if (code := row.get("spot")) != "-":
            yield _quota(code, SPOT.format(kind), float(row.get("spot_default", 0)))
        if (code := row.get("warm_pool")) != "-":
            yield _quota(code, WARM_POOL.format(kind), listed=bool(code))


def _further() -> Iterator[Quota]:
    for shape, name in FURTHER:
        for kind in service_model().shape_for(shape).metadata["enum"]:
            yield _quota(None, name.format(kind))


def _quota(
    code: str | None, name: str, default: float = 0.0, *, listed: bool = True, metric: str | None = None
) -> Quota:
    made_up = code or f"L-{hashlib.sha256(name.encode()).hexdigest()[:8].upper()}"
    return Quota(made_up, name, default, made_up=not code, listed=listed, metric=metric)
