"""Where SageMaker writes the logs of training jobs."""

from aws_cdk import ArnFormat, Stack
from constructs import Construct

LOG_GROUP = "/aws/sagemaker/TrainingJobs"
"""Of all jobs of the account; a stream carries its job's name, and no tag."""


def log_group_arn(scope: Construct) -> str:
    """The group in the stack's account and Region."""
    return Stack.of(scope).format_arn(
        service="logs", resource="log-group", resource_name=LOG_GROUP, arn_format=ArnFormat.COLON_RESOURCE_NAME
    )
