"""What the people of a team may do: run, watch and stop their team's jobs, read what these leave, within limits.

A job belongs to the team that its tag `team` names; there is no other handle. So the tag is there from the start and
nobody changes it. Attach both policies to a role or a permission set of the team; whoever works for two teams takes one
role for each.
"""

from collections.abc import Iterable, Iterator, Sequence

from aws_cdk import Annotations, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from stacks.building_blocks.job_updates import HOLD_TAG
from stacks.building_blocks.policy_text import size_of
from stacks.building_blocks.statements import Conditions, allow
from stacks.building_blocks.storage import Storage
from stacks.capabilities import remote_access
from stacks.capabilities.job_guardrails import CREATE, guardrails
from stacks.capabilities.job_logs import log_group_arn
from stacks.capabilities.team_prefixes import artifacts, checkpoints, keep_published, list_own, storage_keys
from stacks.team_settings import Team

MOST = 6144
"""Characters of a managed policy, white space not counted (IAM quotas)."""
SEARCHED_TEAM = "sagemaker:SearchVisibilityCondition/Tags.team/EqualsIfExists"


class DataScientistPolicies(Construct):
    """Two managed policies of one team: its jobs with all their limits, and what its jobs read and leave.

    Two, since IAM's 6,144 characters do not hold both for a team that uses every choice. Either alone is safe: without
    the first nobody can create a job, and its denials hold whatever else is attached.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        deployment: str,
        name: str,
        team: Team,
        role_arn: str,
        storage: Storage,
        teams: Iterable[str],
    ) -> None:
        """`deployment` is the name under which the team's facts are published, `teams` the names of all its teams."""
        super().__init__(scope, construct_id)
        jobs = Stack.of(self).format_arn(service="sagemaker", resource="training-job", resource_name="*")
        self.jobs = self._policy(
            "Jobs",
            f"What people of the team {name} may do with training jobs, and within which limits",
            [*_jobs(name, jobs, role_arn), *guardrails(name, team, jobs)],
        )
        reads = [
            *_facts(self, deployment, name),
            *_files(self, name, team, storage),
            *_sessions(self, name, team, teams),
        ]
        self.files = self._policy("Files", f"Logs, checkpoints and artifacts of the team {name}", reads)

    def _policy(
        self, construct_id: str, description: str, statements: Sequence[iam.PolicyStatement]
    ) -> iam.ManagedPolicy:
        # Another description is another policy to CloudFormation, and nobody is attached to it.
        policy = iam.ManagedPolicy(self, construct_id, description=description, statements=statements)
        size = size_of(Stack.of(self).resolve(policy.document))
        if size > MOST:
            Annotations.of(self).add_error(
                f"the policy {construct_id} would have up to {size} characters, IAM takes {MOST}: name families "
                "instead of instance types, or fewer subnets"
            )
        return policy


def _jobs(name: str, jobs: str, role_arn: str) -> Iterator[iam.PolicyStatement]:
    """ListTrainingJobs shows the names of all jobs, Search those of the team and those without the tag."""
    # Keys of conditions are compared without their case, tags are not: `Team` is not the tag that says whose a job is.
    yield allow("Create", CREATE, [jobs], {"ForAnyValue:StringEquals": {"aws:TagKeys": "team"}})
    at_creation: Conditions = {"StringEquals": {"sagemaker:TaggingAction": "CreateTrainingJob"}}
    yield allow("TagAtCreation", ["sagemaker:AddTags"], [jobs], at_creation)
    to_sagemaker: Conditions = {"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}}
    yield allow("PassRole", ["iam:PassRole"], [role_arn], to_sagemaker)
    own = {"StringEquals": {"aws:ResourceTag/team": name}}
    names = ("DescribeTrainingJob", "ListTags", "StopTrainingJob", "UpdateTrainingJob")
    yield allow("OwnJobs", [f"sagemaker:{action}" for action in names], [jobs], own)
    hold: Conditions = {**own, "ForAllValues:StringEquals": {"aws:TagKeys": HOLD_TAG}, "Null": {"aws:TagKeys": "false"}}
    yield allow("Hold", ["sagemaker:AddTags"], [jobs], hold)
    yield allow("List", ["sagemaker:ListTrainingJobs"], ["*"])
    yield allow("Search", ["sagemaker:Search"], ["*"], {"StringEquals": {SEARCHED_TEAM: name}})


def _facts(scope: Construct, deployment: str, name: str) -> Iterator[iam.PolicyStatement]:
    """All teams' jobs log into one group, in streams that carry the job's name and no tag."""
    reads = [f"logs:{action}" for action in ("DescribeLogStreams", "FilterLogEvents", "GetLogEvents")]
    yield allow("Logs", reads, [f"{log_group_arn(scope)}:*"])
    facts = Stack.of(scope).format_arn(service="ssm", resource="parameter", resource_name=f"{deployment}/teams/{name}")
    yield allow("TeamFacts", ["ssm:GetParameter"], [facts])


def _files(scope: Construct, name: str, team: Team, storage: Storage) -> Iterator[iam.PolicyStatement]:
    yield list_own(storage, name)
    actions = [f"s3:{action}" for action in ("AbortMultipartUpload", "DeleteObject", "GetObject", "PutObject")]
    yield allow("OwnFiles", actions, [checkpoints(storage, name), artifacts(storage, name)])
    yield keep_published(storage, name)
    if keys := storage_keys(storage, team.keys.output):
        through: Conditions = {"StringEquals": {"kms:ViaService": f"s3.{Stack.of(scope).region}.amazonaws.com"}}
        yield allow("StorageKeys", ["kms:Decrypt", "kms:GenerateDataKey"], keys, through)


def _sessions(scope: Construct, name: str, team: Team, teams: Iterable[str]) -> Iterator[iam.PolicyStatement]:
    if team.remote_access == "remote-debug":
        yield remote_access.debug_sessions(name, teams)
    if team.remote_access == "ssh-helper":
        yield from remote_access.ssh_helper_people(scope)
