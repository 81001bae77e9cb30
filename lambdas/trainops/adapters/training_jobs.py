"""SageMaker training jobs through boto3, slowly: the control plane's limits are small and shared with the users.

Limits per account and Region, not adjustable: DescribeTrainingJob 5/s, ListTrainingJobs 2/s (AWS General Reference,
SageMaker quotas).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, message_of, passing_faults
from trainops.adapters.pace import Pace
from trainops.adapters.paging import pages
from trainops.domain.reconciliation import JobSummary
from trainops.domain.state_changes import parse_tags
from trainops.domain.training_jobs import JobKey, TrainingJob, from_description

ABSENT = re.compile(r"not found|does not exist", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SageMakerTrainingJobs:
    """Implements `ports.TrainingJobs` with a boto3 `sagemaker` client."""

    sagemaker: Any
    pace: Pace

    def describe(self, name: str, tags: Mapping[str, str] | None) -> TrainingJob | None:
        """DescribeTrainingJob, and ListTags for the ARN it answers with when the tags are not known.

        An unknown name comes back as ResourceNotFound in the model and as a ValidationException in practice.
        """
        self.pace.wait()
        try:
            with passing_faults("DescribeTrainingJob"):
                answer = self.sagemaker.describe_training_job(TrainingJobName=name)
        except ClientError as error:
            if _not_found(error):
                return None
            raise
        return from_description(answer, self._tags(answer["TrainingJobArn"]) if tags is None else tags)

    def created_after(self, created: datetime) -> Iterator[Sequence[JobSummary]]:
        """ListTrainingJobs by creation time, oldest first, 100 a page; no other filter, since pages are cut before
        filtering.
        """
        for page in pages(
            self.sagemaker,
            "ListTrainingJobs",
            self.pace,
            CreationTimeAfter=created,
            SortBy="CreationTime",
            SortOrder="Ascending",
            MaxResults=100,
        ):
            yield [_summary(item) for item in page["TrainingJobSummaries"]]

    def _tags(self, arn: str) -> Mapping[str, str]:
        tags: dict[str, str] = {}
        for page in pages(self.sagemaker, "ListTags", self.pace, ResourceArn=arn):
            tags |= parse_tags(page["Tags"]) or {}
        return tags


def _summary(item: Mapping[str, Any]) -> JobSummary:
    modified = item.get("LastModifiedTime") or item.get("TrainingEndTime") or item["CreationTime"]
    key = JobKey.of(item["TrainingJobArn"], item["CreationTime"])
    return JobSummary(key, item["TrainingJobName"], item["TrainingJobStatus"], modified.astimezone(UTC))


def _not_found(error: ClientError) -> bool:
    code = code_of(error)
    absent = ABSENT.search(message_of(error)) is not None
    return code.startswith("ResourceNotFound") or (code == "ValidationException" and absent)
