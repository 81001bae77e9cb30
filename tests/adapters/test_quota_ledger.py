"""Quotas and refusals survive the table: everything that was known comes back, and two writers do not mix."""

from dataclasses import replace

import pytest

from tests.adapters.ledger_table import TABLE, table
from tests.builders import at
from trainops.adapters.ledger_table import LedgerTable
from trainops.adapters.quota_ledger import DynamoQuotaLedger
from trainops.domain.owners import Owner
from trainops.domain.quota_records import IncreaseRequest, QuotaNews, QuotaRecord, QuotaState, SeenQuota
from trainops.domain.quota_refusals import Refusal
from trainops.errors import LedgerConflict

WARM = "ml.g5.xlarge for training warm pool usage"
RECORD = QuotaRecord(
    name=WARM,
    code=None,
    wishes={"trainops-operations": 8, "green": 4},
    seen=SeenQuota(name=WARM, code="L-8E6F4665", arn="arn:aws:servicequotas:…", value=2, adjustable=True),
    request=IncreaseRequest(id="1", status="PENDING", desired=8, created=at(0), updated=at(1)),
    state=QuotaState.PENDING,
    reason="why",
    used=0,
    checked=at(2),
    news={"PENDING/8/1": QuotaNews(state=QuotaState.PENDING, at=at(2), reason="why", value=2, wanted=8)},
)
REFUSAL = Refusal(
    key="a|b|c",
    call="id",
    at=at(0),
    job_name="resnet-1",
    owner=Owner("ann", "tag owner"),
    quota=WARM,
    limit=0,
    needed=1,
    asked=1,
    used=0,
    counted=True,
    advice="wait",
    quota_arn="arn",
)


def test_a_quota_comes_back_as_it_was_written_under_any_spelling_of_its_name() -> None:
    with table() as dynamodb:
        ledger = DynamoQuotaLedger(LedgerTable(dynamodb, TABLE))
        written = ledger.put_quota(RECORD)
        assert written == replace(RECORD, version=1)
        assert ledger.quota(WARM.upper()) == written
        assert list(ledger.quotas()) == [written]
        with pytest.raises(LedgerConflict):
            ledger.put_quota(RECORD)


def test_a_refusal_is_noted_once_and_marked_when_it_was_said() -> None:
    with table() as dynamodb:
        ledger = DynamoQuotaLedger(LedgerTable(dynamodb, TABLE))
        assert ledger.add_refusal(REFUSAL)
        assert not ledger.add_refusal(replace(REFUSAL, call="another"))
        assert ledger.refusal(REFUSAL.key) == REFUSAL
        ledger.refusal_said(REFUSAL)
        assert ledger.refusal(REFUSAL.key) == replace(REFUSAL, published=True)


def test_what_warm_pools_may_keep_is_read_from_what_the_tracker_saw_or_unknown() -> None:
    with table() as dynamodb:
        ledger = DynamoQuotaLedger(LedgerTable(dynamodb, TABLE))
        ledger.put_quota(RECORD)
        assert ledger.instances("ml.g5.xlarge") == 2
        assert ledger.instances("ml.g5.2xlarge") is None
        assert ledger.instances(None) is None
