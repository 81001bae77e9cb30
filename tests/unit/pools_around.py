"""A job that left a pool, and one that started cold ten minutes after it, as the tests compare them."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.builders import at, description, price, record
from trainops.domain.pool_misses import PoolMiss
from trainops.domain.pools_not_reused import why_not_reused
from trainops.domain.training_jobs import TrainingJob, from_description
from trainops.domain.warm_pools import PoolRecord, opened

ROLE = "arn:aws:iam::111122223333:role/"
ASKED = {
    "InstanceType": "ml.g5.xlarge",
    "InstanceCount": 1,
    "VolumeSizeInGB": 250,
    "KeepAlivePeriodInSeconds": 1800,
}
NETWORK = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1", "subnet-2"]}


def resources(**changes: Any) -> dict[str, Any]:
    return {"ResourceConfig": {**ASKED, **changes}}


def ran(name: str, **request: Any) -> TrainingJob:
    """A job that ended at minute 30 and asked for a pool of half an hour."""
    return from_description(description(name, **{**resources(), "VpcConfig": NETWORK, **request}), {})


def pool(name: str = "first", request: dict[str, Any] | None = None, **fields: Any) -> PoolRecord:
    left = opened(record(ran(name, **(request or {})), price=price()))
    return replace(left, **{"confirmed": True, **fields})


def next_job(minute: float = 40, **request: Any) -> TrainingJob:
    """The job that started cold, ten minutes after the first one's end."""
    asked = {**resources(), "VpcConfig": NETWORK, **request}
    return from_description(description("second", "InProgress", created=at(minute), **asked), {})


def why(job: TrainingJob, *pools: PoolRecord, as_of: datetime | None = None, final: bool = True) -> PoolMiss | None:
    return why_not_reused(job, "default", pools, as_of or at(45), final=final)


def told(job: TrainingJob, *pools: PoolRecord) -> PoolMiss:
    miss = why(job, *pools)
    assert miss is not None
    return miss
