"""What the people of a team cannot do, each tried with IAM enforced; and that they can do their work (denials.yaml)."""

import json
from pathlib import Path
from string import Template
from typing import Any

import pytest
import yaml

from tests.local.teams import REFUSED, Teams, answer, tags

pytestmark = pytest.mark.local
CALLS: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(Path(__file__).with_name("denials.yaml").read_text())
OWN, OTHER = "vision-own", "language-own"
EVERYTHING = '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}'


@pytest.fixture(scope="module")
def at_work(teams: Teams) -> Teams:
    """Two teams have jobs, files and facts."""
    laptop = teams.laptop
    for team, name in (("vision", OWN), ("language", OTHER)):
        assert teams.attempt(team, "sagemaker", "create_training_job", **teams.job(team, name)) == "OK"
        laptop.client("ssm").put_parameter(Name=f"/trainops/teams/{team}", Value="{}", Type="String", Overwrite=True)
        files = {"Checkpoint": ["run/model.pt"], "Artifact": ["model.tar.gz", "trainops/team.json"]}
        for kind, keys in files.items():
            for key in keys:
                where = {"Bucket": teams.outputs[f"{kind}BucketName"], "Key": f"{team}/{key}"}
                laptop.client("s3").put_object(Body=b"x", **where)
    answer(laptop.client("logs"), "create_log_group", logGroupName="/aws/sagemaker/TrainingJobs")
    return teams


def names(teams: Teams) -> dict[str, str]:
    """What stands for `$name` in a call."""
    return {
        "own": teams.arn(OWN),
        "other": teams.arn(OTHER),
        "policy": teams.policy("vision"),
        "role": teams.role("vision"),
        "role_name": teams.role("vision").rpartition("/")[2],
        "other_people": teams.people("language"),
        "everything": json.dumps(EVERYTHING)[1:-1],
        "intake": teams.named("JobIntakeFunction"),
        "intake_log": teams.named("JobIntakeFunctionLogs"),
        "schedule": teams.named("JobReconcileSchedule"),
        "queue": teams.named("JobIntakeJobEventsQueue"),
        "dead_letters": teams.named("JobEventsDeadLetters"),
        "bus": teams.outputs["BusName"],
        "ledger": teams.outputs["LedgerTableName"],
        "checkpoints": teams.outputs["CheckpointBucketName"],
        "artifacts": teams.outputs["ArtifactBucketName"],
    }


def make(teams: Teams, call: dict[str, Any]) -> str:
    """The answer to a call of denials.yaml."""
    [(where, request)] = call.items()
    service, _, operation = where.partition(".")
    filled = json.loads(Template(json.dumps(request)).substitute(names(teams)))
    return teams.attempt("vision", service, operation, **filled)


@pytest.mark.case("IA-03")
@pytest.mark.parametrize("what", CALLS["denied"])
def test_people_cannot(at_work: Teams, what: str) -> None:
    assert make(at_work, CALLS["denied"][what]) in REFUSED


@pytest.mark.parametrize("what", CALLS["allowed"])
def test_people_can(at_work: Teams, what: str) -> None:
    assert make(at_work, CALLS["allowed"][what]) == "OK"


@pytest.mark.case("IA-03")
@pytest.mark.parametrize("whose", ["another team", "the platform"])
def test_no_other_role_can_be_passed(at_work: Teams, whose: str) -> None:
    intake = f"arn:aws:iam::{at_work.laptop.account}:role/{at_work.named('JobIntakeFunctionRole')}"
    role = at_work.role("language") if whose == "another team" else intake
    request = at_work.job("vision", "denied", {"RoleArn": role})
    assert at_work.attempt("vision", "sagemaker", "create_training_job", **request) in REFUSED


@pytest.mark.parametrize(
    ("service", "decision"),
    [("sagemaker", "allowed"), ("lambda", "implicitDeny"), ("ec2", "implicitDeny"), ("ssm", "implicitDeny")],
)
def test_the_teams_role_is_passed_to_sagemaker_alone(at_work: Teams, service: str, decision: str) -> None:
    context = {"iam:PassedToService": f"{service}.amazonaws.com"}
    assert at_work.simulated("vision", "iam:PassRole", at_work.role("vision"), context)[0] == decision


def test_a_tuning_job_is_no_way_round_the_limits(at_work: Teams) -> None:
    request = at_work.job("vision", "x")
    members = ("RoleArn", "AlgorithmSpecification", "OutputDataConfig", "ResourceConfig", "StoppingCondition")
    limits = {"MaxNumberOfTrainingJobs": 1, "MaxParallelTrainingJobs": 1}
    tuning = {
        "HyperParameterTuningJobName": "tuning",
        "HyperParameterTuningJobConfig": {"Strategy": "Random", "ResourceLimits": limits},
        "TrainingJobDefinition": {name: request[name] for name in members},
        "Tags": tags(team="vision", owner="on-call"),
    }
    assert at_work.attempt("vision", "sagemaker", "create_hyper_parameter_tuning_job", **tuning) in REFUSED


@pytest.mark.parametrize("kind", ["Checkpoint", "Artifact"])
def test_a_bucket_refuses_what_comes_without_tls(at_work: Teams, kind: str) -> None:
    def plain(request: Any, **_: Any) -> None:
        request.headers["X-Local-Transport"] = "plain"

    client = at_work.laptop.as_role(at_work.people("vision"), "s3")
    where = {"Bucket": at_work.outputs[f"{kind}BucketName"], "Prefix": "vision/"}
    assert answer(client, "list_objects_v2", **where) == "OK"
    client.meta.events.register("before-send.s3", plain)
    assert answer(client, "list_objects_v2", **where) in REFUSED


@pytest.mark.parametrize(
    ("team", "target", "decision"),
    [
        ("language", "sagemaker-training-job:language-1_algo-1", "allowed"),
        ("language", "sagemaker-training-job:vision-1_algo-1", "implicitDeny"),
        ("language", "i-0123456789abcdef0", "implicitDeny"),
        ("vision", "sagemaker-training-job:vision-1_algo-1", "implicitDeny"),
    ],
)
def test_a_shell_is_opened_in_jobs_of_the_own_team_where_that_is_allowed(
    at_work: Teams, team: str, target: str, decision: str
) -> None:
    context = {"ssm:resourceTag/aws:ssmmessages:target-id": target}
    assert at_work.simulated(team, "ssm:StartSession", "*", context)[0] == decision


def test_a_limit_holds_beside_a_policy_that_allows_everything(at_work: Teams) -> None:
    iam = at_work.laptop.client("iam")
    iam.put_role_policy(RoleName="people-robotics", PolicyName="all", PolicyDocument=EVERYTHING)
    try:
        within = at_work.job("robotics", "wide-1")
        assert at_work.attempt("robotics", "sagemaker", "create_training_job", **within) == "OK"
        beyond = at_work.job("robotics", "wide-2", {"ResourceConfig.KeepAlivePeriodInSeconds": 3601})
        assert at_work.attempt("robotics", "sagemaker", "create_training_job", **beyond) == "AccessDeniedException"
        retag = {"ResourceArn": at_work.arn("wide-1"), "Tags": tags(team="vision")}
        assert at_work.attempt("robotics", "sagemaker", "add_tags", **retag) == "AccessDeniedException"
    finally:
        iam.delete_role_policy(RoleName="people-robotics", PolicyName="all")
