"""Each limit of the people's policies at its boundary: by calls with IAM enforced, and by SimulatePrincipalPolicy."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from tests.local.teams import KEYS, Teams, tags

pytestmark = pytest.mark.local
KEEP_ALIVE, TYPE = "ResourceConfig.KeepAlivePeriodInSeconds", "ResourceConfig.InstanceType"
RUNTIME, VOLUME_KEY = "StoppingCondition.MaxRuntimeInSeconds", "ResourceConfig.VolumeKmsKeyId"
DEBUG = {"EnableRemoteDebug": True}


@dataclass(frozen=True)
class Boundary:
    """A request beside a limit; `refused_by` is the statement that must deny it, empty when it must pass."""

    what: str
    refused_by: str = ""
    changes: dict[str, Any] = field(default_factory=dict)
    team: str = "vision"


def groups(*types: str) -> dict[str, Any]:
    made = [{"InstanceGroupName": name, "InstanceType": name, "InstanceCount": 1} for name in types]
    return {"ResourceConfig": {"InstanceGroups": made, "VolumeSizeInGB": 30}}


def network(subnets: list[str], *security_groups: str) -> dict[str, Any]:
    return {"VpcConfig": {"Subnets": subnets, "SecurityGroupIds": list(security_groups)}}


BOUNDARIES = [
    Boundary("keep-alive absent"),
    Boundary("keep-alive of no seconds", changes={KEEP_ALIVE: 0}),
    Boundary("keep-alive at the limit", changes={KEEP_ALIVE: 3600}),
    Boundary("keep-alive one second over", "KeepAlive", {KEEP_ALIVE: 3601}),
    Boundary("no pools: none asked for", changes={KEEP_ALIVE: 0}, team="language"),
    Boundary("no pools: one second", "KeepAlive", {KEEP_ALIVE: 1}, team="language"),
    Boundary("runtime at the limit", changes={RUNTIME: 432_000}),
    Boundary("runtime one second over", "Runtime", {RUNTIME: 432_001}),
    Boundary("runtime absent, a day, within five", changes={"StoppingCondition": None}),
    Boundary("runtime of an hour at the limit", team="language"),
    Boundary("runtime one second over an hour", "Runtime", {RUNTIME: 3_601}, team="language"),
    Boundary("runtime absent, a day, over an hour", "Runtime", {"StoppingCondition": None}, team="language"),
    Boundary("another member of a listed family", changes={TYPE: "ml.g5.48xlarge"}),
    Boundary("the listed member of a family", changes={TYPE: "ml.p4d.24xlarge"}),
    Boundary("a family that is not listed", "InstanceType", {TYPE: "ml.g6.xlarge"}),
    Boundary("a family whose name begins alike", "InstanceType", {TYPE: "ml.p4de.24xlarge"}),
    Boundary("groups of listed types", changes=groups("ml.m5.xlarge", "ml.g5.xlarge")),
    Boundary("groups with one that is not", "InstanceType", groups("ml.g5.xlarge", "ml.p5.48xlarge")),
    Boundary("any type where none is listed", changes={TYPE: "ml.p5.48xlarge"}, team="language"),
    Boundary("one of the team's subnets", changes=network(["subnet-0b"], "sg-0a")),
    Boundary("another subnet", "Subnet", network(["subnet-0c"], "sg-0a")),
    Boundary("another subnet beside the team's", "Subnet", network(["subnet-0a", "subnet-0c"], "sg-0a")),
    Boundary("another security group", "SecurityGroup", network(["subnet-0a"], "sg-0b")),
    Boundary("another security group beside the team's", "SecurityGroup", network(["subnet-0a"], "sg-0a", "sg-0b")),
    Boundary("no network", "NoNetwork", {"VpcConfig": None}),
    Boundary("no network where none is asked for", team="language"),
    Boundary("container traffic in clear", "ContainerTraffic", {"EnableInterContainerTrafficEncryption": False}),
    Boundary("container traffic not mentioned", "ContainerTraffic", {"EnableInterContainerTrafficEncryption": None}),
    Boundary("isolated", team="robotics"),
    Boundary("not isolated", "Isolation", {"EnableNetworkIsolation": False}, team="robotics"),
    Boundary("isolation not mentioned", "Isolation", {"EnableNetworkIsolation": None}, team="robotics"),
    Boundary("output under another key", "OutputKey", {"OutputDataConfig.KmsKeyId": f"{KEYS}1"}),
    Boundary("output under no key", "OutputKey", {"OutputDataConfig.KmsKeyId": None}),
    Boundary("volume key on a type with a volume", changes={TYPE: "ml.m5.xlarge", VOLUME_KEY: f"{KEYS}1"}),
    Boundary("no volume key on a type with a volume", "VolumeKey", {TYPE: "ml.m5.xlarge"}),
    Boundary("another volume key", "VolumeKey", {TYPE: "ml.m5.xlarge", VOLUME_KEY: f"{KEYS}2"}),
    Boundary("no volume key on a g5", changes={TYPE: "ml.g5.2xlarge"}),
    Boundary("no volume key on a g4dn", changes={TYPE: "ml.g4dn.xlarge"}),
    Boundary("no volume key on a p4d", changes={TYPE: "ml.p4d.24xlarge"}),
    Boundary("the team's tag missing", "OtherTeam", {"Tags": tags(owner="on-call")}),
    Boundary("another team's tag", "OtherTeam", {"Tags": tags(team="language", owner="on-call")}),
    Boundary("the owner's tag missing", "NoOwner", {"Tags": tags(team="vision")}),
    Boundary("the owner's tag empty", "NoOwner", {"Tags": tags(team="vision", owner="")}),
    Boundary("further tags", changes={"Tags": tags(team="vision", owner="on-call", project="cats")}),
    Boundary("no tags", "OtherTeam", {"Tags": None}),
    Boundary("remote debugging", "RemoteDebug", {"RemoteDebugConfig": DEBUG}),
    Boundary("remote debugging turned off", changes={"RemoteDebugConfig": {"EnableRemoteDebug": False}}),
    Boundary("remote debugging where the team has it", changes={"RemoteDebugConfig": DEBUG}, team="language"),
]
each = pytest.mark.parametrize("boundary", BOUNDARIES, ids=lambda boundary: boundary.what)


@each
@pytest.mark.case("IA-04")
def test_a_job_is_created_within_the_limits_and_refused_beyond_them(teams: Teams, boundary: Boundary) -> None:
    request = teams.job(boundary.team, f"boundary-{BOUNDARIES.index(boundary)}", boundary.changes)
    answered = teams.attempt(boundary.team, "sagemaker", "create_training_job", **request)
    assert answered == ("AccessDeniedException" if boundary.refused_by else "OK")


@each
@pytest.mark.case("IA-04")
def test_the_policy_simulator_names_the_statement_that_decides(teams: Teams, boundary: Boundary) -> None:
    request = teams.job(boundary.team, "simulated", boundary.changes)
    expected = ("explicitDeny", boundary.refused_by) if boundary.refused_by else ("allowed", "Create")
    assert teams.simulated_creation(boundary.team, request) == expected


def test_a_tag_in_another_case_does_not_say_whose_a_job_is(teams: Teams) -> None:
    request = teams.job("vision", "other-case", {"Tags": tags(Team="vision", owner="on-call")})
    assert teams.attempt("vision", "sagemaker", "create_training_job", **request) == "AccessDeniedException"
    assert teams.simulated_creation("vision", request) == ("implicitDeny", "")


def test_a_job_without_instance_types_is_refused_where_types_are_listed(teams: Teams) -> None:
    request = teams.job("vision", "serverless", {TYPE: None})
    assert teams.simulated_creation("vision", request) == ("explicitDeny", "NoInstanceType")


@pytest.mark.case("WP-17")
def test_no_team_takes_anothers_warm_pool_and_each_its_own(teams: Teams) -> None:
    control = teams.laptop.control
    shape = {**teams.job("vision", "x")["ResourceConfig"], "KeepAlivePeriodInSeconds": 1800}

    def run(team: str, name: str) -> None:
        # The same shape in all but the role; language may have no pools, so the account's root asks for it.
        control.plan(name, starting_seconds=10, downloading_seconds=5, training_seconds=60, uploading_seconds=5)
        request = teams.job("vision", name, {"RoleArn": teams.role(team), "ResourceConfig": shape})
        teams.laptop.client("sagemaker").create_training_job(**request)

    def pool(name: str) -> str:
        described = teams.laptop.client("sagemaker").describe_training_job(TrainingJobName=name)
        return str(described["WarmPoolStatus"]["Status"])

    run("vision", "pool-vision")
    control.advance(timedelta(minutes=3))
    assert pool("pool-vision") == "Available"
    run("language", "pool-language")
    assert pool("pool-vision") == "Available"
    run("vision", "pool-vision-again")
    assert pool("pool-vision") == "Reused"
