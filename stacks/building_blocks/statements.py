"""Policy statements as they are written here: named, so that a decision, a document and a test can name them."""

from collections.abc import Mapping, Sequence

from aws_cdk import aws_iam as iam

Conditions = Mapping[str, Mapping[str, object]]


def allow(
    sid: str, actions: Sequence[str], resources: Sequence[str], conditions: Conditions | None = None
) -> iam.PolicyStatement:
    """Allow these actions on these resources."""
    return iam.PolicyStatement(sid=sid, actions=list(actions), resources=list(resources), conditions=conditions)


def deny(
    sid: str, actions: Sequence[str], resources: Sequence[str], conditions: Conditions | None = None
) -> iam.PolicyStatement:
    """Refuse these actions, whatever another policy allows."""
    return iam.PolicyStatement(
        sid=sid, effect=iam.Effect.DENY, actions=list(actions), resources=list(resources), conditions=conditions
    )
