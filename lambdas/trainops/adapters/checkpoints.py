"""Checkpoints in S3, looked at slowly and never in full: a job may keep thousands of files."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from trainops.adapters.aws import passing_faults
from trainops.adapters.pace import Pace
from trainops.errors import TryLater

PAGES = 5
"""Of a thousand objects each."""


@dataclass(frozen=True, slots=True)
class S3Checkpoints:
    """Implements `counting_ports.Checkpoints` with a boto3 `s3` client."""

    s3: Any
    pace: Pace

    def newest(self, bucket: str, prefix: str) -> datetime | None:
        """ListObjectsV2. Raises TryLater also when there are more objects than are looked at."""
        found: datetime | None = None
        request: dict[str, Any] = {"Bucket": bucket, "Prefix": prefix}
        for _ in range(PAGES):
            self.pace.wait()
            with passing_faults("ListObjectsV2"):
                answer = self.s3.list_objects_v2(**request)
            written = [item["LastModified"].astimezone(UTC) for item in answer.get("Contents", ())]
            found = max([*written, *([found] if found else [])], default=None)
            if not answer.get("NextContinuationToken"):
                return found
            request["ContinuationToken"] = answer["NextContinuationToken"]
        raise TryLater(f"more than {PAGES * 1000} objects")
