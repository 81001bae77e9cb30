"""A small CDK app with one of each thing that the product needs of the local AWS; deployed by test_smoke.py."""

import os
from typing import Any

from aws_cdk import App, CfnOutput, CustomResource, Duration, RemovalPolicy, SecretValue, Stack, custom_resources
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_secretsmanager as secretsmanager
from aws_cdk import aws_ses as ses
from aws_cdk import aws_sqs as sqs
from constructs import Construct

HERE = os.path.dirname(__file__)  # noqa: PTH120 - asset paths are strings
WORKER_SECONDS = 4  # short, so that a message reaches the dead-letter queue soon
SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"


class SmokeStack(Stack):
    """Table, queue with dead-letter queue, rules, function URL, secret, e-mail identity and custom resource."""

    def __init__(self, scope: Construct, name: str, layer: str) -> None:
        super().__init__(scope, name)
        self._layer = lambda_.LayerVersion(self, "Layer", code=lambda_.Code.from_asset(layer))
        self.table = self._table()
        self._queues()
        self._rules()
        self._url()
        self._custom_resource()
        self._probe()

    def _function(self, name: str, handler: str, **more: Any) -> lambda_.Function:
        environment = {"TABLE": self.table.table_name, **more.pop("environment", {})}
        function = lambda_.Function(
            self,
            name,
            runtime=lambda_.Runtime.PYTHON_3_13,
            architecture=lambda_.Architecture.ARM_64,
            code=lambda_.Code.from_asset(os.path.join(HERE, "smoke_functions")),  # noqa: PTH118
            handler=f"functions.{handler}",
            layers=[self._layer],
            environment=environment,
            timeout=Duration.seconds(more.pop("seconds", 10)),
            **more,
        )
        self.table.grant(function, "dynamodb:PutItem")
        return function

    def _table(self) -> dynamodb.Table:
        table = dynamodb.Table(
            self,
            "Table",
            partition_key=dynamodb.Attribute(name="id", type=dynamodb.AttributeType.STRING),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            time_to_live_attribute="expires",
            removal_policy=RemovalPolicy.DESTROY,
        )
        kind = dynamodb.Attribute(name="kind", type=dynamodb.AttributeType.STRING)
        table.add_global_secondary_index(index_name="by-kind", partition_key=kind)
        CfnOutput(self, "TableName", value=table.table_name)
        return table

    def _queues(self) -> None:
        dead = sqs.Queue(self, "Dead")
        self.queue = sqs.Queue(
            self,
            "Queue",
            visibility_timeout=Duration.seconds(WORKER_SECONDS),
            dead_letter_queue=sqs.DeadLetterQueue(max_receive_count=2, queue=dead),
            enforce_ssl=True,
        )
        source = sources.SqsEventSource(self.queue, batch_size=10, report_batch_item_failures=True, max_concurrency=2)
        self._function("Worker", "worker", seconds=WORKER_SECONDS, events=[source])
        CfnOutput(self, "QueueUrl", value=self.queue.queue_url)
        CfnOutput(self, "DeadUrl", value=dead.queue_url)

    def _rules(self) -> None:
        keeper = targets.LambdaFunction(self._function("Keeper", "keep_event"))
        pattern = events.EventPattern(
            source=["aws.sagemaker"],
            detail_type=["SageMaker Training Job State Change"],
            detail={"TrainingJobStatus": ["Completed", "Failed", "Stopped"]},
        )
        events.Rule(self, "JobsRule", event_pattern=pattern, targets=[keeper])
        events.Rule(self, "Schedule", schedule=events.Schedule.rate(Duration.minutes(15)), targets=[keeper])

    def _url(self) -> None:
        secret = secretsmanager.Secret(
            self,
            "Secret",
            secret_object_value={"signing_secret": SecretValue.unsafe_plain_text(SIGNING_SECRET)},
        )
        function = self._function("Answer", "answer", environment={"SECRET": secret.secret_arn})
        secret.grant_read(function)
        url = function.add_function_url(auth_type=lambda_.FunctionUrlAuthType.NONE)
        CfnOutput(self, "Url", value=url.url)
        CfnOutput(self, "SecretRole", value=function.role.role_name if function.role else "")

    def _custom_resource(self) -> None:
        provider = custom_resources.Provider(self, "Provider", on_event_handler=self._function("Provide", "provide"))
        resource = CustomResource(self, "Custom", service_token=provider.service_token, properties={"Value": "one"})
        CfnOutput(self, "Echo", value=resource.get_att_string("Echo"))

    def _probe(self) -> None:
        """The function whose role has exactly the permissions that the IAM tests name."""
        ses.EmailIdentity(self, "Sender", identity=ses.Identity.domain("trainops.example"))
        function = self._function("Probe", "probe")
        allow = self._allow(function)
        allow("dynamodb:Query", f"{self.table.table_arn}/index/by-kind")
        allow("sqs:SendMessage", self.queue.queue_arn)
        allow("events:PutEvents", self._arn("events", "event-bus/default"))
        allow("ses:SendEmail", self._arn("ses", "identity/trainops.example"))
        allow("ssm:GetParameters", self._arn("ssm", "parameter/smoke/one"))
        allow("sagemaker:DescribeTrainingJob", self._arn("sagemaker", "training-job/smoke-*"))
        allow("sagemaker:ListTrainingJobs", "*")
        allow("cloudwatch:PutMetricData", "*", {"StringEquals": {"cloudwatch:namespace": "Smoke"}})
        CfnOutput(self, "ProbeName", value=function.function_name)
        CfnOutput(self, "ProbeRole", value=function.role.role_name if function.role else "")

    def _allow(self, function: lambda_.Function) -> Any:
        def allow(action: str, resource: str, conditions: dict[str, Any] | None = None) -> None:
            function.add_to_role_policy(
                iam.PolicyStatement(actions=[action], resources=[resource], conditions=conditions)
            )

        return allow

    def _arn(self, service: str, rest: str) -> str:
        return f"arn:{self.partition}:{service}:{self.region}:{self.account}:{rest}"


if __name__ == "__main__":
    app = App()
    SmokeStack(app, "Smoke", os.environ["SMOKE_LAYER"])
    app.synth()
