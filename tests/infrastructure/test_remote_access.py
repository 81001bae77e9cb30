"""Into whose running jobs people may open a shell."""

from pathlib import Path

from stacks.settings import Settings
from tests.infrastructure.conftest import synthesise
from tests.infrastructure.test_access import made, people_statements, team_of

TARGET = "ssm:resourceTag/aws:ssmmessages:target-id"


def test_people_open_shells_in_their_own_teams_jobs_only(tmp_path: Path) -> None:
    debug = people_statements(team_of(tmp_path / "debug", remote_access="remote-debug"))["DebugSessions"]
    assert debug["Condition"] == {"StringLike": {TARGET: "sagemaker-training-job:vision-*"}}
    ssh = people_statements(team_of(tmp_path / "ssh", remote_access="ssh-helper"))["SshOwnJobs"]
    assert ssh["Condition"] == {"StringEquals": {"ssm:resourceTag/SSHOwner": "${aws:userid}"}}


def test_people_open_no_shell_in_jobs_of_a_team_whose_name_begins_with_theirs(tmp_path: Path) -> None:
    teams = {name: {"remote_access": "remote-debug"} for name in ("vision", "vision-lidar", "visionary")}
    deployment = synthesise(Settings.model_validate({"teams": teams}), tmp_path)
    conditions = [
        statement["Condition"]
        for policy in made(deployment, "DataScientistPolicies", "AWS::IAM::ManagedPolicy")
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Sid"] == "DebugSessions"
    ]
    jobs = {name: f"sagemaker-training-job:{name}-*" for name in teams}
    refused = {item["StringLike"][TARGET]: item.get("StringNotLike", {}).get(TARGET) for item in conditions}
    assert refused == {jobs["vision"]: [jobs["vision-lidar"]], jobs["vision-lidar"]: None, jobs["visionary"]: None}
