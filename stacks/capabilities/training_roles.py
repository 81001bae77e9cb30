"""What a team's training jobs run as: one role per team, so that no team can take another's warm pool.

The role is among the fields that a pool is matched by (developer guide, warm pools). Permissions are those of the
guide's page on execution roles, on the team's own resources.
"""

from collections.abc import Iterator, Mapping

from aws_cdk import ArnFormat, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from stacks.building_blocks.statements import allow
from stacks.building_blocks.storage import Storage
from stacks.capabilities import remote_access
from stacks.capabilities.job_logs import log_group_arn
from stacks.capabilities.team_prefixes import artifacts, checkpoints, keep_published, list_own, storage_keys
from stacks.team_settings import Keys, Network, Team

NETWORK_READS = ("DhcpOptions", "NetworkInterfaces", "SecurityGroups", "Subnets", "Vpcs")


class TrainingRole(Construct):
    """The role of one team.

    It outlives its team: SageMaker assumes it until a job's last artifact is written, and a job that loses its role
    loses its result. Nobody can pass it any more once the team's policy is gone. The runbook says when to delete it.
    """

    def __init__(self, scope: Construct, construct_id: str, *, name: str, team: Team, storage: Storage) -> None:
        super().__init__(scope, construct_id)
        self.role = iam.Role(
            self,
            "Role",
            assumed_by=_sagemaker(self, with_ssm=team.remote_access == "ssh-helper"),
            description=f"What training jobs of the team {name} run as",
        )
        self._policy = iam.Policy(
            self, "Policy", roles=[self.role], statements=[*self._statements(name, team, storage)]
        )
        for resource in (self.role, self._policy):
            resource.apply_removal_policy(RemovalPolicy.RETAIN)

    def _statements(self, name: str, team: Team, storage: Storage) -> Iterator[iam.PolicyStatement]:
        yield from _logs_and_metrics(self)
        yield from _images(self)
        yield from _own_files(name, storage)
        yield from _data(self, team)
        yield from _key_use(team.keys, storage)
        if team.network:
            yield from _network(self, team.network)
        if team.remote_access == "remote-debug":
            yield remote_access.agent_channels()
        if team.remote_access == "ssh-helper":
            yield from remote_access.ssh_helper_job(self, self.role.role_arn)


def _sagemaker(scope: Construct, *, with_ssm: bool) -> iam.IPrincipal:
    """Only SageMaker, only for resources of this account and Region (confused deputy prevention, developer guide).

    The resource's kind is left open: what SageMaker names for the jobs of a tuning job is not documented. SSH Helper
    registers the container with SSM under the same role.
    """
    found = [_service(scope, "sagemaker")] + ([_service(scope, "ssm")] if with_ssm else [])
    return iam.CompositePrincipal(*found) if with_ssm else found[0]


def _service(scope: Construct, service: str) -> iam.ServicePrincipal:
    stack = Stack.of(scope)
    anything = stack.format_arn(service=service, resource="*", arn_format=ArnFormat.NO_RESOURCE_NAME)
    conditions: Mapping[str, object] = {
        "StringEquals": {"aws:SourceAccount": stack.account},
        "ArnLike": {"aws:SourceArn": anything},
    }
    return iam.ServicePrincipal(f"{service}.amazonaws.com", conditions=conditions)


def _logs_and_metrics(scope: Construct) -> Iterator[iam.PolicyStatement]:
    group = log_group_arn(scope)
    names = ("CreateLogGroup", "CreateLogStream", "DescribeLogStreams", "PutLogEvents")
    yield allow("Logs", [f"logs:{name}" for name in names], [group, f"{group}:*"])
    namespace = {"StringLike": {"cloudwatch:namespace": "/aws/sagemaker/*"}}
    yield allow("Metrics", ["cloudwatch:PutMetricData"], ["*"], namespace)


def _images(scope: Construct) -> Iterator[iam.PolicyStatement]:
    """Images may be AWS's own, which lie in accounts of AWS that differ by Region."""
    anyone = Stack.of(scope).format_arn(
        service="ecr", region="*", account="*", resource="repository", resource_name="*"
    )
    yield allow("ImageLogin", ["ecr:GetAuthorizationToken"], ["*"])
    names = ("BatchCheckLayerAvailability", "BatchGetImage", "GetDownloadUrlForLayer")
    yield allow("Images", [f"ecr:{name}" for name in names], [anyone])


def _own_files(name: str, storage: Storage) -> Iterator[iam.PolicyStatement]:
    """SageMaker mirrors a checkpoint's deletion in the container to S3; artifacts are only added."""
    yield list_own(storage, name)
    write = ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"]
    yield allow("Checkpoints", [*write, "s3:DeleteObject"], [checkpoints(storage, name)])
    yield allow("Artifacts", write, [artifacts(storage, name)])
    yield keep_published(storage, name)


def _data(scope: Construct, team: Team) -> Iterator[iam.PolicyStatement]:
    for number, prefix in enumerate(team.data, start=1):
        bucket, _, key = prefix.removeprefix("s3://").partition("/")
        arn = Stack.of(scope).format_arn(
            service="s3", region="", account="", resource=bucket, arn_format=ArnFormat.NO_RESOURCE_NAME
        )
        # A whole bucket is listed with an empty prefix, or with none, and then the condition's key is not there.
        below = {"StringLike": {"s3:prefix": f"{key}*"}} if key else None
        yield allow(f"ListData{number}", ["s3:ListBucket"], [arn], below)
        yield allow(f"Data{number}", ["s3:GetObject"], [f"{arn}/{key}*"])


def _key_use(keys: Keys, storage: Storage) -> Iterator[iam.PolicyStatement]:
    """The documented set. SageMaker makes the grant for a volume in its own name: a condition on CreateGrant such as
    kms:GrantIsForAWSResource reads well and refuses it, and the job fails.
    """
    if own := storage_keys(storage, keys.output):
        yield allow("StorageKeys", ["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"], own)
    if keys.data:
        yield allow("DataKeys", ["kms:Decrypt"], keys.data)
    if keys.volume:
        yield allow("VolumeKey", ["kms:CreateGrant"], [keys.volume])


def _network(scope: Construct, network: Network) -> Iterator[iam.PolicyStatement]:
    """Subnets may be shared by another account, whose ARN they then carry."""

    def arn(resource: str, name: str, account: str | None = None) -> str:
        return Stack.of(scope).format_arn(service="ec2", account=account, resource=resource, resource_name=name)

    interfaces = arn("network-interface", "*")
    subnets = [arn("subnet", name, "*") for name in network.subnets]
    groups = [arn("security-group", name, "*") for name in network.security_groups]
    yield allow("AttachNetwork", ["ec2:CreateNetworkInterface"], [interfaces, *subnets, *groups])
    names = ("CreateNetworkInterfacePermission", "DeleteNetworkInterface", "DeleteNetworkInterfacePermission")
    yield allow("NetworkInterfaces", [f"ec2:{name}" for name in names], [interfaces])
    yield allow("NetworkReads", [f"ec2:Describe{name}" for name in NETWORK_READS], ["*"])
