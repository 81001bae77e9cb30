"""One account on the local AWS, in which every client is started at once: they mostly wait."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from local.account import furnish_role
from local.cdk import ROOT
from local.laptop import Laptop
from local.notebooks import SDK_CONFIG, kernel_environment
from local.problems import need_file

HERE = Path(__file__).parent
RATE = 20.0
"""Simulated seconds per second: a job's start takes seven seconds instead of two and a half minutes."""
BUCKET = "clients-output"
SDK_BUCKET = "sagemaker-us-east-1-000000000000"
"""What the SDKs would call theirs; told in their settings, as they ask a fixed address of AWS for the account."""
TYPES = ("ml.m5.large", "ml.c5.xlarge", "ml.c5.2xlarge", "ml.c5.4xlarge", "ml.c5.9xlarge")
"""One for each client, so that none takes another's pool."""
KINDS = ("training job", "spot training job", "training warm pool")
INSTANCES = 20
SECONDS = 480


@dataclass
class Client:
    """A program of others at work: its process, and what it has printed."""

    process: subprocess.Popen[bytes]
    log: Path

    def succeeded(self) -> None:
        """Wait for its end; AssertionError with what it printed unless its exit status is 0."""
        status = self.process.wait(timeout=SECONDS)
        assert status == 0, f"exit status {status}:\n{self.printed[-6000:]}"

    @property
    def printed(self) -> str:
        """Standard output and errors so far."""
        return self.log.read_text()


@dataclass
class Account:
    """The account, and how programs are started in it."""

    laptop: Laptop
    folder: Path
    role: str = field(init=False)
    output: str = field(default=f"s3://{BUCKET}/out")

    def __post_init__(self) -> None:
        self.role = furnish_role(self.laptop, "training")
        allowed = {"Effect": "Allow", "Action": ["s3:*", "logs:*"], "Resource": "*"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
        self.laptop.client("iam").put_role_policy(RoleName="training", PolicyName="files", PolicyDocument=document)
        self.laptop.client("s3").create_bucket(Bucket=BUCKET)
        quotas = [f"{kind} for {use} usage" for kind in TYPES for use in KINDS]
        for quota in (*quotas, "Number of instances across all training jobs"):
            self.laptop.control.set_quota(quota, INSTANCES, account=self.laptop.account, region=self.laptop.region)

    def environ(self, programs: Path) -> Mapping[str, str]:
        """What a user's shell has: this AWS, the client's own programs first, and nothing of this project."""
        environ = kernel_environment(self.laptop, {})
        del environ["PYTHONPATH"]
        config = Path(environ["SAGEMAKER_USER_CONFIG_OVERRIDE"])
        config.write_text(f"{SDK_CONFIG}      Session:\n        DefaultS3Bucket: {SDK_BUCKET}\n")
        environ |= {
            "AWS_RETRY_MODE": "standard",
            "AWS_MAX_ATTEMPTS": "8",
        }  # several list 1,600 quotas at ten calls a second
        return {**environ, "PATH": f"{programs}{os.pathsep}{os.defpath}", "SAGEMAKER_VALIDATE_ROLE": "false"}

    def start(self, name: str, environment: str, *command: str) -> Client:
        """Run a program of `environment` (a folder beside .venv)."""
        programs = need_file(ROOT / environment / "bin", f"the environment {environment}: make clients")
        log = self.folder / f"{name}.log"
        with log.open("wb") as printed:
            process = subprocess.Popen(
                command, cwd=self.folder, env=self.environ(programs), stdin=subprocess.DEVNULL, stdout=printed,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        return Client(process, log)


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Account]:
    """An account with an execution role, a bucket and quotas, and with the request rates of AWS."""
    with Laptop(clock_rate=RATE, python=ROOT / ".venv/bin/python") as laptop:
        yield Account(laptop, tmp_path_factory.mktemp("clients"))


@pytest.fixture(scope="session")
def clients(account: Account) -> Iterator[Mapping[str, Client]]:
    """All of them, started at once and ended with the session."""
    role, output = account.role, account.output
    commands: dict[str, tuple[str, ...]] = {
        "aws_cli": (".venv-clients/aws-cli", "bash", str(HERE / "aws_cli.sh"), role, output),
        "sdk_v2": (".venv-notebooks", "python", str(HERE / "sdk_v2.py"), "training"),
        "sdk_v3": (".venv-sdk-v3", "python", str(HERE / "sdk_v3.py"), role),
        "boto3_lists": (".venv", "python", str(HERE / "boto3_lists.py"), role, output),
    }
    with ExitStack() as ending:
        started = {}
        for name, (environment, program, *arguments) in commands.items():
            started[name] = account.start(name, environment, program, *arguments)
            ending.callback(started[name].process.wait)
            ending.callback(started[name].process.kill)
        yield started
