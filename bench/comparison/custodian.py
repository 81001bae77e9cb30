"""Cloud Custodian, unmodified, as a job that a scheduler starts every five simulated minutes."""

import base64
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.comparison.counting import Message
from bench.comparison.day import NAME
from local.cdk import ROOT
from local.laptop import Laptop
from local.notebooks import kernel_environment
from local.problems import need_file

EVERY = timedelta(minutes=5)
ENVIRONMENT = ROOT / ".venv-clients/cloud-custodian/bin"
FRESH = Path(__file__).parents[1] / "fresh_process.py"
RUN = """
import resource, subprocess
done = subprocess.run({command!r}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
answer = {{"status": done.returncode, "printed": done.stderr[-4000:], "peak_mb": peak}}
"""
CHANNEL, ROLE, QUEUE = "sqs", "custodian", "custodian-notices"
TRUST = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
MAY = ("sagemaker:ListTrainingJobs", "sagemaker:DescribeTrainingJob", "sagemaker:ListTags", "sqs:SendMessage")
MAY_TOO = ("iam:ListAccountAliases",)
"""What the policies need, and what Custodian asks besides to name the account."""


@dataclass(frozen=True)
class Run:
    """One `custodian run`: what it took in real seconds, and MiB at most; `problem` is "" when it succeeded."""

    seconds: float
    peak_mb: float
    problem: str


@dataclass
class Custodian:
    """One policy file at work in one account, under a role of its own; what it sent is in `messages`, dated by the
    clock of its ticks.
    """

    laptop: Laptop
    policy: Path
    runs: list[Run] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        need_file(ENVIRONMENT / "custodian", "the environment .venv-clients/cloud-custodian: make clients")
        iam, sqs = self.laptop.client("iam"), self.laptop.client("sqs")
        trust = json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})
        self._role = iam.create_role(RoleName=ROLE, AssumeRolePolicyDocument=trust)["Role"]["Arn"]
        allowed = {"Effect": "Allow", "Action": [*MAY, *MAY_TOO], "Resource": "*"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
        iam.put_role_policy(RoleName=ROLE, PolicyName="policies", PolicyDocument=document)
        self._queue = sqs.create_queue(QueueName=QUEUE)["QueueUrl"]
        attributes = sqs.get_queue_attributes(QueueUrl=self._queue, AttributeNames=["QueueArn"])["Attributes"]
        self._queue_arn, self._sqs = attributes["QueueArn"], sqs
        self._environ = {
            **kernel_environment(self.laptop, {}),
            "PATH": f"{ENVIRONMENT}{os.pathsep}{os.defpath}",
        }
        del self._environ["PYTHONPATH"]

    def tick(self, now: datetime) -> Run:
        """Run once at this simulated moment, for what ended since the tick before; what it sent is decoded."""
        # Written anew each time: Custodian refuses a variable where a query has a date.
        chosen, text = self.laptop.state / self.policy.name, self.policy.read_text(encoding="utf-8")
        moment = (now - EVERY).isoformat()
        chosen.write_text(text.replace("{since}", moment).replace("{queue}", self._queue_arn), encoding="utf-8")
        command = [
            *(str(ENVIRONMENT / "custodian"), "run", "--region", self.laptop.region, "--assume", self._role),
            *("--output-dir", str(self.laptop.state / "custodian"), "--cache-period", "0"),
            str(chosen),
        ]
        outcome = subprocess.run(
            [sys.executable, "-I", "-S", "-B", str(FRESH), "", RUN.format(command=command)],
            env=self._environ, cwd=self.laptop.state, capture_output=True, text=True, check=True,
        )  # fmt: skip
        found = json.loads(outcome.stdout.splitlines()[-1])
        answer = found["answer"]
        run = Run(found["ms"] / 1000, answer["peak_mb"], problem_of(answer["status"], answer["printed"]))
        self.runs.append(run)
        self.messages += [Message(CHANNEL, now.timestamp() + run.seconds, jobs) for jobs in self._received()]
        return run

    def _received(self) -> Sequence[tuple[str, ...]]:
        found: list[tuple[str, ...]] = []
        while items := self._sqs.receive_message(QueueUrl=self._queue, MaxNumberOfMessages=10).get("Messages"):
            for item in items:
                found.append(jobs_in(item["Body"]))
                self._sqs.delete_message(QueueUrl=self._queue, ReceiptHandle=item["ReceiptHandle"])
        return found


def jobs_in(body: str) -> tuple[str, ...]:
    """The jobs that a message of the notify action names: base64 of zlib of JSON, with every resource that matched."""
    notice: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(body)))
    names = [str(resource["TrainingJobName"]) for resource in notice["resources"]]
    return tuple(name for name in names if NAME.fullmatch(name))


def problem_of(status: int, printed: str) -> str:
    """The last line that says what went wrong: Custodian's exit status is 2 when a policy failed, and it logs why."""
    errors = [line for line in printed.splitlines() if "Error" in line or "Exception" in line]
    if status == 0 and not errors:
        return ""
    return errors[-1].strip()[:300] if errors else f"exit status {status}"
