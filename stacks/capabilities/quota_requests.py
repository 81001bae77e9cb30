"""Quotas asked for at a deployment: a custom resource, since CloudFormation has no type for them.

Usable alone, in any stack that has a table with the ledger's keys:

    QuotaRequests(
        self, "Quotas", by_type={"ml.g5.xlarge": {"warm_pool": 8, "training": 16}}, ledger=table, runtime=runtime
    )

Without `quota_tracker` beside it nobody follows what could not be asked for at once.
"""

from collections.abc import Mapping
from datetime import timedelta

from aws_cdk import Duration, Stack
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from stacks.building_blocks.custom_resource import AtDeployment
from stacks.building_blocks.function import Function, Runtime
from trainops.environment import QuotaRequest as Environment

SPACING = timedelta(milliseconds=250)
"""Four Service Quotas calls a second; the Gets and the history have five (Service Quotas user guide)."""
READS = (
    "servicequotas:GetServiceQuota",
    "servicequotas:GetAWSDefaultServiceQuota",
    "servicequotas:ListServiceQuotas",
    "servicequotas:ListAWSDefaultServiceQuotas",
    "servicequotas:GetRequestedServiceQuotaChange",
    "servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota",
)
LINKED_ROLE = "servicequotas.amazonaws.com"
"""Whoever asks for the first increase of an account makes this service's linked role (Service Quotas user guide)."""


class QuotaRequests(Construct):
    """`by_type`: instance type → training, spot, warm_pool or processing → instances. `account`: the account's limits,
    named as in the settings. A refusal fails the deployment only with `fail_on_refusal`. `requester`, an owner's name
    or address, hears of the requests beside the channel.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        by_type: Mapping[str, Mapping[str, int]],
        ledger: dynamodb.ITable,
        runtime: Runtime,
        account: Mapping[str, int] | None = None,
        fail_on_refusal: bool = False,
        support_case_allowed: bool = True,
        requester: str | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        function = Function(
            self,
            "Function",
            name="quota_request",
            description="Asks for quotas that are too low, at each deployment",
            environment=Environment(ledger_table=ledger.table_name, quota_spacing=SPACING),
            runtime=runtime,
            timeout=Duration.minutes(4),
        )
        function.may(["dynamodb:GetItem", "dynamodb:PutItem"], [ledger.table_arn])
        permit_asking(function)
        AtDeployment(
            self,
            "Wanted",
            kind="QuotaRequest",
            function=function,
            properties={
                "AskedBy": Stack.of(self).stack_name,
                "InstanceTypes": by_type,
                "Account": account or {},
                "FailOnRefusal": fail_on_refusal,
                "SupportCaseAllowed": support_case_allowed,
                **({"Requester": requester} if requester else {}),
            },
            runtime=runtime,
        )


def permit_asking(function: Function) -> None:
    """Read quotas and ask for more of SageMaker's, and nothing else that Service Quotas can do."""
    stack = Stack.of(function)
    function.may(READS, ["*"])
    quotas = stack.format_arn(service="servicequotas", resource="sagemaker", resource_name="*")
    function.may(["servicequotas:RequestServiceQuotaIncrease"], [quotas])
    role = f"aws-service-role/{LINKED_ROLE}"
    linked = stack.format_arn(
        service="iam", region="", resource="role", resource_name=f"{role}/AWSServiceRoleForServiceQuotas"
    )
    function.may(["iam:CreateServiceLinkedRole"], [linked], {"StringEquals": {"iam:AWSServiceName": LINKED_ROLE}})
