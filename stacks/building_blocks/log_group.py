"""Where a function logs, for how long."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_logs as logs
from constructs import Construct


def log_group(scope: Construct, retention_days: int) -> logs.LogGroup:
    """A log group that goes with its function; `retention_days` is a number that CloudWatch takes."""
    group = logs.LogGroup(scope, "Logs", removal_policy=RemovalPolicy.DESTROY)
    # CDK's own parameter is an enumeration without numbers; settings has already checked that CloudWatch takes it.
    resource = group.node.default_child
    assert isinstance(resource, logs.CfnLogGroup)  # noqa: S101 - narrows the type
    resource.retention_in_days = retention_days
    return group
