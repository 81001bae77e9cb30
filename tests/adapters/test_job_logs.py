"""What CloudWatch Logs is asked about a job, and what of its answers is passed on."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from tests.builders import job
from trainops.adapters.job_logs import CloudWatchJobLogs
from trainops.domain.log_excerpts import LogTail
from trainops.errors import TryLater

GROUP = "/aws/sagemaker/TrainingJobs"
STREAMS = {"logGroupName": GROUP, "logStreamNamePrefix": "resnet-1/", "limit": 50}
STREAM = "resnet-1/algo-1-1732970000"


@pytest.fixture
def logs() -> Iterator[tuple[Stubber, CloudWatchJobLogs]]:
    client: Any = boto3.client("logs")
    with Stubber(client) as stubber:
        yield stubber, CloudWatchJobLogs(client)
        stubber.assert_no_pending_responses()


def test_the_last_lines_of_the_jobs_stream_are_read_from_its_end(logs: tuple[Stubber, CloudWatchJobLogs]) -> None:
    stubber, adapter = logs
    stubber.add_response("describe_log_streams", {"logStreams": [{"logStreamName": STREAM}]}, STREAMS)
    events = [{"timestamp": 1, "message": "step 1"}, {"timestamp": 2, "message": "boom"}]
    asked = {"logGroupName": GROUP, "logStreamName": STREAM, "limit": 20, "startFromHead": False}
    stubber.add_response("get_log_events", {"events": events}, asked)
    assert adapter.tail(job("resnet-1"), 20) == LogTail(STREAM, ("step 1", "boom"))


def test_an_empty_page_is_no_empty_log(logs: tuple[Stubber, CloudWatchJobLogs]) -> None:
    stubber, adapter = logs
    stubber.add_response("describe_log_streams", {"logStreams": [{"logStreamName": STREAM}]}, STREAMS)
    asked = {"logGroupName": GROUP, "logStreamName": STREAM, "limit": 20, "startFromHead": False}
    stubber.add_response("get_log_events", {"events": [], "nextBackwardToken": "b/1"}, asked)
    stubber.add_response("get_log_events", {"events": [{"message": "boom"}]}, {**asked, "nextToken": "b/1"})
    assert adapter.tail(job("resnet-1"), 20) == LogTail(STREAM, ("boom",))
    stubber.add_response("describe_log_streams", {"logStreams": [{"logStreamName": STREAM}]}, STREAMS)
    stubber.add_response("get_log_events", {"events": [], "nextBackwardToken": "b/1"}, asked)
    stubber.add_response("get_log_events", {"events": [], "nextBackwardToken": "b/1"}, {**asked, "nextToken": "b/1"})
    assert adapter.tail(job("resnet-1"), 20) == LogTail(STREAM)


def test_a_job_without_a_log_and_a_refusal_are_said_and_hold_nothing_up(
    logs: tuple[Stubber, CloudWatchJobLogs],
) -> None:
    stubber, adapter = logs
    stubber.add_response("describe_log_streams", {"logStreams": []}, STREAMS)
    stubber.add_client_error("describe_log_streams", "ResourceNotFoundException", http_status_code=400)
    assert adapter.tail(job("resnet-1"), 20).fault == "the job wrote none"
    assert adapter.tail(job("resnet-1"), 20).fault == "CloudWatch Logs answered ResourceNotFoundException"


def test_a_throttled_read_is_tried_later(logs: tuple[Stubber, CloudWatchJobLogs]) -> None:
    stubber, adapter = logs
    stubber.add_client_error("describe_log_streams", "ThrottlingException", http_status_code=400)
    with pytest.raises(TryLater, match="DescribeLogStreams: ThrottlingException"):
        adapter.tail(job("resnet-1"), 20)
