"""What a team's facts and a few choices make of a training job: pure, and the same for the SDK v2, the v3 and boto3."""

from dataclasses import dataclass
from typing import Any

from trainops.domain.checkpoints import copied
from trainops.domain.instance_storage import has_instance_storage
from trainops.domain.team_facts import TeamFacts
from trainops.domain.wording import instances_text


@dataclass(frozen=True, slots=True)
class Owner:
    """The value of the tag `owner`, and where it comes from."""

    name: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDefaults:
    """The arguments of one experiment's jobs; times are seconds, `max_wait` and `keep_alive` 0 when there is none.

    Jobs of the same experiment share their checkpoints, so that a job can go on where another was stopped.
    """

    facts: TeamFacts
    experiment: str
    owner: Owner
    instance_type: str
    instance_count: int
    volume_gb: int
    max_run: int
    spot: bool = False
    max_wait: int = 0
    keep_alive: int = 0
    keep_alive_reason: str = ""
    """Why this period is recommended; empty when it was chosen."""

    @property
    def checkpoint_uri(self) -> str | None:
        """Where a spot job's checkpoints go. None on demand, where a rerun would silently go on from an old one."""
        return f"{self.facts.checkpoint_uri}{self.experiment}/" if self.spot else None

    @property
    def output_uri(self) -> str:
        """Where its model goes."""
        return f"{self.facts.output_uri}{self.experiment}/"

    @property
    def volume_key(self) -> str | None:
        """The team's key, unless the type brings storage of its own, which takes none."""
        return None if has_instance_storage(self.instance_type) else self.facts.volume_key

    @property
    def tags(self) -> dict[str, str]:
        """The team's, and whose job it is."""
        return {**self.facts.tags, "owner": self.owner.name}

    def request(self) -> dict[str, Any]:
        """Members of CreateTrainingJob for boto3; its name, algorithm, data and hyperparameters are yours."""
        limits = self.facts.limits
        return _without_unset(
            RoleArn=self.facts.role_arn,
            ResourceConfig=_without_unset(
                InstanceType=self.instance_type,
                InstanceCount=self.instance_count,
                VolumeSizeInGB=self.volume_gb,
                VolumeKmsKeyId=self.volume_key,
                KeepAlivePeriodInSeconds=self.keep_alive or None,
            ),
            StoppingCondition=_without_unset(
                MaxRuntimeInSeconds=self.max_run, MaxWaitTimeInSeconds=self.max_wait or None
            ),
            OutputDataConfig=_without_unset(S3OutputPath=self.output_uri, KmsKeyId=self.facts.output_key),
            CheckpointConfig={"S3Uri": self.checkpoint_uri} if self.checkpoint_uri else None,
            EnableManagedSpotTraining=self.spot or None,
            VpcConfig=_network(self.facts),
            EnableNetworkIsolation=limits.network_isolation or None,
            EnableInterContainerTrafficEncryption=limits.encrypt_between_containers or None,
            Tags=[{"Key": key, "Value": value} for key, value in self.tags.items()],
        )

    def estimator(self) -> dict[str, Any]:
        """Keyword arguments of the SageMaker SDK v2's Estimator and of the framework estimators. A script goes to the
        team's own place: the SDK's default bucket is closed to the team's role.
        """
        limits = self.facts.limits
        return _without_unset(
            role=self.facts.role_arn,
            instance_type=self.instance_type,
            instance_count=self.instance_count,
            volume_size=self.volume_gb,
            volume_kms_key=self.volume_key,
            keep_alive_period_in_seconds=self.keep_alive or None,
            max_run=self.max_run,
            use_spot_instances=self.spot,
            max_wait=self.max_wait or None,
            checkpoint_s3_uri=self.checkpoint_uri,
            output_path=self.output_uri,
            output_kms_key=self.facts.output_key,
            code_location=self.output_uri.rstrip("/"),
            subnets=list(self.facts.subnets) or None,
            security_group_ids=list(self.facts.security_groups) or None,
            enable_network_isolation=limits.network_isolation,
            encrypt_inter_container_traffic=limits.encrypt_between_containers,
            tags=[{"Key": key, "Value": value} for key, value in self.tags.items()],
        )

    def model_trainer(self) -> dict[str, Any]:
        """Keyword arguments of the SDK v3's ModelTrainer, as its own configuration objects. Raises SdkMissing."""
        from trainops_notebook.model_trainer import arguments  # noqa: PLC0415 - the SDK is heavy and may be absent

        return arguments(self)

    def __str__(self) -> str:
        lines = [
            f"{instances_text(self.instance_count, self.instance_type)} for at most {self.max_run} s, {self._way()}",
            f"owner {self.owner.name} ({self.owner.source}), team {self.facts.team}",
            f"model below {self.output_uri}",
        ]
        if self.keep_alive_reason:
            lines.append(f"recommended: {self.keep_alive_reason}")
        if self.checkpoint_uri:
            lines.append(f"checkpoints: {copied(None, self.checkpoint_uri)}")
        if self.facts.volume_key and not self.volume_key:
            lines.append(f"no volume key: {self.instance_type} brings storage of its own, encrypted by its hardware")
        return "\n".join(lines)

    def _way(self) -> str:
        if self.spot:
            return f"managed spot, {self.max_wait} s with the waiting"
        return f"on demand, warm for {self.keep_alive} s afterwards" if self.keep_alive else "on demand, no warm pool"


def _network(facts: TeamFacts) -> dict[str, list[str]] | None:
    if not facts.subnets:
        return None
    return {"Subnets": list(facts.subnets), "SecurityGroupIds": list(facts.security_groups)}


def _without_unset(**members: Any) -> dict[str, Any]:
    """The API and the SDKs take a missing member for "none", and refuse null."""
    return {name: value for name, value in members.items() if value is not None}
