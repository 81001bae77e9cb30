"""Within which limits the people of a team may run jobs: denials, which hold whatever else is attached to them.

Each is one condition of its own, since the conditions of one statement must all be met. Condition keys: Service
Authorization Reference, CreateTrainingJob and UpdateTrainingJob. There is none for managed spot, checkpoints or the
number of instances; what those cost is said when a job starts.
"""

from collections.abc import Iterator
from datetime import timedelta

from aws_cdk import aws_iam as iam

from stacks.building_blocks.job_updates import HOLD_TAG
from stacks.building_blocks.statements import Conditions, deny
from stacks.capabilities.instance_storage import TAKE_A_KEY
from stacks.team_settings import JobLimits, Keys, Network, Team

DEFAULT_RUNTIME = timedelta(days=1)
"""What SageMaker takes when a job names no MaxRuntimeInSeconds (StoppingCondition)."""

CREATE = ["sagemaker:CreateTrainingJob"]
CREATE_AND_UPDATE = [*CREATE, "sagemaker:UpdateTrainingJob"]
TYPES, SUBNETS, GROUPS = "sagemaker:InstanceTypes", "sagemaker:VpcSubnets", "sagemaker:VpcSecurityGroupIds"


def guardrails(name: str, team: Team, jobs: str) -> list[iam.PolicyStatement]:
    """The denials for a team; `jobs` is the ARN of every training job."""
    return [
        *_tags(name, jobs),
        *_limits(team.limits, jobs),
        *_types(team.limits, jobs),
        *(_network(team.network, jobs) if team.network else ()),
        *_keys(team.keys, jobs),
        *_isolation(team, jobs),
    ]


def _tags(name: str, jobs: str) -> Iterator[iam.PolicyStatement]:
    """A job's tags say whose it is: there from the start, and never changed."""
    yield deny("OtherTeam", CREATE, [jobs], {"StringNotEquals": {"aws:RequestTag/team": name}})
    yield deny("NoOwner", CREATE, [jobs], {"StringNotLike": {"aws:RequestTag/owner": "?*"}})
    later: Conditions = {
        "Null": {"sagemaker:TaggingAction": "true"},
        "ForAnyValue:StringNotEquals": {"aws:TagKeys": HOLD_TAG},
    }
    yield deny("Retag", ["sagemaker:AddTags"], [jobs], later)
    yield deny("Untag", ["sagemaker:DeleteTags"], [jobs])


def _limits(limits: JobLimits, jobs: str) -> Iterator[iam.PolicyStatement]:
    """An absent keep-alive period is none; an absent runtime is SageMaker's own day."""
    keep_alive = {"sagemaker:KeepAlivePeriod": _seconds(limits.keep_alive)}
    yield deny("KeepAlive", CREATE_AND_UPDATE, [jobs], {"NumericGreaterThan": keep_alive})
    longer = "NumericGreaterThan" if limits.runtime >= DEFAULT_RUNTIME else "NumericGreaterThanIfExists"
    runtime = {"sagemaker:MaxRuntimeInSeconds": _seconds(limits.runtime)}
    yield deny("Runtime", CREATE, [jobs], {longer: runtime})


def _types(limits: JobLimits, jobs: str) -> Iterator[iam.PolicyStatement]:
    """Every type of the job must be listed; a job that names none would run on what is not known."""
    if not limits.instance_types:
        return
    yield deny("InstanceType", CREATE, [jobs], {"ForAnyValue:StringNotLike": {TYPES: list(limits.instance_types)}})
    yield deny("NoInstanceType", CREATE, [jobs], {"Null": {TYPES: "true"}})


def _network(network: Network, jobs: str) -> Iterator[iam.PolicyStatement]:
    """SageMaker takes subnets and security groups together or not at all (VpcConfig)."""
    yield deny("NoNetwork", CREATE, [jobs], {"Null": {SUBNETS: "true"}})
    yield deny("Subnet", CREATE, [jobs], {"ForAnyValue:StringNotEquals": {SUBNETS: list(network.subnets)}})
    yield deny(
        "SecurityGroup", CREATE, [jobs], {"ForAnyValue:StringNotEquals": {GROUPS: list(network.security_groups)}}
    )


def _keys(keys: Keys, jobs: str) -> Iterator[iam.PolicyStatement]:
    """Missing or another key. Both spellings of a condition key are asked for, since one of them is deprecated and
    will be absent one day, which is then not held against the job: one right answer is enough.
    """
    if keys.output:
        yield deny("OutputKey", CREATE, [jobs], {"ArnNotEquals": _spellings("OutputKmsKey", keys.output)})
    if keys.volume:
        conditions: Conditions = {
            "ArnNotEquals": _spellings("VolumeKmsKey", keys.volume),
            "ForAllValues:StringLike": {TYPES: list(TAKE_A_KEY)},
            "Null": {TYPES: "false"},
        }
        yield deny("VolumeKey", CREATE, [jobs], conditions)


def _isolation(team: Team, jobs: str) -> Iterator[iam.PolicyStatement]:
    if team.limits.network_isolation:
        yield deny("Isolation", CREATE, [jobs], {"BoolIfExists": {"sagemaker:NetworkIsolation": "false"}})
    if team.limits.encrypt_between_containers:
        off = {"sagemaker:InterContainerTrafficEncryption": "false"}
        yield deny("ContainerTraffic", CREATE, [jobs], {"BoolIfExists": off})
    if team.remote_access != "remote-debug":
        yield deny("RemoteDebug", CREATE_AND_UPDATE, [jobs], {"Bool": {"sagemaker:EnableRemoteDebug": "true"}})


def _spellings(name: str, arn: str) -> dict[str, str]:
    return {f"sagemaker:{name}": arn, f"sagemaker:{name}Arn": arn}


def _seconds(value: timedelta) -> str:
    return str(value // timedelta(seconds=1))
