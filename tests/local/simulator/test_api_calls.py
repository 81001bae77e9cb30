"""Calls that change training jobs become CloudTrail-shaped events, refused ones too, once that is switched on."""

from typing import Any

import pytest

from local.api_calls import ApiCalls, Recorded
from local.limits import SAGEMAKER, Limited, Limits
from local.sagemaker.api import Api
from local.sagemaker.errors import ServiceError
from tests.local.simulator.bench import START, Bench, Everyone, create_request, pool_request

ACCOUNT = "123456789012"
ROLE_SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/training-team/analyst"


class Known(Everyone):
    """A caller with an identity."""

    def __init__(self, arn: str = f"arn:aws:iam::{ACCOUNT}:user/analyst", denied: frozenset[str] = frozenset()) -> None:
        super().__init__(denied=denied)
        known = {"userArn": arn, "userId": "AROA1:analyst", "accountId": ACCOUNT, "accessKey": "AKIA1"}
        self.identity: dict[str, Any] = known if arn else {}


class Trail:
    """A recorded service on a bench, with the events that it published."""

    def __init__(self, caller: Known | None = None, *, on: bool = True, limited: bool = False) -> None:
        self.caller = caller or Known()
        self.bench = Bench(self.caller)
        self.events: list[dict[str, Any]] = []
        calls = ApiCalls(self.bench.clock, lambda _scope, entry: self.events.append(entry))
        self.routes = calls.routes()
        self.routes["PUT", "sagemaker/api-calls"]({"on": on}, {})
        limits = Limits(lambda: 0.0, on=limited)
        self._service = Recorded(Limited[Known](Api(self.bench.simulator), limits, SAGEMAKER), calls)

    def call(self, operation: str, **request: Any) -> dict[str, Any]:
        return self._service.call(operation, self.caller, request)

    def refused(self, operation: str, **request: Any) -> dict[str, Any]:
        with pytest.raises(ServiceError):
            self.call(operation, **request)
        return self.detail

    @property
    def detail(self) -> dict[str, Any]:
        return dict(self.events[-1]["Detail"])


def test_a_created_job_is_an_event_with_its_parameters_in_cloudtrails_spelling() -> None:
    trail = Trail()
    arn = trail.call("CreateTrainingJob", **pool_request(HyperParameters={"LearningRate": "1"}))["TrainingJobArn"]
    [event] = trail.events
    assert (event["Source"], event["DetailType"]) == ("aws.sagemaker", "AWS API Call via CloudTrail")
    assert event["Time"] == START.timestamp()
    detail = event["Detail"]
    assert (detail["eventSource"], detail["eventName"]) == ("sagemaker.amazonaws.com", "CreateTrainingJob")
    assert detail["requestParameters"]["resourceConfig"]["keepAlivePeriodInSeconds"] == 600
    assert detail["requestParameters"]["hyperParameters"] == {"LearningRate": "1"}
    assert detail["responseElements"] == {"trainingJobArn": arn}
    assert (detail["eventTime"], "errorCode" in detail) == ("2026-03-01T12:00:00Z", False)


def test_updates_and_stops_are_events_and_reads_are_not() -> None:
    trail = Trail()
    trail.call("CreateTrainingJob", **pool_request())
    trail.call("DescribeTrainingJob", TrainingJobName="job-1")
    trail.call("ListTrainingJobs")
    trail.call("StopTrainingJob", TrainingJobName="job-1")
    assert trail.detail["responseElements"] is None
    trail.refused("UpdateTrainingJob", TrainingJobName="job-1")
    names = [event["Detail"]["eventName"] for event in trail.events]
    assert names == ["CreateTrainingJob", "StopTrainingJob", "UpdateTrainingJob"]


def test_a_denied_call_is_an_event_that_says_why() -> None:
    trail = Trail(Known(denied=frozenset({"sagemaker:CreateTrainingJob"})))
    detail = trail.refused("CreateTrainingJob", **create_request())
    assert (detail["errorCode"], detail["errorMessage"]) == ("AccessDeniedException", "sagemaker:CreateTrainingJob")
    assert detail["responseElements"] is None


def test_a_malformed_call_is_an_event_as_it_was_sent() -> None:
    detail = Trail().refused("CreateTrainingJob", TrainingJobName="job-1", ResourceConfig="none", Unheard={"A": 1})
    assert detail["errorCode"] == "ValidationException"
    expected = {"trainingJobName": "job-1", "resourceConfig": "none", "unheard": {"A": 1}}
    assert detail["requestParameters"] == expected


def test_a_throttled_call_is_an_event_too() -> None:
    trail = Trail(limited=True)
    trail.call("CreateTrainingJob", **create_request("job-1"))
    assert trail.refused("CreateTrainingJob", **create_request("job-2"))["errorCode"] == "ThrottlingException"


@pytest.mark.parametrize(
    ("arn", "kind"),
    [(f"arn:aws:iam::{ACCOUNT}:root", "Root"), (f"arn:aws:iam::{ACCOUNT}:user/analyst", "IAMUser"),
     (ROLE_SESSION, "AssumedRole")],
)  # fmt: skip
def test_the_event_says_who_called(arn: str, kind: str) -> None:
    trail = Trail(Known(arn))
    trail.call("CreateTrainingJob", **create_request())
    identity = trail.detail["userIdentity"]
    assert (identity["type"], identity["arn"], identity["accountId"]) == (kind, arn, ACCOUNT)
    if kind == "AssumedRole":
        issuer = identity["sessionContext"]["sessionIssuer"]
        assert (issuer["arn"], issuer["userName"]) == (f"arn:aws:iam::{ACCOUNT}:role/training-team", "training-team")


@pytest.mark.parametrize("trail", [Trail(on=False), Trail(Known(""))])
def test_nothing_is_published_while_off_or_for_unknown_credentials(trail: Trail) -> None:
    trail.call("CreateTrainingJob", **create_request())
    assert trail.events == []


def test_the_routes_list_what_was_published() -> None:
    trail = Trail()
    trail.call("CreateTrainingJob", **create_request())
    [event] = trail.routes["GET", "sagemaker/api-calls"]({}, {})
    assert event["Account"] == ACCOUNT
    with pytest.raises(ValueError, match="on"):
        trail.routes["PUT", "sagemaker/api-calls"]({"enabled": True}, {})
