"""Logging on to a running job: what the job's role and the team's people need, by SageMaker's own way or SSH Helper.

Sources: developer guide, remote debugging through Systems Manager; SageMaker SSH Helper, its IAM and SSM set-up.
"""

from collections.abc import Iterable, Iterator

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from stacks.building_blocks.statements import Conditions, allow
from stacks.capabilities.job_logs import log_group_arn

CHANNELS = tuple(f"ssmmessages:{verb}{kind}Channel" for verb in ("Create", "Open") for kind in ("Control", "Data"))
MESSAGES = tuple(f"ec2messages:{name}" for name in ("AcknowledgeMessage", "DeleteMessage", "GetMessages", "SendReply"))
SESSION_OF = "ssm:resourceTag/aws:ssmmessages:session-id"
TARGET = "ssm:resourceTag/aws:ssmmessages:target-id"


def agent_channels() -> iam.PolicyStatement:
    """What the SSM agent in the container talks through."""
    return allow("SsmChannels", CHANNELS, ["*"])


def debug_sessions(team: str, teams: Iterable[str]) -> iam.PolicyStatement:
    """A shell in jobs whose name begins with the team's and "-". A session knows the job's name and none of its tags:
    without this, people could log on to every team's jobs. `teams` are all of the deployment: what begins with a longer
    name of another one is that team's, so that vision does not reach the jobs of vision-lidar.
    """
    own: dict[str, dict[str, object]] = {"StringLike": {TARGET: _jobs_of(team)}}
    if longer := [_jobs_of(other) for other in sorted(teams) if other.startswith(f"{team}-")]:
        own["StringNotLike"] = {TARGET: longer}
    return allow("DebugSessions", ["ssm:StartSession", "ssm:TerminateSession"], ["*"], own)


def ssh_helper_job(scope: Construct, role_arn: str) -> Iterator[iam.PolicyStatement]:
    """The container registers itself as a managed instance, tagged with who started the job."""
    to_ssm: Conditions = {"StringEquals": {"iam:PassedToService": "ssm.amazonaws.com"}}
    yield allow("PassToSsm", ["iam:PassRole"], [role_arn], to_ssm)
    yield allow("TagActivation", ["ssm:AddTagsToResource"], [role_arn])
    registers = [f"ssm:{name}" for name in ("CreateActivation", "ListAssociations", "ListInstanceAssociations")]
    yield allow("SsmAgent", [*registers, *MESSAGES, *CHANNELS], ["*"])
    owned: Conditions = {"StringLike": {"ssm:resourceTag/SSHOwner": "*"}}
    yield allow("SsmInstance", ["ssm:UpdateInstanceInformation"], [_instances(scope)], owned)


def ssh_helper_people(scope: Construct) -> Iterator[iam.PolicyStatement]:
    """Whoever started a job, and nobody else, may open a shell in it; the instance's ID is found in the job's log."""
    reads = [f"ssm:{name}" for name in ("DescribeInstanceInformation", "GetCommandInvocation", "ListTagsForResource")]
    yield allow("SshReads", [*reads, "logs:GetQueryResults"], ["*"])
    yield allow("SshLogQuery", ["logs:StartQuery"], [f"{log_group_arn(scope)}:*"])
    own: Conditions = {"StringEquals": {"ssm:resourceTag/SSHOwner": "${aws:userid}"}}
    yield allow("SshOwnJobs", ["ssm:SendCommand", "ssm:StartSession"], [_instances(scope)], own)
    yield allow("SshSession", ["ssm:StartSession"], [_document(scope, "AWS-StartSSHSession")])
    yield allow("SshCommand", ["ssm:SendCommand"], [_document(scope, "AWS-RunShellScript")])
    sessions = Stack.of(scope).format_arn(service="ssm", resource="session", resource_name="*")
    yield allow("SshEnd", ["ssm:TerminateSession"], [sessions], {"StringLike": {SESSION_OF: "${aws:userid}"}})


def _jobs_of(team: str) -> str:
    return f"sagemaker-training-job:{team}-*"


def _document(scope: Construct, name: str) -> str:
    """One of AWS's own."""
    return Stack.of(scope).format_arn(service="ssm", account="", resource="document", resource_name=name)


def _instances(scope: Construct) -> str:
    return Stack.of(scope).format_arn(service="ssm", resource="managed-instance", resource_name="mi-*")
