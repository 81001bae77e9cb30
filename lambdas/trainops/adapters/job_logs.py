"""The logs of training jobs in CloudWatch Logs: one group for the account, a stream for each host."""

from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, passing_faults
from trainops.domain.links import LOG_GROUP
from trainops.domain.log_excerpts import LogTail, stream_to_read
from trainops.domain.training_jobs import TrainingJob

STREAMS = 50
"""The most that one page has (DescribeLogStreams); a job of more hosts shows one of the first fifty."""

PAGES = 5


@dataclass(frozen=True, slots=True)
class CloudWatchJobLogs:
    """Implements `run_ports.JobLogs` with a boto3 `logs` client."""

    logs: Any

    def tail(self, job: TrainingJob, lines: int) -> LogTail:
        """DescribeLogStreams by the job's name, and GetLogEvents from the end. What CloudWatch Logs will not give, such
        as a group under a key that is not ours, is a tail without lines: the message must not wait for it.
        """
        try:
            with passing_faults("DescribeLogStreams"):
                answer = self.logs.describe_log_streams(
                    logGroupName=LOG_GROUP, logStreamNamePrefix=f"{job.name}/", limit=STREAMS
                )
            stream = stream_to_read([item["logStreamName"] for item in answer["logStreams"]], job.failure_reason)
            if stream is None:
                return LogTail(None, fault="the job wrote none")
            return LogTail(stream, self._last(stream, lines))
        except ClientError as error:
            return LogTail(None, fault=f"CloudWatch Logs answered {code_of(error)}")

    def _last(self, stream: str, lines: int) -> tuple[str, ...]:
        """A page may be empty although there are events before it (GetLogEvents); a token that stays is the end."""
        request: dict[str, Any] = {"logGroupName": LOG_GROUP, "logStreamName": stream, "limit": lines}
        for _ in range(PAGES):
            with passing_faults("GetLogEvents"):
                found = self.logs.get_log_events(**request, startFromHead=False)
            token = found.get("nextBackwardToken")
            if found["events"] or not token or token == request.get("nextToken"):
                return tuple(event["message"] for event in found["events"])
            request["nextToken"] = token
        return ()
