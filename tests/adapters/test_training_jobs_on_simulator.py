"""The product's SageMaker adapter against the simulator of SageMaker: the same questions, genuine answers."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.sagemaker.api import Api
from local.sagemaker.errors import ServiceError, validation
from local.sagemaker.plans import Plan
from tests.local.simulator.bench import START, Bench, Everyone, create_request, pool_request, spot_request
from tests.local.simulator.clients import Wire
from tests.local.simulator.tuning_requests import tuning_request
from trainops.adapters.pace import Pace
from trainops.adapters.training_jobs import SageMakerTrainingJobs
from trainops.domain.training_jobs import WarmPool
from trainops.errors import TryLater


class Account:
    """A simulated account, and the adapter that looks at it through boto3."""

    def __init__(self, caller: Everyone | None = None, *, tags_page: int = 50, **plans: Plan) -> None:
        self.bench = Bench(caller, **plans)
        self.wire = Wire(Api(self.bench.simulator, tags_page), self.bench.caller)
        pace = Pace(timedelta(seconds=0.2), lambda: 0.0, lambda _seconds: None)
        self.jobs = SageMakerTrainingJobs(self.wire.client(), pace)

    def create(self, **request: Any) -> None:
        self.bench.call("CreateTrainingJob", **request)

    def asked(self) -> list[str]:
        """The operations that came over the wire."""
        return [operation for operation, _ in self.wire.asked]


def test_a_job_is_described_from_its_start_to_its_end() -> None:
    account = Account(resnet_1=Plan(interruptions=2, billable_seconds=100))
    account.create(**spot_request("resnet-1", CheckpointConfig={"S3Uri": "s3://b/c/"}))
    running = account.jobs.describe("resnet-1", {"owner": "researcher"})
    assert running is not None
    assert (running.status, running.spot, running.training_time, running.billable_time) == (
        "InProgress",
        True,
        None,
        None,
    )
    account.bench.pass_time(3600)
    ended = account.jobs.describe("resnet-1", {"owner": "researcher"})
    assert ended is not None
    assert (ended.training_time, ended.billable_time) == (timedelta(seconds=710), timedelta(seconds=100))
    assert (ended.status, ended.checkpoint_uri) == ("Completed", "s3://b/c/")
    assert ended.output_uri == "s3://bucket/output/resnet-1/output/model.tar.gz"
    assert ended.tags == {"owner": "researcher"}
    assert account.asked() == ["DescribeTrainingJob"] * 2, "known tags are not asked for"


def test_a_warm_pool_is_seen_while_it_waits_and_after_it_went() -> None:
    account = Account()
    account.create(**pool_request("resnet-1", keep_alive=600))
    account.bench.pass_time(770)
    waiting = account.jobs.describe("resnet-1", {})
    account.bench.pass_time(600)
    gone = account.jobs.describe("resnet-1", {})
    assert waiting is not None
    assert gone is not None
    assert (waiting.warm_pool, waiting.keep_alive) == (WarmPool("Available", None, None), timedelta(minutes=10))
    assert gone.warm_pool == WarmPool("Terminated", timedelta(seconds=600), None)


@pytest.mark.parametrize("says", ["ResourceNotFound", "ValidationException"])
def test_an_unknown_job_is_none_however_the_service_says_it(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account()
    if says == "ValidationException":
        text = "Requested resource not found."
        monkeypatch.setattr("local.sagemaker.simulator.not_found", lambda _arn: validation(text))
    with pytest.raises(ClientError, match=says):
        account.jobs.sagemaker.describe_training_job(TrainingJobName="nobody")
    assert account.jobs.describe("nobody", None) is None


def test_a_name_that_the_service_refuses_is_no_unknown_job() -> None:
    with pytest.raises(ClientError, match="regular expression pattern"):
        Account().jobs.describe("under_score", {})


def test_unknown_tags_are_read_to_the_last_page() -> None:
    account = Account(tags_page=2)
    tags = [{"Key": f"key-{n}", "Value": str(n)} for n in range(5)]
    account.create(**create_request("resnet-1", Tags=tags))
    found = account.jobs.describe("resnet-1", None)
    assert found is not None
    assert found.tags == {f"key-{n}": str(n) for n in range(5)}
    assert account.asked() == ["DescribeTrainingJob", "ListTags", "ListTags", "ListTags"]


def test_a_job_without_tags_has_none() -> None:
    account = Account()
    account.create(**create_request("resnet-1"))
    found = account.jobs.describe("resnet-1", None)
    assert found is not None
    assert found.tags == {}


@pytest.mark.case("WP-13")
def test_more_than_two_hundred_jobs_are_walked_in_pages_of_a_hundred_oldest_first() -> None:
    account = Account()
    for number in range(215):
        account.create(**create_request(f"job-{number:03}"))
        account.bench.pass_time(1)
    pages = list(account.jobs.created_after(START + timedelta(seconds=10)))
    assert [len(page) for page in pages] == [100, 100, 5]
    assert [job.name for page in pages for job in page] == [f"job-{number:03}" for number in range(10, 215)]
    requests = [request for _, request in account.wire.asked]
    assert all(request["MaxResults"] == 100 for request in requests)


@pytest.mark.case("WP-13")
def test_exactly_a_hundred_jobs_are_one_page() -> None:
    account = Account()
    for number in range(100):
        account.create(**create_request(f"job-{number:03}"))
    assert [len(page) for page in account.jobs.created_after(START)] == [100]


def test_no_jobs_are_one_empty_page() -> None:
    assert [list(page) for page in Account().jobs.created_after(START)] == [[]]


def test_a_walk_neither_misses_nor_repeats_a_job_while_jobs_come_and_go() -> None:
    account = Account()
    for number in range(150):
        account.create(**create_request(f"job-{number:03}"))
    account.bench.pass_time(3600)
    walk = account.jobs.created_after(START)
    first = [job.name for job in next(walk)]
    account.bench.call("DeleteTrainingJob", TrainingJobName="job-000")
    account.create(**create_request("late"))
    rest = [job.name for page in walk for job in page]
    assert first + rest == [*(f"job-{number:03}" for number in range(150)), "late"]


def test_a_summary_says_when_the_job_last_changed() -> None:
    account = Account()
    account.create(**create_request("resnet-1"))
    account.bench.pass_time(3600)
    [[summary]] = account.jobs.created_after(START)
    assert (summary.status, summary.modified) == ("Completed", START + timedelta(seconds=770))


def test_a_name_in_mixed_case_is_kept_while_its_arn_is_not() -> None:
    account = Account()
    account.create(**create_request("ResNet-50-Run", Tags=[{"Key": "owner", "Value": "Researcher"}]))
    found = account.jobs.describe("ResNet-50-Run", None)
    [[summary]] = account.jobs.created_after(START)
    assert found is not None
    assert (found.name, summary.name) == ("ResNet-50-Run", "ResNet-50-Run")
    assert found.key == summary.key, "both ways lead to the same record"
    assert found.tags == {"owner": "Researcher"}


def test_training_jobs_of_a_tuning_job_are_training_jobs() -> None:
    account = Account()
    account.bench.call("CreateHyperParameterTuningJob", **tuning_request(number=2, parallel=2))
    [page] = account.jobs.created_after(START)
    found = [account.jobs.describe(summary.name, None) for summary in page]
    assert [job is not None and job.keep_alive for job in found] == [None, None]


@pytest.mark.case("OP-02")
@pytest.mark.parametrize("operation", ["DescribeTrainingJob", "ListTrainingJobs", "ListTags"])
def test_a_throttled_api_means_later(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account()
    account.create(**create_request("resnet-1"))
    allow = account.bench.caller.authorise

    def throttle(action: str, *rest: Any) -> None:
        if action == f"sagemaker:{operation}":
            raise ServiceError("ThrottlingException", "Rate exceeded")
        allow(action, *rest)

    monkeypatch.setattr(account.bench.caller, "authorise", throttle)
    ask = partial(next, account.jobs.created_after(START))
    if operation != "ListTrainingJobs":
        ask = partial(account.jobs.describe, "resnet-1", None)
    with pytest.raises(TryLater, match=f"{operation}: ThrottlingException"):
        ask()


def test_a_denied_call_is_not_taken_for_an_absent_job() -> None:
    account = Account(Everyone(denied=frozenset({"sagemaker:DescribeTrainingJob"})))
    with pytest.raises(ClientError, match="AccessDenied"):
        account.jobs.describe("resnet-1", {})
