"""What SageMaker's training jobs hold at the moment, by Search: one call for a hundred jobs, with their resources.

ListTrainingJobs names no instance types, and DescribeTrainingJob would take a call for each job of limits that people
share. Search has no documented rate; its index may lag (not documented).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from trainops.adapters.ledger_table import instant
from trainops.adapters.pace import Pace
from trainops.adapters.paging import pages
from trainops.domain.quota_usage import HeldInstances, held

REACH = timedelta(hours=7)
"""How long ago a job may have ended whose pool still waits: the longest keep-alive period (API model), and an hour."""


@dataclass(frozen=True, slots=True)
class SearchedJobs:
    """Implements `quota_ports.LiveJobs` with a boto3 `sagemaker` client."""

    sagemaker: Any
    pace: Pace

    def held(self, now: datetime) -> Sequence[HeldInstances]:
        """Search by status and, for pools, by the job's end; whether WarmPoolStatus can be searched by is not
        documented, so pools are told apart here. A job that moved between two pages counts once.
        """
        jobs = {job["TrainingJobArn"]: job for job in self._jobs(now - REACH)}
        return [found for job in jobs.values() if (found := held(job))]

    def _jobs(self, since: datetime) -> Iterator[dict[str, Any]]:
        holding = {
            "Operator": "Or",
            "Filters": [
                {"Name": "TrainingJobStatus", "Operator": "Equals", "Value": "InProgress"},
                {"Name": "TrainingJobStatus", "Operator": "Equals", "Value": "Stopping"},
                {"Name": "TrainingEndTime", "Operator": "GreaterThan", "Value": instant(since)},
            ],
        }
        found = pages(
            self.sagemaker, "Search", self.pace, Resource="TrainingJob", MaxResults=100, SearchExpression=holding
        )
        return (item["TrainingJob"] for page in found for item in page["Results"])
