"""What belongs to a team in the buckets: its prefix in each, but for what is published to it there."""

from collections.abc import Sequence

from aws_cdk import aws_iam as iam

from stacks.building_blocks.statements import allow, deny
from stacks.building_blocks.storage import Storage

PUBLISHED = "trainops/"
"""Within a team's prefix of the artifact bucket: its facts and recommendations, which are read and never written."""
RECOMMENDATIONS = f"{PUBLISHED}recommendations.json"
"""Begun by the deployment, and from then on written by the sweep of warm pools alone."""
WRITE = ("s3:PutObject", "s3:DeleteObject")


def list_own(storage: Storage, team: str) -> iam.PolicyStatement:
    """List the team's prefixes. A listing is asked for on the bucket, so its prefix must be a condition."""
    buckets = [storage.checkpoints.bucket_arn, storage.artifacts.bucket_arn]
    prefixes = sorted({f"{prefix}*" for prefix in (storage.checkpoint_prefix(team), storage.output_prefix(team))})
    own = {"StringLike": {"s3:prefix": prefixes}}
    return allow("ListOwn", ["s3:ListBucket"], buckets, own)


def checkpoints(storage: Storage, team: str) -> str:
    """The ARN of the team's checkpoints."""
    return storage.checkpoints.arn_for_objects(f"{storage.checkpoint_prefix(team)}*")


def artifacts(storage: Storage, team: str) -> str:
    """The ARN of the team's artifacts."""
    return storage.artifacts.arn_for_objects(f"{storage.output_prefix(team)}*")


def keep_published(storage: Storage, team: str) -> iam.PolicyStatement:
    """What is published to the team is not written by the team, in whose prefix it lies."""
    where = storage.artifacts.arn_for_objects(f"{storage.output_prefix(team)}{PUBLISHED}*")
    return deny("Published", WRITE, [where])


def storage_keys(storage: Storage, output_key: str | None) -> Sequence[str]:
    """The customer keys under which a team's checkpoints and artifacts may lie, each once."""
    keys = (output_key, storage.checkpoints_key_arn, storage.artifacts_key_arn)
    return sorted({key for key in keys if key})
