"""What the people of a team may do: run, watch and stop their team's jobs, read what these leave, within limits.

A job belongs to the team that its tag `team` names; there is no other handle. So the tag is there from the start and
nobody changes it. Attach the policy to a role or a permission set of the team, beside nothing wider; whoever works
for two teams takes one role for each.
"""

from collections.abc import Iterator

from aws_cdk import Annotations, Aws, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from stacks.building_blocks.policy_text import size_of
from stacks.building_blocks.statements import Conditions, allow
from stacks.building_blocks.storage import Storage
from stacks.capabilities import remote_access
from stacks.capabilities.job_guardrails import CREATE, HOLD_TAG, guardrails
from stacks.capabilities.team_prefixes import artifacts, checkpoints, keep_published, list_own, storage_keys
from stacks.capabilities.training_roles import LOG_GROUP
from stacks.team_settings import Team

MOST = 6144
"""Characters of a managed policy, white space not counted (IAM quotas)."""
SEARCHED_TEAM = "sagemaker:SearchVisibilityCondition/Tags.team/EqualsIfExists"


class DataScientistPolicy(Construct):
    """The managed policy of one team. `deployment` is the name under which the team's facts are published."""

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
    ) -> None:
        super().__init__(scope, construct_id)
        stack = Stack.of(self)
        self._here = f"{stack.region}:{stack.account}"
        jobs = f"arn:{Aws.PARTITION}:sagemaker:{self._here}:training-job/*"
        statements = [
            *_jobs(name, jobs, role_arn),
            *self._reads(deployment, name),
            *_files(self, name, team, storage),
            *self._remote(name, team),
            *guardrails(name, team, jobs),
        ]
        self.policy = iam.ManagedPolicy(
            self,
            "Policy",
            description=f"What people of the team {name} may do with training jobs",
            statements=statements,
        )
        self._check_size(name)

    def _reads(self, deployment: str, name: str) -> Iterator[iam.PolicyStatement]:
        """All teams' jobs log into one group, in streams that carry the job's name and no tag."""
        group = f"arn:{Aws.PARTITION}:logs:{self._here}:log-group:{LOG_GROUP}"
        reads = [f"logs:{name}" for name in ("DescribeLogStreams", "FilterLogEvents", "GetLogEvents")]
        yield allow("Logs", reads, [f"{group}:*"])
        facts = f"arn:{Aws.PARTITION}:ssm:{self._here}:parameter/{deployment}/teams/{name}"
        yield allow("TeamFacts", ["ssm:GetParameter"], [facts])

    def _remote(self, name: str, team: Team) -> Iterator[iam.PolicyStatement]:
        if team.remote_access == "remote-debug":
            yield remote_access.debug_sessions(name)
        if team.remote_access == "ssh-helper":
            yield from remote_access.ssh_helper_people(self)

    def _check_size(self, name: str) -> None:
        size = size_of(Stack.of(self).resolve(self.policy.document))
        if size > MOST:
            Annotations.of(self).add_error(
                f"the policy of team {name} would have up to {size} characters, IAM takes {MOST}: name families instead "
                "of instance types, or fewer subnets"
            )


def _jobs(name: str, jobs: str, role_arn: str) -> Iterator[iam.PolicyStatement]:
    """ListTrainingJobs shows the names of all jobs, Search those of the team and those without the tag."""
    yield allow("Create", CREATE, [jobs])
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


def _files(scope: Construct, name: str, team: Team, storage: Storage) -> Iterator[iam.PolicyStatement]:
    yield list_own(storage, name)
    actions = [f"s3:{action}" for action in ("AbortMultipartUpload", "DeleteObject", "GetObject", "PutObject")]
    yield allow("OwnFiles", actions, [checkpoints(storage, name), artifacts(storage, name)])
    yield keep_published(storage, name)
    if keys := storage_keys(storage, team.keys.output):
        through: Conditions = {"StringEquals": {"kms:ViaService": f"s3.{Stack.of(scope).region}.amazonaws.com"}}
        yield allow("StorageKeys", ["kms:Decrypt", "kms:GenerateDataKey"], keys, through)
