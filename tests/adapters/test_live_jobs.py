"""Search is read to its end, and a job that moved between two pages counts once."""

from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.builders import arn, at
from trainops.adapters.live_jobs import SearchedJobs
from trainops.adapters.pace import Pace
from trainops.domain.quota_usage import HeldInstances
from trainops.errors import TryLater


class Pages:
    """A client that answers page by page."""

    def __init__(self, *pages: list[dict[str, Any]]) -> None:
        self.pages, self.asked = pages, list[dict[str, Any]]()

    def search(self, **request: Any) -> dict[str, Any]:
        self.asked.append(request)
        place = int(request.get("NextToken", 0))
        more = {"NextToken": str(place + 1)} if place + 1 < len(self.pages) else {}
        return {"Results": [{"TrainingJob": job} for job in self.pages[place]], **more}


def running(name: str, **more: Any) -> dict[str, Any]:
    resources = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2}
    return {"TrainingJobArn": arn(name), "TrainingJobStatus": "InProgress", "ResourceConfig": resources, **more}


def test_every_page_is_read_and_a_job_on_two_pages_counts_once() -> None:
    client = Pages([running("a"), running("b")], [running("b"), running("c", EnableManagedSpotTraining=True)])
    held = SearchedJobs(client, Pace(timedelta(0))).held(at(0))
    assert held == [HeldInstances({"ml.g5.xlarge": 2}, "InProgress", spot) for spot in (False, False, True)]
    filters = client.asked[0]["SearchExpression"]["Filters"]
    assert {"Name": "TrainingEndTime", "Operator": "GreaterThan", "Value": "2026-03-02T02:00:00Z"} in filters


def test_a_throttled_search_is_for_later_and_no_empty_account() -> None:
    class Throttled:
        def search(self, **_: Any) -> dict[str, Any]:
            raise ClientError({"Error": {"Code": "ThrottlingException", "Message": ""}}, "Search")

    with pytest.raises(TryLater, match="Search: ThrottlingException"):
        SearchedJobs(Throttled(), Pace(timedelta(0))).held(at(0))
