"""From a training job to a message, through the deployed functions: what comes late, twice, never or broken."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from local.waiting import until
from tests.local.pools import keep_alive
from tests.local.product import Product

pytestmark = pytest.mark.local
SCHEMA = json.loads(Path("docs/events/training-job.v1.schema.json").read_text())
JOBS = 200


def test_a_job_that_completes_is_told_once_in_slack_and_by_mail(product: Product) -> None:
    product.run_job("simple-1", Tags=[{"Key": "owner", "Value": "vision"}])
    until(lambda: product.records("simple-1"), "the record of its start")
    product.advance(minutes=15)
    product.told("simple-1")
    product.quiet()
    [text], [mail] = product.slack_about("simple-1"), product.mails_about("simple-1")
    for words in ("completed", "vision", "ml.g5.xlarge"):
        assert words in text
        assert words in mail
    item = product.record("simple-1")
    assert item["status"]["S"] == "Completed"
    states = {key: said["M"]["state"]["S"] for key, said in item["record"]["M"]["announcements"]["M"].items()}
    assert states == {"Started": "published", "Finished/Completed": "published"}


@pytest.mark.case("OP-02")
def test_two_hundred_jobs_with_lost_repeated_and_shuffled_events_are_each_told_once(product: Product) -> None:
    dice = random.Random(20260302)
    names = [f"storm-{number:03}" for number in range(JOBS)]
    with product.events_lost():
        with product.laptop.control.users_unthrottled():  # at the account's rate this would take them three minutes
            for name in names:
                product.run_job(name)  # failures alike would be told together
        product.advance(hours=1)
        genuine = product.happened("storm-")
    _storm(product, dice, names, genuine)
    for purpose in ("JobNotification", "Slack", "Email", "JobEventsRule", "JobNotificationRule"):
        assert product.dead(purpose) == []


def _storm(product: Product, dice: random.Random, names: list[str], genuine: Sequence[dict[str, Any]]) -> None:
    """Deliver the events, let the reconciler find the rest, and count what people got."""
    arriving = [event for event in genuine if dice.random() >= 0.1 for _ in range(dice.randint(1, 3))]
    assert len(arriving) > len(genuine)
    dice.shuffle(arriving)
    malformed = len(arriving) // 2
    for number, event in enumerate(arriving):
        product.deliver(event)
        if number == malformed:
            product.laptop.control.inject(
                "aws.sagemaker", "SageMaker Training Job State Change", {"TrainingJobStatus": "Failed"}, account=""
            )
    product.quiet()
    product.reconcile()
    until(lambda: len(product.records("storm-")) == JOBS, "a record of every job", seconds=120)
    product.told("storm-199", seconds=120)
    product.quiet()
    assert [len(product.slack_about(name)) for name in names] == [1] * JOBS
    assert [len(product.mails_about(name)) for name in names] == [1] * JOBS
    [dead] = product.dead("JobEvents")
    assert "names no training job" in dead["MessageAttributes"]["reason"]["StringValue"]


def test_a_job_all_of_whose_events_were_lost_is_found(product: Product) -> None:
    with product.events_lost():
        product.run_job("lost-1", Tags=[{"Key": "owner", "Value": "language"}])
        product.advance(minutes=30)
    product.reconcile()
    product.told("lost-1")
    assert "language (tag owner)" in product.slack_about("lost-1")[0], "tags are asked for when no event said them"


def test_a_spot_job_interrupted_twice_tells_its_savings(product: Product) -> None:
    plan = {"training_seconds": 390, "downloading_seconds": 30, "uploading_seconds": 20, "interruptions": 2}
    product.run_job(
        "spot-1",
        plan={**plan, "billable_seconds": 100},
        EnableManagedSpotTraining=True,
        StoppingCondition={"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200},
    )
    for _ in range(8):
        product.advance(minutes=5)
    product.told("spot-1")
    [text] = product.slack_about("spot-1")
    assert "80 %" in text
    record = product.record("spot-1")["record"]["M"]["job"]["M"]
    assert len(record["interruptions"]["L"]) == 2


def test_a_name_used_again_after_deletion_is_told_again(product: Product) -> None:
    sagemaker = product.laptop.client("sagemaker")
    for times in (1, 2):
        product.run_job("again-1")
        product.advance(minutes=20)
        product.told("again-1", times)
        sagemaker.delete_training_job(TrainingJobName="again-1")
    assert len(product.records("again-1")) == 2


def test_a_job_deleted_before_its_end_was_read_is_told_from_its_event(product: Product) -> None:
    with product.events_lost():
        product.run_job("gone-1", plan={"outcome": "Failed", "failure_reason": "AlgorithmError: exit code: 139"})
        product.advance(minutes=20)
        product.laptop.client("sagemaker").delete_training_job(TrainingJobName="gone-1")
    [end] = [event for event in product.happened("gone-1") if event["Detail"]["TrainingJobStatus"] == "Failed"]
    product.deliver(end)
    product.told("gone-1")
    assert "139" in product.slack_about("gone-1")[0]
    assert product.record("gone-1")["record"]["M"]["job"]["M"]["described"]["BOOL"] is False


def test_an_event_without_a_creation_time_finds_its_run(product: Product) -> None:
    with product.events_lost():
        product.run_job("bare-1")
        product.advance(minutes=20)
    end = product.happened("bare-1")[-1]
    product.deliver({**end, "Detail": {k: v for k, v in end["Detail"].items() if k != "CreationTime"}})
    product.told("bare-1")
    assert len(product.records("bare-1")) == 1


def test_a_job_with_a_mixed_case_name_is_described_linked_and_told_by_its_name(product: Product) -> None:
    product.run_job("ResNet-Mixed-1", Tags=[{"Key": "owner", "Value": "vision"}])
    until(lambda: product.records("resnet-mixed-1"), "the record of its start")
    product.advance(minutes=20)
    product.told("ResNet-Mixed-1")
    [text] = product.slack_about("ResNet-Mixed-1")
    assert "vision (tag owner)" in text
    [item] = product.records("resnet-mixed-1")
    job = item["record"]["M"]["job"]["M"]
    assert (job["given_name"]["S"], job["described"]["BOOL"]) == ("ResNet-Mixed-1", True)


def test_what_is_on_the_bus_fits_the_published_schema(product: Product) -> None:
    heard = listen(product)
    product.run_job("schema-1", ResourceConfig=keep_alive(600))
    until(lambda: product.records("schema-1"), "the record of its start")
    product.advance(minutes=20)
    product.told("schema-1")
    events = [event for event in heard() if event["detail"]["job"]["name"] == "schema-1"]
    assert {event["detail-type"] for event in events} == {"Training Job Started", "Training Job Finished"}
    for event in events:
        assert event["source"] == "trainops"
        jsonschema.validate(event["detail"], SCHEMA)


def listen(product: Product) -> Any:
    """Subscribe to the bus as another team would, with a rule and a queue of its own; calling it reads the events."""
    sqs, events, bus = product.laptop.client("sqs"), product.laptop.client("events"), product.named("Bus")
    url = sqs.create_queue(QueueName="listener")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    events.put_rule(Name="listener", EventBusName=bus, EventPattern=json.dumps({"source": ["trainops"]}))
    events.put_targets(Rule="listener", EventBusName=bus, Targets=[{"Id": "queue", "Arn": arn}])

    def heard() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while batch := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            found += [json.loads(message["Body"]) for message in batch]
        return found

    return heard
