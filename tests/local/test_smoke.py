"""What the product needs of the local AWS, shown on a small stack of its own: the evidence of local/README.md."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from local.laptop import Laptop
from local.waiting import until
from tests.local.smoke import APP, Smoke, arguments_of, job_request, make_layer
from tests.local.smoke_stack import SIGNING_SECRET

pytestmark = pytest.mark.local


@pytest.fixture(scope="module")
def smoke(laptop: Laptop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Smoke]:
    layer = make_layer(tmp_path_factory.mktemp("layer"))
    laptop.deploy(app=APP, environ={"SMOKE_LAYER": str(layer)})
    yield Smoke(laptop)
    cloudformation = laptop.client("cloudformation")
    cloudformation.delete_stack(StackName="Smoke")
    until(lambda: not stacks(laptop, "Smoke"), "the deletion of the smoke stack", seconds=60)


def stacks(laptop: Laptop, name: str) -> list[str]:
    """The live stacks of that name."""
    found = laptop.client("cloudformation").list_stacks()["StackSummaries"]
    return [s["StackId"] for s in found if s["StackName"] == name and s["StackStatus"] != "DELETE_COMPLETE"]


@pytest.fixture(scope="module")
def training_role(laptop: Laptop) -> str:
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "sagemaker.amazonaws.com"}}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    role = laptop.client("iam").create_role(RoleName="smoke-training", AssumeRolePolicyDocument=document)
    return str(role["Role"]["Arn"])


def test_a_custom_resource_provider_runs_and_gives_its_attribute(smoke: Smoke) -> None:
    assert smoke.outputs["Echo"] == "echo of one"
    assert smoke.item("custom-Create") == {"id": "custom-Create", "kind": "custom", "value": "one"}


def test_a_function_url_gets_the_body_byte_for_byte_and_powertools_reads_the_secret(smoke: Smoke) -> None:
    body = '{"text":  "grün", "odd" :1}'
    signature = hmac.new(SIGNING_SECRET.encode(), body.encode(), hashlib.sha256).hexdigest()
    url = smoke.laptop.reachable(smoke.outputs["Url"])
    genuine = httpx.post(url, content=body.encode(), headers={"X-Signature": signature})
    forged = httpx.post(url, content=b"{}", headers={"X-Signature": signature})
    assert (genuine.status_code, genuine.text) == (200, "genuine")
    assert (forged.status_code, forged.text) == (403, "forged")


def test_only_the_poisonous_message_of_a_batch_reaches_the_dead_letter_queue(smoke: Smoke) -> None:
    bodies = ["good-1", "poison-1", "good-2"]
    entries = [{"Id": str(number), "MessageBody": body} for number, body in enumerate(bodies)]
    smoke.sqs.send_message_batch(QueueUrl=smoke.outputs["QueueUrl"], Entries=entries)

    def dead() -> list[dict[str, Any]]:
        found = smoke.sqs.receive_message(QueueUrl=smoke.outputs["DeadUrl"], WaitTimeSeconds=1)
        return list(found.get("Messages", []))

    assert until(lambda: smoke.item("good-1") and smoke.item("good-2"), "the good messages")
    assert [message["Body"] for message in until(dead, "the poisonous message", seconds=60)] == ["poison-1"]


def test_a_schedule_follows_the_simulated_clock_and_carries_its_time(smoke: Smoke) -> None:
    before = smoke.laptop.control.now()
    after = smoke.laptop.control.advance(timedelta(minutes=15))
    [item, *_] = until(lambda: smoke.kinds("Scheduled Event"), "the scheduled event")
    event = json.loads(item["event"]["S"])
    assert before.isoformat() < event["time"]
    assert event["time"][:16] == after.isoformat()[:16]


def test_a_genuine_event_reaches_the_function_through_the_deployed_rule(smoke: Smoke, training_role: str) -> None:
    control = smoke.laptop.control
    control.plan("smoke-1", interruptions=1, training_seconds=1000)
    smoke.laptop.client("sagemaker").create_training_job(**job_request("smoke-1", training_role))
    control.advance(timedelta(hours=1))
    [item] = until(lambda: smoke.kinds("SageMaker Training Job State Change"), "the event of the job's end")
    event = json.loads(item["event"]["S"])
    assert event["source"] == "aws.sagemaker"
    assert event["detail"]["SecondaryStatus"] == "Completed"
    assert event["detail"]["Tags"] == {"team": "vision"}
    assert event["account"] == smoke.laptop.account


ALLOWED = [
    ("dynamodb", "query", "index", {}),
    ("sqs", "send_message_batch", "queue", {}),
    ("events", "put_events", "bus", {"Entries": [{"Source": "smoke", "DetailType": "x", "Detail": "{}"}]}),
    ("sesv2", "send_email", "identity", {}),
    ("ssm", "get_parameters", "parameter", {"Names": ["/smoke/one"]}),
    ("sagemaker", "describe_training_job", "job", {"TrainingJobName": "smoke-1"}),
    ("sagemaker", "list_training_jobs", "all", {}),
    ("cloudwatch", "put_metric_data", "namespace", {"Namespace": "Smoke", "MetricData": [{"MetricName": "m"}]}),
]


@pytest.mark.parametrize(("service", "operation", "resource", "given"), ALLOWED)
def test_a_least_privilege_policy_written_for_aws_is_enough(
    smoke: Smoke, service: str, operation: str, resource: str, given: dict[str, Any]
) -> None:
    assert smoke.probe(service, operation, **arguments_of(smoke, resource, given)) in {"OK", "ResourceNotFound"}


@pytest.mark.parametrize(
    ("service", "operation", "arguments"),
    [
        ("dynamodb", "scan", {"TableName": "smoke"}),
        ("ssm", "get_parameters", {"Names": ["/smoke/one", "/smoke/two"]}),
        ("sagemaker", "describe_training_job", {"TrainingJobName": "other-1"}),
        ("sagemaker", "stop_training_job", {"TrainingJobName": "smoke-1"}),
        ("cloudwatch", "put_metric_data", {"Namespace": "Other", "MetricData": [{"MetricName": "m", "Value": 1}]}),
    ],
)
def test_what_the_role_does_not_allow_is_denied(
    smoke: Smoke, service: str, operation: str, arguments: dict[str, Any]
) -> None:
    assert smoke.probe(service, operation, **arguments) in {"AccessDeniedException", "AccessDenied"}


def test_every_decision_is_recorded_with_the_resource_that_aws_would_evaluate(smoke: Smoke) -> None:
    control, role = smoke.laptop.control, smoke.outputs["ProbeRole"]
    control.clear_authorisations()
    smoke.probe("sesv2", "send_email", **arguments_of(smoke, "identity", {}))
    smoke.probe("sagemaker", "stop_training_job", TrainingJobName="smoke-1")
    found = {(entry.action, entry.resource.split(":", 5)[5], entry.decision) for entry in control.authorisations(role)}
    assert ("ses:SendEmail", "identity/trainops.example", "Allow") in found
    assert ("sagemaker:StopTrainingJob", "training-job/smoke-1", "ImplicitDeny") in found


def test_an_e_mail_sent_by_a_function_arrives_in_the_mailbox_with_both_parts(smoke: Smoke) -> None:
    smoke.laptop.mailbox.clear()
    assert smoke.probe("sesv2", "send_email", **arguments_of(smoke, "identity", {})) == "OK"
    [mail] = until(lambda: smoke.laptop.mailbox.to("team@trainops.example"), "the e-mail")
    assert mail.subject == "Grüße"
    assert mail.body().strip() == "plain"
    assert mail.body("html").strip() == "<p>rich"


def test_a_table_keeps_its_time_to_live_and_its_conditions(smoke: Smoke) -> None:
    table = smoke.outputs["TableName"]
    ttl = smoke.dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    assert ttl == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    once = {"TableName": table, "Item": {"id": {"S": "once"}}, "ConditionExpression": "attribute_not_exists(id)"}
    smoke.dynamodb.put_item(**once)
    with pytest.raises(smoke.dynamodb.exceptions.ConditionalCheckFailedException):
        smoke.dynamodb.put_item(**once)


def test_an_alarm_looks_at_its_own_dimensions_only(laptop: Laptop) -> None:
    cloudwatch = laptop.client("cloudwatch")

    def put(team: str) -> None:
        data = {"MetricName": "Failures", "Value": 5.0, "Dimensions": [{"Name": "team", "Value": team}]}
        cloudwatch.put_metric_data(Namespace="Smoke", MetricData=[data])

    def state() -> str:
        return str(cloudwatch.describe_alarms(AlarmNames=["smoke"])["MetricAlarms"][0]["StateValue"])

    cloudwatch.put_metric_alarm(
        AlarmName="smoke",
        Namespace="Smoke",
        MetricName="Failures",
        Dimensions=[{"Name": "team", "Value": "vision"}],
        Statistic="Sum",
        Period=60,
        EvaluationPeriods=1,
        Threshold=1,
        ComparisonOperator="GreaterThanThreshold",
    )
    put("speech")
    assert state() == "INSUFFICIENT_DATA"
    put("vision")
    assert until(lambda: state() == "ALARM", "the alarm")
