"""Quotas in memory, and the local Service Quotas behind its own limits, answered without a wire and without waiting."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from botocore.exceptions import ClientError

from local.limits import SERVICE_QUOTAS, Limited, Limits
from local.sagemaker.clock import Clock
from local.sagemaker.errors import ServiceError
from local.sagemaker.scope import Scope
from local.scripted_failures import Failing, ScriptedFailures
from local.service_quotas.account import Change, Quotas
from local.service_quotas.api import ServiceQuotasApi
from tests.fakes import Fuse
from tests.local.simulator.bench import START
from tests.local.simulator.quota_bench import Known
from trainops.adapters.at_deployment import AtDeployment
from trainops.adapters.pace import Pace
from trainops.adapters.quota_codes import published_codes
from trainops.adapters.service_quotas import ServiceQuotas
from trainops.domain.quota_records import QuotaRecord
from trainops.domain.quota_refusals import Refusal
from trainops.domain.quota_usage import HeldInstances
from trainops.domain.quotas import quota_key
from trainops.errors import LedgerConflict
from trainops.workflows.quota_request import QuotaRequest
from trainops.workflows.quota_turn import QuotaTurn

STACK = "arn:aws:cloudformation:eu-central-1:111122223333:stack/trainops-operations/6d1c0cf0"


@dataclass
class FakeQuotaLedger:
    items: dict[str, QuotaRecord] = field(default_factory=dict)
    refusals: dict[str, Refusal] = field(default_factory=dict)
    fuse: Fuse = field(default_factory=Fuse)

    def quota(self, name: str) -> QuotaRecord | None:
        return self.items.get(quota_key(name))

    def quotas(self) -> Sequence[QuotaRecord]:
        return list(self.items.values())

    def put_quota(self, record: QuotaRecord) -> QuotaRecord:
        self.fuse.burn("put_quota")
        stored = self.quota(record.name)
        if (stored.version if stored else 0) != record.version:
            raise LedgerConflict("written by another")
        self.items[quota_key(record.name)] = written = replace(record, version=record.version + 1)
        return written

    def refusal(self, key: str) -> Refusal | None:
        return self.refusals.get(key)

    def add_refusal(self, refusal: Refusal) -> bool:
        return self.refusals.setdefault(refusal.key, refusal) is refusal

    def refusal_said(self, refusal: Refusal) -> None:
        self.refusals[refusal.key] = refusal.said()


@dataclass
class FakeLiveJobs:
    jobs: list[HeldInstances] = field(default_factory=list)
    fault: Exception | None = None
    asked: int = 0

    def held(self, now: datetime) -> Sequence[HeldInstances]:
        self.asked += 1
        if self.fault:
            raise self.fault
        return self.jobs


class QuotaDesk:
    """Service Quotas of one account with its rates, and a client that the product uses; sleeping takes no time."""

    def __init__(self, region: str = "eu-central-1") -> None:
        self.clock = Clock.stepped(START)
        self.quotas, self.failures = Quotas(self.clock), ScriptedFailures()
        self.scope = Scope("123456789012", region)
        self.calls: Counter[str] = Counter()
        self.before: Any = None
        self.monotonic = 0.0
        self.limits = Limits(lambda: self.monotonic)
        self._api = Limited[Known](Failing(ServiceQuotasApi(self.quotas), self.failures), self.limits, SERVICE_QUOTAS)
        self._caller = Known()
        self._caller.scope = self.scope

    def __getattr__(self, operation: str) -> Any:
        """boto3's methods by their names."""
        name = "".join(part.title() for part in operation.split("_")).replace("Aws", "AWS")
        return lambda **request: self._call(name, request)

    def product(self, hints: Mapping[str, str] | None = None) -> ServiceQuotas:
        """The adapter as it is wired, in a process that began a second later."""
        self.monotonic += 1
        pace = Pace(timedelta(seconds=0.25), lambda: self.monotonic, self._sleep)
        return ServiceQuotas(self, pace, published_codes() if hints is None else hints)

    def grant(self, name: str, value: float | None) -> None:
        self.clock.advance(timedelta(seconds=1))
        self.quotas.set_value(self.scope, name, value)

    def decide(self, status: str, **script: Any) -> Change:
        """Decide the newest request, a second later."""
        self.clock.advance(timedelta(seconds=1))
        return self.quotas.decide(self.quotas.everything()[-1].id, {"status": status, **script})

    @property
    def requests(self) -> list[Change]:
        return self.quotas.everything()

    @property
    def throttled(self) -> int:
        return sum(item["throttled"] for item in self.limits.listed()["operations"])

    def counted(self) -> dict[str, int]:
        """The calls since the last time."""
        calls, self.calls = dict(self.calls), Counter()
        return calls

    def _sleep(self, seconds: float) -> None:
        self.monotonic += seconds

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self.calls[operation] += 1
        if self.before:
            self.before(operation)
        try:
            return self._api.call(operation, self._caller, request)
        except ServiceError as error:
            body: Any = {
                "Error": {"Code": error.code, "Message": error.message},
                "ResponseMetadata": {"HTTPStatusCode": error.status},
            }
            raise ClientError(body, operation) from error


class Deployer:
    """CloudFormation as one stack's custom resource sees it; every deployment runs in a new process."""

    def __init__(self, desk: QuotaDesk, ledger: FakeQuotaLedger, stack: str = "trainops-operations") -> None:
        self.desk, self.ledger, self.stack = desk, ledger, stack
        self.deployed: dict[str, Any] | None = None
        self.answers: list[str] = []

    def wanted(self, by_type: Mapping[str, Mapping[str, int]], **options: Any) -> dict[str, Any]:
        """Properties as CloudFormation hands them over: all scalars are text."""
        texts = {kind: {use: str(value) for use, value in uses.items()} for kind, uses in by_type.items()}
        chosen = {"FailOnRefusal": "false", "SupportCaseAllowed": "true", "Account": {}, **options}
        return {"AskedBy": self.stack, "InstanceTypes": texts, **chosen}

    def deploy(self, by_type: Mapping[str, Mapping[str, int]], **options: Any) -> None:
        """Create or update; when that fails, the rollback follows, and the failure is raised."""
        wanted, before = self.wanted(by_type, **options), self.deployed
        try:
            self.send("Update" if before else "Create", wanted, before)
        except Exception:
            self.roll_back(wanted, before)
            raise
        self.deployed = wanted

    def roll_back(self, failed: dict[str, Any], before: dict[str, Any] | None) -> None:
        """What CloudFormation sends after a failure, here or elsewhere in the stack."""
        self.send("Update", before, failed) if before else self.send("Delete", failed)
        self.deployed = before

    def destroy(self) -> None:
        self.send("Delete", self.deployed or {})
        self.deployed = None

    def send(self, kind: str, now: dict[str, Any], before: dict[str, Any] | None = None) -> None:
        self.desk.clock.advance(timedelta(seconds=1))
        old = {"OldResourceProperties": before} if before else {}
        named = {"StackId": STACK.replace("trainops-operations", self.stack), "LogicalResourceId": "QuotasWanted"}
        resource = QuotaRequest(self.ledger, QuotaTurn(self.desk.product()), self.desk.clock.now)
        answer = AtDeployment(resource)({"RequestType": kind, "ResourceProperties": now, **named, **old}, None)  # type: ignore[arg-type]
        self.answers.append(answer["PhysicalResourceId"])


def tick_at(when: datetime) -> dict[str, Any]:
    """The schedule's event."""
    return {"source": "aws.events", "time": when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
