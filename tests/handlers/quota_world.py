"""Deployments that want quotas, the tracker that follows them, and jobs that are refused, shared by their tests."""

from collections.abc import Callable
from datetime import UTC, timedelta
from typing import Any

import pytest

from local.api_calls import record as trail_record
from local.sagemaker.errors import ServiceError
from local.sagemaker.quota_admission import admission_by
from tests.desks import desk
from tests.fakes import FakeBus, FakeKillSwitch, FakeQueue
from tests.local.simulator.bench import Bench, create_request
from tests.local.simulator.quota_bench import Known
from tests.quota_fakes import Deployer, FakeLiveJobs, FakeQuotaLedger, QuotaDesk, tick_at
from trainops.adapters.live_jobs import SearchedJobs
from trainops.adapters.pace import Pace
from trainops.domain.quota_records import QuotaRecord, QuotaState
from trainops.outcomes import Outcome
from trainops.workflows.quota_notification import QuotaNotification
from trainops.workflows.quota_refusal import QuotaRefusal
from trainops.workflows.quota_tracker import QuotaTracker
from trainops.workflows.quota_turn import QuotaTurn

TRAINING = "ml.g5.xlarge for training job usage"
SPOT = "ml.g5.xlarge for spot training job usage"
WARM = "ml.g5.xlarge for training warm pool usage"
CHECK = {"GetServiceQuota": 1, "ListRequestedServiceQuotaChangeHistoryByQuota": 1}
ASKED = {**CHECK, "RequestServiceQuotaIncrease": 1}
LOOK = {"GetServiceQuota": 1, "GetRequestedServiceQuotaChange": 1}


def world(region: str = "eu-central-1") -> tuple[QuotaDesk, FakeQuotaLedger, Deployer]:
    desk, ledger = QuotaDesk(region), FakeQuotaLedger()
    return desk, ledger, Deployer(desk, ledger)


def state(ledger: FakeQuotaLedger, name: str = TRAINING) -> QuotaState | None:
    record = ledger.quota(name)
    assert record is not None
    return record.state


def reason(ledger: FakeQuotaLedger, name: str = TRAINING) -> str:
    record = ledger.quota(name)
    assert record is not None
    return record.reason


class TrackerWorld:
    """A deployment, its ledger, and the tracker that runs when a test says so."""

    def __init__(self, region: str = "eu-central-1") -> None:
        self.desk, self.ledger = QuotaDesk(region), FakeQuotaLedger()
        self.stack = Deployer(self.desk, self.ledger)
        self.jobs, self.bus, self.switch = FakeLiveJobs(), FakeBus(), FakeKillSwitch()

    def tick(self, has_time: Callable[[], bool] = lambda: True) -> Outcome:
        turn = QuotaTurn(self.desk.product(), self.switch.is_on)
        return QuotaTracker(self.ledger, turn, self.jobs, self.bus)(tick_at(self.desk.clock.now()), has_time)

    def told(self) -> list[str]:
        """The states told since the last time."""
        told = [event.detail.get("changes", [event.detail]) for event in self.bus.published]
        states = [change["state"] for changes in told for change in changes]
        self.bus.published.clear()
        return states

    def record(self, name: str = TRAINING) -> QuotaRecord:
        found = self.ledger.quota(name)
        assert found is not None
        return found


def asked(value: int = 8) -> TrackerWorld:
    """A deployment has asked for 8, and the tracker has told so."""
    world = TrackerWorld()
    world.stack.deploy({"ml.g5.xlarge": {"training": value}})
    world.tick()
    assert world.told() == ["PENDING"]
    world.desk.counted()
    return world


class RefusalWorld:
    """A SageMaker with quotas, its jobs, and the product behind the trail."""

    def __init__(self, limit: float = 8) -> None:
        self.desk, self.ledger, self.bus = QuotaDesk(), FakeQuotaLedger(), FakeBus()
        self.desk.grant(TRAINING, limit)
        self.desk.grant("Number of instances across all training jobs", 100)
        self.desk.grant("ml.g5.xlarge for training warm pool usage", 100)
        self.bench = Bench(Known())
        self.bench.simulator.admission = admission_by(self.desk.quotas.applied)
        self.handle = QuotaRefusal(self.ledger, SearchedJobs(self, Pace(timedelta(0))), self.bus)
        self.channel = FakeQueue()
        self.notify = QuotaNotification(self.ledger, desk(("QuotaChanged", "QuotaRefusal"), self.channel), UTC)

    def search(self, **request: Any) -> dict[str, Any]:
        return self.bench.call("Search", **request)

    def start(self, *names: str, **changes: Any) -> None:
        for name in names:
            self.bench.call("CreateTrainingJob", **create_request(name, **{"ResourceConfig": one(), **changes}))
        self.bench.pass_time(1)

    def refused(self, name: str = "new-1", *, owner: str | None = "ann", **changes: Any) -> dict[str, Any]:
        """The event of a job that SageMaker refuses."""
        tags = [{"Key": "owner", "Value": owner}] if owner else []
        request = create_request(name, **{"ResourceConfig": one(), "Tags": tags, **changes})
        with pytest.raises(ServiceError) as caught:
            self.bench.call("CreateTrainingJob", **request)
        detail = trail_record(_Signed(), "CreateTrainingJob", request, caught.value)
        detail["eventTime"] = self.bench.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
        return {"source": "aws.sagemaker", "detail-type": "AWS API Call via CloudTrail", "detail": detail}

    def card(self) -> dict[str, Any]:
        """The message about the newest event on the bus."""
        event = self.bus.published[-1]
        self.notify({"detail-type": event.detail_type, "detail": dict(event.detail)})
        return dict(self.channel.sent[-1])


class _Signed(Known):
    """Complete enough for a record of the trail."""

    @property
    def identity(self) -> dict[str, Any]:
        arn = "arn:aws:sts::123456789012:assumed-role/analyst/bea@example.com"
        return {"userArn": arn, "userId": "AROA:bea", "accountId": "123456789012", "accessKey": "ASIA"}


def one(count: int = 1) -> dict[str, Any]:
    return {"InstanceType": "ml.g5.xlarge", "InstanceCount": count, "VolumeSizeInGB": 50}
