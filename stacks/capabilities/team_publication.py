"""What is published to each team: its facts as an SSM parameter, and documents in its part of the artifact bucket."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from aws_cdk import Annotations, Duration, Stack
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from stacks.building_blocks.custom_resource import AtDeployment
from stacks.building_blocks.function import Function, Runtime
from stacks.building_blocks.policy_text import size_of
from stacks.building_blocks.storage import Storage
from stacks.capabilities.sdk_defaults import sdk_defaults
from stacks.capabilities.team_facts import first_recommendations, team_facts
from stacks.capabilities.team_prefixes import PUBLISHED, RECOMMENDATIONS
from stacks.settings import Settings
from trainops.environment import TeamPublication as Environment

FACTS, DEFAULTS = f"{PUBLISHED}team.json", f"{PUBLISHED}sagemaker-config.yaml"
PARAMETER_CHARACTERS = 4096
"""Of a standard parameter (PutParameter)."""


class TeamPublication(Construct):
    """Settings → parameter and documents, at each deployment; `team_publication` puts the documents there.

    A removed team's parameter goes with it, and its facts and defaults are removed from the bucket. Recommendations are
    written by others later: here they are only begun.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: Settings,
        storage: Storage,
        role_arns: Mapping[str, str],
        runtime: Runtime,
    ) -> None:
        super().__init__(scope, construct_id)
        self._storage = storage
        facts = {name: self._facts(settings, name, role_arn) for name, role_arn in role_arns.items()}
        for name, document in facts.items():
            self._parameter(settings.name, name, document)
        AtDeployment(
            self,
            "Documents",
            kind="TeamPublication",
            function=self._function(runtime),
            properties={"Kept": dict(self._kept(facts)), "Begun": dict(self._begun(facts))},
            runtime=runtime,
        )

    def _facts(self, settings: Settings, name: str, role_arn: str) -> Mapping[str, Any]:
        stack = Stack.of(self)
        return team_facts(
            settings.teams[name],
            name=name,
            deployment=settings.name,
            account=stack.account,
            region=stack.region,
            role_arn=role_arn,
            storage=self._storage,
        )

    def _parameter(self, deployment: str, name: str, document: Mapping[str, Any]) -> None:
        size = size_of(Stack.of(self).resolve(document))
        if size > PARAMETER_CHARACTERS:
            Annotations.of(self).add_error(
                f"the facts of team {name} would have up to {size} characters, an SSM parameter takes "
                f"{PARAMETER_CHARACTERS}: name fewer data prefixes, or families instead of instance types"
            )
        ssm.StringParameter(
            self,
            f"{name}-Facts",
            parameter_name=f"/{deployment}/teams/{name}",
            string_value=json.dumps(document),
            description=f"What people and programs of the team {name} need to know to run training jobs",
        )

    def _function(self, runtime: Runtime) -> Function:
        function = Function(
            self,
            "Function",
            name="team_publication",
            description="Puts what teams need to know into their part of the artifact bucket, at each deployment",
            environment=Environment(artifact_bucket=self._storage.artifacts.bucket_name),
            runtime=runtime,
            timeout=Duration.minutes(1),
        )
        kept, begun = ([self._anywhere(name) for name in names] for names in ((FACTS, DEFAULTS), (RECOMMENDATIONS,)))
        function.may(["s3:PutObject"], [*kept, *begun])
        # Of teams that are not in the settings any more, so they cannot be named.
        function.may(["s3:DeleteObject"], kept)
        if self._storage.artifacts_key_arn:
            function.may(["kms:GenerateDataKey"], [self._storage.artifacts_key_arn])
        return function

    def _anywhere(self, document: str) -> str:
        return self._storage.artifacts.arn_for_objects(f"{self._storage.output_prefix('*')}{document}")

    def _key(self, team: str, document: str) -> str:
        return f"{self._storage.output_prefix(team)}{document}"

    def _kept(self, facts: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        storage = self._storage
        for name, document in facts.items():
            yield self._key(name, FACTS), json.dumps(document, indent=2)
            key = self._key(name, DEFAULTS)
            uri, bucket = storage.artifacts.s3_url_for_object(key), storage.artifacts.bucket_name
            yield key, sdk_defaults(document, bucket=bucket, prefix=f"{storage.output_prefix(name)}jobs", uri=uri)

    def _begun(self, facts: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        for name in facts:
            yield self._key(name, RECOMMENDATIONS), json.dumps(first_recommendations(name), indent=2)
