"""Why a permission is as wide as it is: one reason for each action on each resource with a wildcard.

The documentation shows them, cdk-nag is answered with them, and a test finds the permission that has none.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase

JOB_NAMES = "A job's name is not known beforehand"
NO_RESOURCE = "The action takes no resource (Service Authorization Reference)."
OWN_PREFIX = "The team's own prefix, and all that is under it"


@dataclass(frozen=True)
class Reason:
    """`action` and `resource` may have wildcards themselves; the resource `*` is meant literally."""

    action: str
    resource: str
    why: str

    def covers(self, action: str, resource: str) -> bool:
        if "*" in (self.resource, resource):
            return self.resource == resource and fnmatchcase(action, self.action)
        return fnmatchcase(action, self.action) and fnmatchcase(resource, self.resource)


REASONS = (
    # The functions
    Reason("sagemaker:ListTrainingJobs", "*", f"{NO_RESOURCE} It shows names and times."),
    Reason("pricing:GetProducts", "*", f"{NO_RESOURCE} It reads public prices."),
    Reason("sagemaker:DescribeTrainingJob", "*:training-job/?", f"{JOB_NAMES}; the action only reads."),
    Reason("sagemaker:ListTags", "*:training-job/?", f"{JOB_NAMES}; the action only reads."),
    Reason(
        "ses:SendEmail",
        "arn:<AWS::Partition>:ses:*:?",
        "It is asked for on the sender's identity, in the sandbox on each recipient's, and on a default configuration "
        "set. A condition allows the one sender only.",
    ),
    Reason("ses:GetEmailIdentity", "*:identity/?", "In the sandbox recipients and their domains matter too; reading."),
    Reason("ses:GetAccount", "*", f"{NO_RESOURCE} It reads whether the account is in the sandbox."),
    Reason(
        "secretsmanager:GetSecretValue", "*:secret:*-??????", "Secrets Manager ends an ARN with six random letters."
    ),
    Reason("s3:PutObject", "*/[*]/trainops/*", "One document, in the part of every team."),
    Reason("s3:DeleteObject", "*/[*]/trainops/*", "One document, of removed teams, which the settings do not name."),
    Reason("servicequotas:RequestServiceQuotaIncrease", "*:sagemaker/?", "A quota's code is looked up by its name."),
    Reason("servicequotas:*", "*", f"{NO_RESOURCE} Reading only."),
    # The people of a team
    Reason("sagemaker:CreateTrainingJob", "*:training-job/?", f"{JOB_NAMES}; the guardrails say which job it may be."),
    Reason("sagemaker:AddTags", "*:training-job/?", f"{JOB_NAMES}; only at creation, or the hold on the team's jobs."),
    Reason("sagemaker:StopTrainingJob", "*:training-job/?", f"{JOB_NAMES}; its tag team is the condition."),
    Reason("sagemaker:UpdateTrainingJob", "*:training-job/?", f"{JOB_NAMES}; a condition says which and how."),
    Reason("sagemaker:Search", "*", f"{NO_RESOURCE} For people it must be narrowed to the team's tag."),
    Reason("ssm:*Session", "*", "As the guide writes it for training jobs; a condition limits the target by its name."),
    Reason("logs:*", "*:log-group:/aws/sagemaker/TrainingJobs:?", "SageMaker's one group; streams carry jobs' names."),
    Reason("s3:*", "*/?", f"{OWN_PREFIX}, or one that the settings name."),
    # The training roles
    Reason("cloudwatch:PutMetricData", "*", f"{NO_RESOURCE} A condition allows SageMaker's own namespaces."),
    Reason("ecr:GetAuthorizationToken", "*", NO_RESOURCE),
    Reason("ecr:*", "*:repository/?", "AWS's own images lie in its accounts, which differ by Region. Reading only."),
    Reason("ec2:Describe*", "*", NO_RESOURCE),
    Reason("ec2:*NetworkInterface*", "*:network-interface/?", "The interfaces are made for each job."),
    Reason("ec2:CreateNetworkInterface", "*:[s]*/s*-*", "The named subnet or group; another account may share it."),
    Reason("ssmmessages:*", "*", NO_RESOURCE),
    Reason("ec2messages:*", "*", NO_RESOURCE),
    # SageMaker SSH Helper, on either side
    Reason("ssm:CreateActivation", "*", NO_RESOURCE),
    Reason("ssm:List*Associations", "*", "As SageMaker SSH Helper documents it; reading only."),
    Reason("ssm:*", "*:managed-instance/mi-?", "Registered by the job itself; the tag SSHOwner is the condition."),
    Reason("ssm:TerminateSession", "*:session/?", "The session's own ID is the condition."),
    Reason("ssm:DescribeInstanceInformation", "*", NO_RESOURCE),
    Reason("ssm:GetCommandInvocation", "*", NO_RESOURCE),
    Reason("logs:GetQueryResults", "*", NO_RESOURCE),
    Reason("ssm:ListTagsForResource", "*", "The instance is not known beforehand; reading only."),
)


def is_wide(resource: str) -> bool:
    """Whether a resource's text stands for more than one."""
    return "*" in resource or "?" in resource


def reason_for(action: str, resource: str) -> str | None:
    """Why the action is allowed on so wide a resource; None when nobody said."""
    return next((reason.why for reason in REASONS if reason.covers(action, resource)), None)
