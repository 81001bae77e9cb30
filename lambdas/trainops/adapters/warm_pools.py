"""SageMaker's warm pools through boto3, slowly: the control plane's limits are small and shared with the users.

Limits per account and Region, not adjustable: ListTrainingJobs 2/s, UpdateTrainingJob 1/s (AWS General Reference).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, message_of, passing_faults
from trainops.adapters.pace import Pace
from trainops.adapters.paging import pages
from trainops.domain.training_jobs import JobKey
from trainops.domain.warm_pool_holds import HOLD_TAG, hold_text
from trainops.domain.warm_pool_sweeps import PoolSummary
from trainops.errors import UpdateRefused


@dataclass(frozen=True, slots=True)
class SageMakerWarmPools:
    """Implements `ports.WarmPools` with a boto3 `sagemaker` client."""

    sagemaker: Any
    pace: Pace

    def available(self, changed_after: datetime) -> Iterator[Sequence[PoolSummary]]:
        """ListTrainingJobs with WarmPoolStatusEquals, 100 a page; pages may be short or empty and not be the last.

        A page may be cut before it is filtered by status (documented for StatusEquals), so the time filter is what
        keeps an account with a long past from taking thousands of calls; if a service ignores it, nothing is missed. A
        job that is listed without its TrainingEndTime is left out: idle time that is unknown is no idle time.
        """
        for page in pages(
            self.sagemaker,
            "ListTrainingJobs",
            self.pace,
            WarmPoolStatusEquals="Available",
            LastModifiedTimeAfter=changed_after,
            SortBy="CreationTime",
            SortOrder="Descending",
            MaxResults=100,
        ):
            yield [_summary(item) for item in page["TrainingJobSummaries"] if item.get("TrainingEndTime")]

    def set_keep_alive(self, name: str, period: timedelta) -> None:
        """UpdateTrainingJob."""
        self.pace.wait()
        with _changing("UpdateTrainingJob"):
            self.sagemaker.update_training_job(
                TrainingJobName=name,
                ResourceConfig={"KeepAlivePeriodInSeconds": int(period.total_seconds())},
            )

    def hold(self, arn: str, until: datetime) -> None:
        """AddTags, which replaces the tag's value."""
        self.pace.wait()
        with _changing("AddTags"):
            self.sagemaker.add_tags(ResourceArn=arn, Tags=[{"Key": HOLD_TAG, "Value": hold_text(until)}])


@contextmanager
def _changing(call: str) -> Iterator[None]:
    """Every answer but "not now" is a refusal, whose text is for people; the answer in a wrong state is a
    ValidationException, which the model does not list.
    """
    try:
        with passing_faults(call):
            yield
    except ClientError as error:
        raise UpdateRefused(f"{code_of(error)}: {message_of(error)}") from error


def _summary(item: dict[str, Any]) -> PoolSummary:
    key = JobKey.of(item["TrainingJobArn"], item["CreationTime"])
    return PoolSummary(key, item["TrainingJobName"], item["TrainingEndTime"].astimezone(UTC))
