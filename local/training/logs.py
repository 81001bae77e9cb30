"""What a training process prints, in CloudWatch Logs: /aws/sagemaker/TrainingJobs, stream JOB/algo-1-EPOCH."""

import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from local.training.container import HOST

GROUP = "/aws/sagemaker/TrainingJobs"
LONGEST = 256_000  # bytes of one log event, a little under the API's limit
MOST = 1_000  # events of one PutLogEvents call


@dataclass
class Log:
    """One stream. `client` is one of Logs with the execution role's credentials."""

    client: Any
    job: str
    stream: str = field(init=False)

    def __post_init__(self) -> None:
        self.stream = f"{self.job}/{HOST}-{time.time_ns() // 1_000_000}"

    def open(self) -> None:
        """Make the group, if nobody has, and the stream."""
        with suppress(self.client.exceptions.ResourceAlreadyExistsException):
            self.client.create_log_group(logGroupName=GROUP)
        self.client.create_log_stream(logGroupName=GROUP, logStreamName=self.stream)

    def write(self, text: str) -> None:
        """Each line as one event; empty lines are left out, as Logs takes none."""
        now = time.time_ns() // 1_000_000
        events = [{"timestamp": now, "message": line[:LONGEST]} for line in text.splitlines() if line.strip()]
        for start in range(0, len(events), MOST):
            batch = events[start : start + MOST]
            self.client.put_log_events(logGroupName=GROUP, logStreamName=self.stream, logEvents=batch)
