"""What training jobs log while they start, read from SageMaker's log group: how long they install packages.

Only what pip and uv say is known. Source: CloudWatch Logs API, FilterLogEvents; streams are named after their job.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, passing_faults
from trainops.adapters.pace import Pace
from trainops.domain.links import LOG_GROUP
from trainops.domain.training_jobs import TrainingJob

CALL = "FilterLogEvents"
INSTALLS = " ".join(f'?"{text}"' for text in ("Collecting ", "Installing collected packages", "Successfully installed"))
"""A line with any of these (filter pattern syntax)."""
REACH = timedelta(minutes=30)
"""How long after its start a job is believed to be starting still."""


@dataclass(frozen=True, slots=True)
class CloudWatchStartLogs:
    """Implements `counting_ports.StartLogs` with a boto3 `logs` client; one page of each job's log."""

    logs: Any
    pace: Pace

    def installing(self, job: TrainingJob) -> timedelta | None:
        """From the first line of an installation to the last one; None when there is no log group yet."""
        if job.started is None:
            return None
        self.pace.wait()
        try:
            with passing_faults(CALL):
                answer = self.logs.filter_log_events(
                    logGroupName=LOG_GROUP,
                    logStreamNamePrefix=f"{job.name}/",
                    filterPattern=INSTALLS,
                    startTime=_millis(job.started),
                    endTime=_millis(job.started + REACH),
                )
        except ClientError as error:
            if code_of(error) == "ResourceNotFoundException":
                return None
            raise
        moments = [event["timestamp"] for event in answer["events"]]
        return timedelta(milliseconds=max(moments) - min(moments)) if moments else timedelta(0)


def _millis(when: datetime) -> int:
    return int(when.timestamp() * 1000)
