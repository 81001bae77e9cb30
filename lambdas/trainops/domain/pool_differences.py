"""The documented match fields in which a job differs from the one that left a warm pool.

Source: developer guide, "Train using SageMaker managed warm pools", matching criteria. What a fingerprint holds beyond
them is no difference: a pool left without session-tag chaining asks nothing of the next job.
"""

from collections.abc import Mapping

from trainops.domain.pool_matching import MATCH_FIELDS, MATCH_FLAGS
from trainops.domain.pool_misses import Difference

CHAINING = "EnableSessionTagChaining"
PATHS = {
    "RoleArn": "RoleArn",
    **{name: f"ResourceConfig.{name}" for name in MATCH_FIELDS},
    "SecurityGroupIds": "VpcConfig.SecurityGroupIds",
    "Subnets": "VpcConfig.Subnets",
    **{name: name for name in MATCH_FLAGS},
    CHAINING: f"SessionChainingConfig.{CHAINING}",
}
"""Where CreateTrainingJob has each match field."""
FLAGS = frozenset({*MATCH_FLAGS, CHAINING})


def differences(pool: Mapping[str, str], job: Mapping[str, str]) -> tuple[Difference, ...]:
    """Every field that differs, in the order of the documentation; both sides are `TrainingJob.match`."""
    return tuple(
        Difference(path, _shown(name, pool), _shown(name, job))
        for name, path in PATHS.items()
        if pool.get(name) != job.get(name) and not (name == CHAINING and not pool.get(name))
    )


def _shown(name: str, match: Mapping[str, str]) -> str:
    return match.get(name) or ("False" if name in FLAGS else "not set")
