"""Whether mail through SES can arrive: asked when a deployment changes addresses, shown as the output MailStatus."""

from collections.abc import Sequence

from aws_cdk import CfnOutput, Duration, Stack
from constructs import Construct

from stacks.building_blocks.custom_resource import AtDeployment
from stacks.building_blocks.function import Function, Runtime
from trainops.notification_environment import MailCheck as Environment


def check_mail(scope: Construct, sender: str, recipients: Sequence[str], runtime: Runtime) -> None:
    """Add the function, the custom resource that calls it, and the output, within `scope`."""
    within = Construct(scope, "MailCheck")
    function = Function(
        within,
        "Function",
        name="mail_check",
        description="Says at a deployment whether mail through SES can arrive",
        environment=Environment(),
        runtime=runtime,
        timeout=Duration.minutes(1),
    )
    stack = Stack.of(scope)
    function.may(["ses:GetAccount"], ["*"])
    function.may(["ses:GetEmailIdentity"], [stack.format_arn(service="ses", resource="identity", resource_name="*")])
    asked = AtDeployment(
        within,
        "Asked",
        kind="MailCheck",
        function=function,
        properties={"Sender": sender, "Recipients": list(recipients)},
        runtime=runtime,
    )
    CfnOutput(stack, "MailStatus", value=asked.resource.get_att_string("Found"))
