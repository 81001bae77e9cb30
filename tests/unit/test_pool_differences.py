"""Exactly the documented fields that differ are named, old to new; and when none does, that is said."""

from typing import Any

import pytest

from tests.unit.pools_around import NETWORK, ROLE, next_job, pool, resources, told
from trainops.domain.pool_misses import MissKind

CHANGES = [
    (resources(VolumeSizeInGB=200), ["ResourceConfig.VolumeSizeInGB: 250 → 200"]),
    ({"RoleArn": f"{ROLE}other"}, [f"RoleArn: {ROLE}training → {ROLE}other"]),
    (
        {"VpcConfig": {**NETWORK, "SecurityGroupIds": ["sg-2", "sg-1"]}},
        ["VpcConfig.SecurityGroupIds: sg-1 → sg-1, sg-2"],
    ),
    ({"EnableNetworkIsolation": True}, ["EnableNetworkIsolation: False → True"]),
    ({"EnableInterContainerTrafficEncryption": True}, ["EnableInterContainerTrafficEncryption: False → True"]),
    (resources(VolumeKmsKeyId="key-1"), ["ResourceConfig.VolumeKmsKeyId: not set → key-1"]),
    (resources(InstanceType="ml.g5.2xlarge"), ["ResourceConfig.InstanceType: ml.g5.xlarge → ml.g5.2xlarge"]),
    (
        {**resources(VolumeSizeInGB=200, InstanceCount=2), "EnableNetworkIsolation": True},
        [
            "ResourceConfig.InstanceCount: 1 → 2",
            "ResourceConfig.VolumeSizeInGB: 250 → 200",
            "EnableNetworkIsolation: False → True",
        ],
    ),
]


@pytest.mark.case("WP-04")
@pytest.mark.parametrize(("request_", "expected"), CHANGES)
def test_exactly_the_fields_that_differ_are_named_old_to_new(request_: dict[str, Any], expected: list[str]) -> None:
    miss = told(next_job(**request_), pool())
    assert miss.kind is MissKind.FIELDS
    assert [str(item) for item in miss.differences] == expected
    idle = "it was idle since 09:30:00 UTC, as of 09:45:00 UTC"
    assert miss.sentence == f"Cold start: the pool of first does not match: {'; '.join(expected)} ({idle})."


@pytest.mark.case("WP-04")
def test_when_nothing_differs_that_is_said_with_what_is_not_known_and_nothing_is_guessed() -> None:
    free: dict[str, Any] = {"HyperParameters": {"rate": "1"}, "StoppingCondition": {"MaxRuntimeInSeconds": 60}}
    miss = told(next_job(**free), pool())
    assert (miss.kind, miss.differences) == (MissKind.NOTHING_DIFFERS, ())
    assert miss.sentence == (
        "Cold start: nothing documented differs from the pool of first, which was idle since 09:30:00 UTC, as of "
        "09:45:00 UTC; not known here: session tags, the order of subnets and security groups, whether SageMaker was "
        "patching it."
    )


def test_a_pool_of_a_job_without_session_tags_asks_none_of_the_next_but_not_the_other_way_round() -> None:
    chaining: dict[str, Any] = {"SessionChainingConfig": {"EnableSessionTagChaining": True}}
    assert told(next_job(**chaining), pool()).kind is MissKind.NOTHING_DIFFERS
    [difference] = told(next_job(), pool(request=chaining)).differences
    assert str(difference) == "SessionChainingConfig.EnableSessionTagChaining: True → False"
