"""`make demo`: deploys trainops to an AWS on this machine, runs three training jobs and shows the messages.

Everything is real but SageMaker itself: `cdk deploy`, IAM enforced on every call, the deployed functions, the events'
own rule. Ends with `demo: ok` and what was proven, or `demo: failed` with why and exit status 1.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any

import typer
from rich.console import Console

from local.account import CONFIG, furnish, role_arn
from local.laptop import Laptop
from local.problems import LaptopError
from local.reading import mail_panel, slack_panel, slack_text
from local.waiting import until

OUT_OF_MEMORY = (
    'AlgorithmError: ExecuteUserScriptError:\nExitCode 1\nErrorMessage "torch.OutOfMemoryError: CUDA out of memory. '
    'Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 21.99 GiB"\nCommand "/usr/bin/python3 train.py"'
)


@dataclass(frozen=True)
class DemoJob:
    """A job, what will happen to it, and what its messages must say."""

    name: str
    plan: dict[str, Any]
    request: dict[str, Any]
    messages: int
    says: tuple[str, ...]
    tags: dict[str, str] = field(default_factory=dict)


JOBS = [
    DemoJob(
        name="resnet50-baseline",
        plan={"training_seconds": 1500},
        request={"InstanceType": "ml.g5.xlarge", "KeepAlivePeriodInSeconds": 1800},
        messages=2,
        says=("Completed", "stays warm until"),
        tags={"team": "vision", "owner": "vision-oncall"},
    ),
    DemoJob(
        name="llama-finetune",
        plan={"training_seconds": 240, "outcome": "Failed", "failure_reason": OUT_OF_MEMORY},
        request={"InstanceType": "ml.g5.12xlarge"},
        messages=2,
        says=("Failed", "GPU", "memory"),
        tags={"team": "language"},
    ),
    DemoJob(
        name="detector-spot",
        plan={"training_seconds": 390, "interruptions": 2, "billable_seconds": 100, "interrupted_seconds": 120},
        request={"InstanceType": "ml.g5.2xlarge", "spot": True},
        messages=4,
        says=("Completed", "80 %"),
        tags={"team": "vision", "owner": "vision-oncall"},
    ),
]
PROVEN = (
    "cdk bootstrap and cdk deploy of both stacks, unchanged, with IAM enforced on every call",
    "three training jobs created by boto3; their own events matched by the deployed rule",
    "each function under its own role: intake, ledger, bus, notification, Slack and e-mail delivery",
    "8 Slack messages and 8 e-mails, each once: 3 starts, 2 interruptions, 3 ends; nothing in a dead-letter queue",
    "the failure's cause found in its text, spot savings of 80 % (100 of 500 s billed), the warm pool's price",
)

console = Console(highlight=False, width=100)


def add_to(app: typer.Typer) -> None:
    """Give the command line its `demo` command."""
    app.command()(demo)


def demo(rate: Annotated[float, typer.Option(help="Simulated seconds per real second.")] = 120) -> None:
    """Deploy to an AWS on this machine, run three training jobs and show the messages they lead to."""
    began = time.monotonic()
    try:
        with Laptop(clock_rate=rate) as laptop:
            _prepare(laptop)
            _run_jobs(laptop)
            _show(laptop)
            _check(laptop)
    except (AssertionError, TimeoutError, LaptopError) as error:
        console.print(f"\ndemo: failed: {error}", style="bold red")
        sys.exit(1)
    console.print(f"\ndemo: ok in {time.monotonic() - began:.0f} s. Proven on this machine:", style="bold green")
    for line in PROVEN:
        console.print(f"  - {line}")
    console.print("Only a real account can prove what README.md lists under Limits.")


def _prepare(laptop: Laptop) -> None:
    _step("local AWS up, IAM enforced", lambda: None)
    furnish(laptop)
    _step("cdk bootstrap", laptop.bootstrap)
    _step("cdk deploy --all", lambda: laptop.deploy(config=CONFIG))


def _run_jobs(laptop: Laptop) -> None:
    sagemaker = laptop.client("sagemaker")
    for job in JOBS:
        laptop.control.plan(job.name, **job.plan)
        sagemaker.create_training_job(**_request(laptop, job))
        console.print(f"  submitted {job.name}: {job.request}")
    shown: dict[str, str] = {}

    def all_told() -> bool:
        for job in JOBS:
            state = sagemaker.describe_training_job(TrainingJobName=job.name)
            status = f"{state['TrainingJobStatus']}/{state['SecondaryStatus']}"
            if shown.get(job.name) != status:
                shown[job.name] = status
                console.print(f"  {laptop.control.now():%H:%M:%S}  {job.name:<18} {status}")
        wanted = sum(job.messages for job in JOBS)
        return min(len(laptop.slack.messages), len(laptop.mailbox.mails)) >= wanted

    with laptop.control.users_unthrottled():  # watching this closely takes more calls than an account may make
        until(all_told, "all messages", seconds=120)


def _request(laptop: Laptop, job: DemoJob) -> dict[str, Any]:
    resources = {"InstanceCount": 1, "VolumeSizeInGB": 30, **job.request}
    spot = bool(resources.pop("spot", False))
    limits = {"MaxRuntimeInSeconds": 7200, **({"MaxWaitTimeInSeconds": 14400} if spot else {})}
    return {
        "TrainingJobName": job.name,
        "RoleArn": role_arn(laptop),
        "AlgorithmSpecification": {
            "TrainingImage": f"{laptop.account}.dkr.ecr.{laptop.region}.amazonaws.com/train:1",
            "TrainingInputMode": "FastFile",
        },
        "ResourceConfig": resources,
        "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/output/"},
        "StoppingCondition": limits,
        "Tags": [{"Key": key, "Value": value} for key, value in job.tags.items()],
        **({"EnableManagedSpotTraining": True} if spot else {}),
        **({"CheckpointConfig": {"S3Uri": f"s3://example-artifacts/checkpoints/{job.name}/"}} if spot else {}),
    }


def _show(laptop: Laptop) -> None:
    console.print("\nWhat the channel shows:", style="bold")
    for message in laptop.slack.messages:
        console.print(slack_panel(message.body))
    console.print("\nWhat the mailbox holds (the ends; starts and interruptions look alike):", style="bold")
    for mail in laptop.mailbox.mails:
        if any(word in mail.subject for word in ("Completed", "Failed", "completed", "failed")):
            console.print(mail_panel(mail))


def _check(laptop: Laptop) -> None:
    slack = [slack_text(message.body) for message in laptop.slack.messages]
    mails = [f"{mail.subject}\n{mail.body()}" for mail in laptop.mailbox.mails]
    for job in JOBS:
        for channel, texts in (("Slack", slack), ("e-mail", mails)):
            about = [text for text in texts if job.name in text]
            if len(about) != job.messages:
                raise AssertionError(f"{channel}: {len(about)} messages about {job.name}, expected {job.messages}")
            silent = [word for word in job.says if not any(word.lower() in text.lower() for text in about)]
            if silent:
                raise AssertionError(f"{channel}: no message about {job.name} says {', '.join(silent)}")
    _nothing_given_up(laptop)


def _nothing_given_up(laptop: Laptop) -> None:
    sqs = laptop.client("sqs")
    for url in sqs.list_queues().get("QueueUrls", []):
        if "DeadLetters" in url:
            counts = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"])
            if counts["Attributes"]["ApproximateNumberOfMessages"] != "0":
                raise AssertionError(f"messages were given up: {url.rpartition('/')[2]}")


def _step(what: str, run: Callable[[], None]) -> None:
    began = time.monotonic()
    with console.status(what):
        run()
    console.print(f"  {what} ({timedelta(seconds=round(time.monotonic() - began)).seconds} s)")
