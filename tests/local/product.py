"""The deployed product as its users see it: jobs go in, messages come out; and what an operator can look at."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from local.account import role_arn
from local.functions import restart, run_scheduled
from local.laptop import Laptop
from local.reading import slack_text
from local.waiting import until
from tests.local.troubles import troubles

CONFIG = Path(__file__).with_name("product.yaml")
STACKS = ("trainops-foundation", "trainops-operations", "trainops-access")
QUICK = {"starting_seconds": 60, "downloading_seconds": 30, "training_seconds": 600, "uploading_seconds": 10}
HASH = 8
"""CDK ends a logical ID with so many hexadecimal digits."""
SEEN_AGAIN = 420
SCHEDULE = re.compile(rf"\w+Schedule[0-9A-F]{{{HASH}}}")


@dataclass
class Product:
    laptop: Laptop
    physical: dict[str, str] = field(default_factory=dict)

    @classmethod
    def deployed(cls, laptop: Laptop, config: Path = CONFIG) -> "Product":
        """`cdk deploy` with both channels; the schedules are off, so that a test says when their functions run."""
        laptop.deploy(config=config)
        product = cls(laptop)
        for stack in STACKS:
            found = laptop.client("cloudformation").describe_stack_resources(StackName=stack)["StackResources"]
            product.physical |= {item["LogicalResourceId"]: item["PhysicalResourceId"] for item in found}
        for key, name in product.physical.items():
            if SCHEDULE.fullmatch(key):
                laptop.client("events").disable_rule(Name=name)
        product.reconcile()  # the first walk: from here on jobs are news
        return product

    def named(self, start: str) -> str:
        """The physical name of the one resource whose logical ID is `start` and CDK's hash."""
        [found] = [
            value for key, value in self.physical.items() if key.startswith(start) and len(key) == len(start) + HASH
        ]
        return found

    def run_job(self, name: str, *, plan: dict[str, Any] | None = None, **request: Any) -> None:
        """Create a training job with an ordinary client; `plan` says what will become of it."""
        self.laptop.control.plan(name, **{**QUICK, **(plan or {})})
        resources = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30}
        defaults: dict[str, Any] = {
            "RoleArn": role_arn(self.laptop),
            "AlgorithmSpecification": {
                "TrainingImage": "111122223333.dkr.ecr.us-east-1.amazonaws.com/t:1",
                "TrainingInputMode": "File",
            },
            "ResourceConfig": resources,
            "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/"},
            "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        }
        self.laptop.client("sagemaker").create_training_job(TrainingJobName=name, **{**defaults, **request})

    def advance(self, **step: float) -> datetime:
        """Let simulated time pass."""
        return self.laptop.control.advance(timedelta(**step))

    def reconcile(self) -> None:
        """Run the reconciler as its schedule does, at the simulated moment."""
        self._tick("JobReconcileFunction")

    def sweep(self) -> None:
        """Run the sweep of warm pools as its schedule does, at the simulated moment."""
        self._tick("WarmPoolsSweepFunction")

    def track(self) -> None:
        """Run the tracker of quotas as its schedule does, at the simulated moment."""
        self._tick("QuotasTrackerFunction")

    def _tick(self, function: str) -> None:
        run_scheduled(self.laptop.client("lambda"), self.named(function), self.laptop.control.now())

    def restart(self, function: str) -> None:
        """Give a function a new process, which remembers no secret and no parameter."""
        restart(self.laptop.client("lambda"), self.named(function))

    def slack_about(self, name: str) -> list[str]:
        """The texts in the channel that name a job."""
        return [text for message in self.laptop.slack.messages if f"{name} " in (text := slack_text(message.body))]

    def mails_about(self, name: str) -> list[str]:
        """The subjects and bodies in the mailbox that name a job."""
        return [mail.subject + mail.body() for mail in self.laptop.mailbox.mails if f"{name} " in mail.subject]

    def told(self, name: str, times: int = 1, seconds: float = 60) -> None:
        """Wait until both channels have so many messages about a job."""
        until(
            lambda: len(self.slack_about(name)) >= times and len(self.mails_about(name)) >= times,
            f"{times} message(s) about {name}",
            seconds=seconds,
        )

    def records(self, prefix: str) -> list[dict[str, Any]]:
        """The ledger's items of jobs whose name begins so."""
        pages = self.laptop.client("dynamodb").get_paginator("scan").paginate(TableName=self.named("Ledger"))
        items = [item for page in pages for item in page["Items"] if item["pk"]["S"].startswith("JOB#")]
        return [item for item in items if item["pk"]["S"].rpartition("/")[2].startswith(prefix)]

    def record(self, name: str) -> dict[str, Any]:
        """The ledger's item of one job."""
        [item] = [item for item in self.records(name) if item["pk"]["S"].endswith(f"/{name}")]
        return item

    def queue(self, start: str) -> str:
        """A queue's URL by its logical ID."""
        return self.named(start)

    def waiting_in(self, url: str) -> int:
        """How many messages a queue holds, in flight or not."""
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        counts = self.laptop.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        return sum(int(value) for value in counts.values())

    def dead(self, purpose: str) -> list[dict[str, Any]]:
        """Take everything out of a dead-letter queue."""
        sqs, url, taken = self.laptop.client("sqs"), self.queue(f"{purpose}DeadLetters"), list[dict[str, Any]]()
        while batch := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, MessageAttributeNames=["All"]).get(
            "Messages"
        ):
            for message in batch:
                sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            taken += batch
        return taken

    def quiet(self) -> None:
        """Wait until every queue is empty but the dead-letter queues; a message whose function died is seen again
        after six minutes.
        """

        def busy() -> list[str]:
            return [name for name in QUEUES if self.waiting_in(self.queue(name))]

        try:
            until(lambda: not busy(), "empty queues", seconds=SEEN_AGAIN)
        except TimeoutError as error:
            groups = [name for key, name in self.physical.items() if "FunctionLogs" in key]
            found = troubles(self.laptop, groups)
            raise TimeoutError(f"not empty after seven minutes: {', '.join(busy())}\n{found}") from error

    @contextmanager
    def events_lost(self) -> Iterator[None]:
        """SageMaker's events happen but do not arrive."""
        self.laptop.control.emit(on=False)
        try:
            yield
        finally:
            self.laptop.control.emit(on=True)

    def happened(self, prefix: str) -> Sequence[dict[str, Any]]:
        """The genuine events about training jobs whose name begins so, delivered or not."""
        every = self.laptop.control.sagemaker_events()
        return [event for event in every if event["Detail"].get("TrainingJobName", "").startswith(prefix)]

    def deliver(self, event: dict[str, Any]) -> None:
        """Put one genuine event on the default bus once more."""
        when = datetime.fromtimestamp(event["Time"], UTC)
        self.laptop.control.inject(
            event["Source"], event["DetailType"], event["Detail"], resources=event["Resources"], time=when
        )

    @contextmanager
    def kill_switch(self, value: str) -> Iterator[None]:
        """Turn the parameter, and back."""
        ssm = self.laptop.client("ssm")
        ssm.put_parameter(Name="/trainops/kill-switch", Value=value, Overwrite=True)
        try:
            yield
        finally:
            ssm.put_parameter(Name="/trainops/kill-switch", Value="off", Overwrite=True)


QUEUES = (
    "JobIntakeJobEventsQueue",
    "JobNotificationsAnnouncedQueue",
    "JobNotificationsSlackCardsQueue",
    "JobNotificationsEmailCardsQueue",
    "WarmPoolsControlLooksQueue",
    "SpotSavingsFinishedQueue",
    "QuotasRefusalsRefusedQueue",
)
