"""What jobs log of their installations: which part of which streams is read, and what is made of it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from tests.builders import at, job
from trainops.adapters.pace import Pace
from trainops.adapters.start_logs import CloudWatchStartLogs
from trainops.errors import TryLater

REQUEST = {
    "logGroupName": "/aws/sagemaker/TrainingJobs",
    "logStreamNamePrefix": "resnet-1/",
    "filterPattern": '?"Collecting " ?"Installing collected packages" ?"Successfully installed"',
    "startTime": int(at(2).timestamp() * 1000),
    "endTime": int(at(32).timestamp() * 1000),
}


@pytest.fixture
def logs() -> Iterator[Stubber]:
    with Stubber(boto3.client("logs", region_name="us-east-1")) as stub:
        yield stub


def reader(logs: Stubber) -> CloudWatchStartLogs:
    return CloudWatchStartLogs(logs.client, Pace(timedelta(0)))


@pytest.mark.parametrize(("seconds", "took"), [((5, 9, 95), 90), ((5,), 0), ((), 0)])
def test_an_installation_lasts_from_its_first_line_to_its_last(
    logs: Stubber, seconds: tuple[int, ...], took: int
) -> None:
    events: list[dict[str, Any]] = [{"timestamp": second * 1000, "message": "Collecting torch"} for second in seconds]
    logs.add_response("filter_log_events", {"events": events}, REQUEST)
    assert reader(logs).installing(job()) == timedelta(seconds=took)


def test_without_a_log_group_or_a_start_nothing_is_known_and_a_throttled_call_is_later(logs: Stubber) -> None:
    assert reader(logs).installing(job(started=None)) is None, "and nothing is asked"
    logs.add_client_error("filter_log_events", "ResourceNotFoundException")
    assert reader(logs).installing(job()) is None
    logs.add_client_error("filter_log_events", "ThrottlingException")
    with pytest.raises(TryLater, match="FilterLogEvents: ThrottlingException"):
        reader(logs).installing(job())
    logs.add_client_error("filter_log_events", "AccessDeniedException")
    with pytest.raises(Exception, match="AccessDenied"):
        reader(logs).installing(job())
