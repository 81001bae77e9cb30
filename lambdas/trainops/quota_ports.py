"""What the quota workflows need from the outside world, in the manner of `ports`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from trainops.domain.quota_records import IncreaseRequest, QuotaRecord, SeenQuota
from trainops.domain.quota_refusals import Refusal
from trainops.domain.quota_usage import HeldInstances
from trainops.domain.quotas import QuotaId


class Quotas(Protocol):
    """Service Quotas' own knowledge of SageMaker's quotas."""

    def find(self, quota: QuotaId) -> SeenQuota | None:
        """The quota with its value in force; None when the Region has none of that name."""

    def request(self, request_id: str) -> IncreaseRequest | None:
        """A request by its identifier; None when Service Quotas has forgotten it."""

    def open_request(self, code: str) -> IncreaseRequest | None:
        """The one request for a quota that is still to be decided, whoever made it."""

    def ask(self, code: str, value: int, *, case_allowed: bool) -> IncreaseRequest:
        """Ask for an increase. Raises IncreaseOpen when a request is open, IncreaseRefused when it is not taken, and
        TryLater also when too many are open.
        """


class QuotaLedger(Protocol):
    """The part of the table that remembers quotas."""

    def quota(self, name: str) -> QuotaRecord | None:
        """The item of one quota, read consistently."""

    def quotas(self) -> Sequence[QuotaRecord]:
        """Every quota that anybody ever wanted."""

    def put_quota(self, record: QuotaRecord) -> QuotaRecord:
        """Write if nobody else did since it was read; it comes back with its new version. Raises LedgerConflict."""

    def refusal(self, key: str) -> Refusal | None:
        """What an owner was told of a refused job."""

    def add_refusal(self, refusal: Refusal) -> bool:
        """Note a refusal that is the first of its key; False when there is one."""

    def refusal_said(self, refusal: Refusal) -> None:
        """It is on the bus."""


class LiveJobs(Protocol):
    """What SageMaker's jobs hold at the moment, in the whole account and Region."""

    def held(self, now: datetime) -> Sequence[HeldInstances]:
        """Every job that runs or stops, and every warm pool that waits. Raises TryLater when throttled."""
