"""trainops on the local AWS as the latency measurement needs it: jobs that end when told, functions that start anew."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from local.account import furnish, role_arn
from local.laptop import Laptop
from local.waiting import until

CONFIG = Path(__file__).with_name("latency.yaml")
PLAN = {"starting_seconds": 60, "downloading_seconds": 30, "training_seconds": 600, "uploading_seconds": 1200}
UNTIL_UPLOADING, UNTIL_ENDED = timedelta(seconds=700), timedelta(seconds=1800)
SPACINGS = ("DESCRIBE_SPACING", "POST_SPACING")
"""The variables that say how far apart a function keeps its calls of SageMaker and of Slack."""


class Arrivals(list[Any]):
    """A receiver's list that also keeps the wall-clock time of each arrival."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def append(self, item: Any) -> None:
        """Keep the item and now."""
        self.times.append(time.time())
        super().append(item)


class Deployment:
    """trainops with a Slack channel and a mailbox, its schedules off."""

    def __init__(self, laptop: Laptop, slack: Arrivals, mail: Arrivals) -> None:
        self.laptop, self.slack, self.mail = laptop, slack, mail
        self._functions = {
            found["Handler"].split(".")[1]: found["FunctionName"]
            for found in laptop.client("lambda").list_functions()["Functions"]
            if found["Handler"].startswith("handlers.")
        }
        queues = laptop.client("sqs").list_queues()["QueueUrls"]
        self._queues = [url for url in queues if "DeadLetters" not in url]
        settings = [self._configuration(handler)["Environment"]["Variables"] for handler in self._functions]
        self._pace = max(float(variables.get(name, "0")) for variables in settings for name in SPACINGS)

    def log_group(self, handler: str) -> str:
        """Where a function writes its log."""
        return str(self._configuration(handler)["LoggingConfig"]["LogGroup"])

    def restart(self) -> None:
        """Give every function a new process at its next invocation, as a deployment does."""
        client = self.laptop.client("lambda")
        for handler, name in self._functions.items():
            variables = self._configuration(handler)["Environment"]["Variables"]
            variables["RESTARTED"] = str(int(variables.get("RESTARTED", "0")) + 1)
            client.update_function_configuration(FunctionName=name, Environment={"Variables": variables})

    def start_job(self, name: str) -> None:
        """Bring a job to the state before its end, and wait until everything about that has been handled.

        Also until every function may call again what it paces: no real job ends within that time after its start.
        """
        self.laptop.control.plan(name, **PLAN)  # type: ignore[arg-type]
        self.laptop.client("sagemaker").create_training_job(**_request(self.laptop, name))
        self.laptop.control.advance(UNTIL_UPLOADING)
        self.quiet()
        time.sleep(self._pace)

    def end_job(self) -> float:
        """Let the job end; the wall-clock time just before its event is put on the bus."""
        moment = time.time()
        self.laptop.control.advance(UNTIL_ENDED)
        return moment

    def quiet(self) -> None:
        """Wait until no message is on a queue or being handled."""
        sqs = self.laptop.client("sqs")
        names: list[Any] = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]

        def waiting() -> int:
            found = [sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names) for url in self._queues]
            return sum(int(value) for answer in found for value in answer["Attributes"].values())

        until(lambda: not waiting(), "empty queues", seconds=120)

    def _configuration(self, handler: str) -> dict[str, Any]:
        found = self.laptop.client("lambda").get_function_configuration(FunctionName=self._functions[handler])
        return dict(found)


@contextmanager
def deployed() -> Iterator[Deployment]:
    """Start the local AWS, deploy trainops to it, end everything afterwards."""
    laptop, slack, mail = Laptop(clock_rate=1), Arrivals(), Arrivals()
    laptop.slack.messages, laptop.mailbox.mails = slack, mail
    with laptop:
        furnish(laptop)
        laptop.bootstrap()
        laptop.deploy(config=CONFIG)
        events = laptop.client("events")
        for rule in events.list_rules()["Rules"]:
            if "ScheduleExpression" in rule:  # they follow the simulated clock, which is moved here
                events.disable_rule(Name=rule["Name"])
        yield Deployment(laptop, slack, mail)


def _request(laptop: Laptop, name: str) -> dict[str, Any]:
    image = f"{laptop.account}.dkr.ecr.{laptop.region}.amazonaws.com/train:1"
    return {
        "TrainingJobName": name,
        "RoleArn": role_arn(laptop),
        "AlgorithmSpecification": {"TrainingImage": image, "TrainingInputMode": "File"},
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "OutputDataConfig": {"S3OutputPath": "s3://example-artifacts/"},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        "Tags": [{"Key": "team", "Value": "vision"}],  # without any, job_intake asks for them, a paced call more
    }
