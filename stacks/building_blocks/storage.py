"""The buckets for checkpoints and artifacts, one prefix per team in each."""

import hashlib
from dataclasses import dataclass
from typing import Any

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from stacks.storage_settings import Bucket, StorageSettings

ABANDONED = Duration.days(7)
"""After which the parts of a multipart upload that never ended are removed; they cost and cannot be read."""
CHANGE = "change_storage"
"""`cdk -c change_storage=yes`: for one deployment nothing holds the choices made before; see the runbook."""


@dataclass(frozen=True, kw_only=True)
class Storage:
    """Both buckets, made here or named in the settings, and the access logs of those that were made here."""

    checkpoints: s3.IBucket
    artifacts: s3.IBucket
    logs: s3.IBucket | None
    checkpoints_key_arn: str | None
    artifacts_key_arn: str | None

    def checkpoint_prefix(self, team: str) -> str:
        """A team's part of the checkpoint bucket. Without "/" it would also mean every team whose name begins so."""
        return f"{team}/"

    def output_prefix(self, team: str) -> str:
        """A team's part of the artifact bucket; under `trainops/` in it lies what is published to the team."""
        return f"{team}/"

    def checkpoint_uri(self, team: str) -> str:
        """Under which a team's jobs keep their checkpoints, each job or experiment in a prefix of its own."""
        return f"s3://{self.checkpoints.bucket_name}/{self.checkpoint_prefix(team)}"

    def output_uri(self, team: str) -> str:
        """Under which a team's jobs leave their artifacts."""
        return f"s3://{self.artifacts.bucket_name}/{self.output_prefix(team)}"

    @property
    def own(self) -> list[s3.IBucket]:
        """The buckets that were made here."""
        every = (self.checkpoints, self.artifacts, self.logs)
        return [bucket for bucket in every if isinstance(bucket, s3.Bucket)]


def make_storage(scope: Construct, *, name: str, settings: StorageSettings, log_retention_days: int) -> Storage:
    """Make what the settings do not name. Buckets are there without teams too: made with the first team and removed
    with the last one, the second first team would get new ones and not find its checkpoints.
    """
    makes_one = not (settings.checkpoints.bucket and settings.artifacts.bucket)
    logs = _access_logs(scope, log_retention_days) if makes_one else None
    checkpoints = s3.LifecycleRule(id="expire", expiration=Duration.days(settings.checkpoints.expire_after.days))
    artifacts = s3.LifecycleRule(
        id="archive",
        transitions=[
            s3.Transition(
                storage_class=s3.StorageClass.GLACIER_INSTANT_RETRIEVAL,
                transition_after=Duration.days(settings.artifacts.archive_after.days),
            )
        ],
    )
    return Storage(
        checkpoints=_bucket(scope, "Checkpoints", settings.checkpoints, checkpoints, name=name, logs=logs),
        artifacts=_bucket(scope, "Artifacts", settings.artifacts, artifacts, name=name, logs=logs),
        logs=logs,
        checkpoints_key_arn=settings.checkpoints.key_arn,
        artifacts_key_arn=settings.artifacts.key_arn,
    )


def _bucket(
    scope: Construct, purpose: str, chosen: Bucket, rule: s3.LifecycleRule, *, name: str, logs: s3.IBucket | None
) -> s3.IBucket:
    held = _hold(scope, purpose, name, chosen)
    if chosen.bucket:
        return s3.Bucket.from_bucket_name(scope, purpose, chosen.bucket)
    key = kms.Key.from_key_arn(scope, f"{purpose}Key", chosen.key_arn) if chosen.key_arn else None
    bucket = _own(
        scope,
        purpose,
        lifecycle_rules=[rule, _abandoned_uploads()],
        # A team may write with a key of its own: this is only the default, and no policy refuses another.
        encryption=s3.BucketEncryption.KMS if key else s3.BucketEncryption.S3_MANAGED,
        encryption_key=key,
        bucket_key_enabled=True if key else None,
        server_access_logs_bucket=logs,
        server_access_logs_prefix=f"{purpose.lower()}/",
    )
    if held:
        bucket.node.add_dependency(held)
    return bucket


def _access_logs(scope: Construct, retention_days: int) -> s3.Bucket:
    """S3 goes on writing here for hours after the last request, so that emptying it while its stack is deleted races
    with S3. It is retained instead, and empties itself. S3 delivers to buckets with S3's own keys only.
    """
    return _own(
        scope,
        "AccessLogs",
        lifecycle_rules=[s3.LifecycleRule(id="expire", expiration=Duration.days(retention_days)), _abandoned_uploads()],
        encryption=s3.BucketEncryption.S3_MANAGED,
    )


def _own(scope: Construct, purpose: str, **choices: Any) -> s3.Bucket:
    """A bucket with a generated name that outlives its stack, together with the policy that protects it."""
    bucket = s3.Bucket(
        scope,
        purpose,
        enforce_ssl=True,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
        removal_policy=RemovalPolicy.RETAIN,
        **choices,
    )
    assert bucket.policy  # noqa: S101 - enforce_ssl makes one
    bucket.policy.apply_removal_policy(RemovalPolicy.RETAIN)
    return bucket


def _hold(scope: Construct, purpose: str, name: str, chosen: Bucket) -> ssm.StringParameter | None:
    """Make CloudFormation refuse another bucket or key than at the first deployment, before anything is touched.

    The parameter's name is fixed and its logical ID is made from the choice: another choice asks for a second parameter
    of the same name, which "already exists". The bucket waits for it.
    """
    if scope.node.try_get_context(CHANGE):
        return None
    choice = f"{chosen.bucket or 'made here'}, {chosen.key_arn or 'the key of S3'}"
    return ssm.StringParameter(
        scope,
        f"{purpose}BucketAndKeyAreChosenOnce{hashlib.sha256(choice.encode()).hexdigest()[:8]}",
        parameter_name=f"/{name}/storage/{purpose.lower()}",
        string_value=choice,
        description="Chosen at the first deployment; docs/runbook.md#another-bucket-or-key says how to change it",
    )


def _abandoned_uploads() -> s3.LifecycleRule:
    return s3.LifecycleRule(id="abandoned-uploads", abort_incomplete_multipart_upload_after=ABANDONED)
