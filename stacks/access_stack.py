"""Who may run training jobs, as what, and within which limits: a role, a policy and published facts for each team.

Made only when there are teams. It exports nothing, so that CloudFormation lets a team be removed at any time.
"""

from collections.abc import Mapping
from typing import Any

from aws_cdk import Annotations, CfnOutput, Stack
from constructs import Construct

from stacks.building_blocks.function import Runtime
from stacks.building_blocks.layer_version import Layer
from stacks.capabilities.data_scientist_policies import DataScientistPolicies
from stacks.capabilities.team_publication import TeamPublication
from stacks.capabilities.training_roles import TrainingRole
from stacks.foundation_stack import FoundationStack
from stacks.settings import Settings
from stacks.team_settings import GUIDE_KEEP_ALIVE, Team


class AccessStack(Stack):
    """`role_arns` are the roles of each team's jobs: the one that was made, or the one that the settings name."""

    def __init__(
        self, scope: Construct, construct_id: str, *, foundation: FoundationStack, settings: Settings, **stack: Any
    ) -> None:
        super().__init__(scope, construct_id, **stack)
        roles, policies = Construct(self, "TrainingRoles"), Construct(self, "DataScientistPolicies")
        self.role_arns: Mapping[str, str] = {
            name: team.role_arn
            or TrainingRole(roles, name, name=name, team=team, storage=foundation.storage).role.role_arn
            for name, team in settings.teams.items()
        }
        for name, team in settings.teams.items():
            made = DataScientistPolicies(
                policies,
                name,
                deployment=settings.name,
                name=name,
                team=team,
                role_arn=self.role_arns[name],
                storage=foundation.storage,
                teams=settings.teams,
            )
            self._tell(name, made)
            self._warn(name, team)
        TeamPublication(
            self,
            "TeamPublication",
            settings=settings,
            storage=foundation.storage,
            role_arns=self.role_arns,
            runtime=Runtime(layer=Layer(self, "Layer"), log_retention_days=settings.log_retention_days),
        )

    def _tell(self, name: str, policies: DataScientistPolicies) -> None:
        title = "".join(word.capitalize() for word in name.split("-"))
        CfnOutput(self, f"{title}RoleArn", value=self.role_arns[name], description=f"Jobs of the team {name} run as it")
        for kind, policy in (("Jobs", policies.jobs), ("Files", policies.files)):
            text = f"Attach it to the people of the team {name}"
            CfnOutput(self, f"{title}{kind}PolicyArn", value=policy.managed_policy_arn, description=text)

    def _warn(self, name: str, team: Team) -> None:
        if team.limits.keep_alive > GUIDE_KEEP_ALIVE:
            Annotations.of(self).add_warning_v2(
                f"trainops:keep-alive-{name}",
                f"teams.{name}.limits.keep_alive is above the hour that SageMaker's developer guide names as the "
                "longest; the API's model takes six hours, and which of them a server takes is not documented",
            )
