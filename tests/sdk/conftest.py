"""The SDK as it is installed, with every call to SageMaker answered in this process and noted."""

import io
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from tests.team_facts import facts
from trainops_notebook import JobDefaults, defaults

ARN = "arn:aws:sagemaker:eu-central-1:111122223333:training-job/job-1"
CHOICES: dict[str, dict[str, Any]] = {
    "spot": {"spot": True, "max_run": 3600, "max_wait": 3600, "instance_type": "ml.g5.xlarge", "volume_gb": 50},
    "pool": {"keep_alive": 1800, "instance_type": "ml.m5.xlarge", "instance_count": 2},
}


class Body(io.BytesIO):
    """A response body as botocore reads it."""

    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


class SageMaker:
    """Answers CreateTrainingJob and DescribeTrainingJob, and keeps the request that was sent."""

    def __init__(self) -> None:
        self.sent: dict[str, Any] = {}
        self.session = boto3.Session("testing", "testing", region_name="eu-central-1")
        events: Any = self.session.events
        events.register("before-send", self._answer)

    def _answer(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        target = request.headers.get("X-Amz-Target", b"")
        operation = (target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
        answers = {"CreateTrainingJob": self._create, "DescribeTrainingJob": self._describe}
        body: Any = request.body
        answer = answers[operation](json.loads(body))  # any other call fails the test
        headers: Any = {}
        return AWSResponse(request.url, 200, headers, Body(json.dumps(answer, default=datetime.timestamp).encode()))

    def _create(self, request: dict[str, Any]) -> dict[str, Any]:
        self.sent = request
        return {"TrainingJobArn": ARN}

    def _describe(self, _: dict[str, Any]) -> dict[str, Any]:
        state = {"TrainingJobStatus": "InProgress", "SecondaryStatus": "Starting", "CreationTime": datetime.now(UTC)}
        return {**self.sent, **state, "TrainingJobArn": ARN}


@pytest.fixture
def sagemaker() -> SageMaker:
    return SageMaker()


@pytest.fixture(params=CHOICES)
def job(request: pytest.FixtureRequest) -> JobDefaults:
    """A spot job, and one that keeps a pool."""
    given = {"team": "vision", "experiment": "anchors-7", "owner": "vision-oncall", "facts": facts()}
    return defaults(**{**given, **CHOICES[request.param]})


@pytest.fixture(scope="session", autouse=True)
def _quiet(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No settings of this machine, no reports of use, no questions to IAM."""
    config: Path = tmp_path_factory.mktemp("sdk") / "config.yaml"
    modules = "SageMaker:\n  PythonSDK:\n    Modules:\n      TelemetryOptOut: true\n"
    config.write_text(f"SchemaVersion: '1.0'\n{modules}")
    os.environ |= {
        "SAGEMAKER_ADMIN_CONFIG_OVERRIDE": str(config),
        "SAGEMAKER_USER_CONFIG_OVERRIDE": str(config),
        "SAGEMAKER_VALIDATE_ROLE": "false",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }
