"""Quotas are found by their exact names, whatever a published code says; open requests wherever they stand."""

import pytest

from local.service_quotas.catalogue import by_code, by_name
from tests.quota_fakes import QuotaDesk
from trainops.adapters.quota_codes import published_codes
from trainops.domain.quotas import ACCOUNT_WIDE, QuotaId, QuotaKind, quota_key, quota_name
from trainops.errors import IncreaseOpen, IncreaseRefused, TryLater

TRAINING, SPOT, WARM = (
    quota_name(kind, "ml.g5.xlarge") for kind in (QuotaKind.TRAINING, QuotaKind.SPOT, QuotaKind.WARM_POOL)
)


def test_every_published_code_is_that_of_the_quota_it_is_a_hint_for() -> None:
    codes = published_codes()
    assert len(codes) > 250
    for key, code in codes.items():
        assert code in by_code(), key
        assert key == quota_key(by_code()[code].name) or code in {quota.code for quota in ACCOUNT_WIDE.values()}


@pytest.mark.parametrize("name", [TRAINING, SPOT, WARM, TRAINING.upper()])
def test_a_published_code_saves_the_listing(name: str) -> None:
    desk = QuotaDesk()
    found = desk.product().find(QuotaId(name))
    assert found is not None
    assert quota_key(found.name) == quota_key(name)
    assert desk.counted() == {"GetServiceQuota": 1}


@pytest.mark.parametrize("name", [TRAINING, SPOT, WARM])
def test_a_wrong_hint_is_noticed_by_the_name_and_the_list_is_read(name: str) -> None:
    desk = QuotaDesk()
    wrong = by_name()["ml.g5.2xlarge for training job usage"].code
    found = desk.product({quota_key(name): wrong}).find(QuotaId(name))
    assert found is not None
    assert found.name == name
    pages = -(-sum(quota.listed for quota in by_code().values()) // 100)
    assert pages >= 16
    assert desk.counted() == {"GetServiceQuota": 2, "ListServiceQuotas": pages}


def test_the_list_is_read_once_and_a_second_name_costs_one_call() -> None:
    desk = QuotaDesk()
    product = desk.product({})
    product.find(QuotaId(TRAINING))
    desk.counted()
    product.find(QuotaId(SPOT))
    assert desk.counted() == {"GetServiceQuota": 1}


def test_a_quota_with_only_a_default_is_found_among_the_defaults() -> None:
    desk = QuotaDesk()
    hidden = next(quota for quota in by_code().values() if not quota.listed)
    found = desk.product().find(QuotaId(hidden.name))
    assert found is not None
    assert (found.value, found.default, found.code) == (0, True, hidden.code)
    assert desk.throttled == 0


def test_a_name_that_only_begins_alike_is_another_quota() -> None:
    desk = QuotaDesk()
    assert desk.product({}).find(QuotaId("ml.g5.xlarge for training")) is None
    assert desk.product({}).find(QuotaId("ml.g5.xlarge for training job usage of mine")) is None


def test_an_open_request_is_found_behind_closed_ones() -> None:
    desk = QuotaDesk()
    product = desk.product()
    code = by_name()[TRAINING].code
    for status in ("DENIED", "CASE_CLOSED"):
        product.ask(code, 8, case_allowed=True)
        desk.decide(status)
    assert product.open_request(code) is None
    asked = product.ask(code, 9, case_allowed=True)
    assert product.open_request(code) == asked


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("ResourceAlreadyExistsException", IncreaseOpen),
        ("QuotaExceededException", TryLater),
        ("TooManyRequestsException", TryLater),
        ("ServiceException", TryLater),
        ("IllegalArgumentException", IncreaseRefused),
        ("DependencyAccessDeniedException", IncreaseRefused),
        ("AccessDeniedException", IncreaseRefused),
        ("InvalidResourceStateException", IncreaseRefused),
        ("NoSuchResourceException", IncreaseRefused),
    ],
)
def test_each_answer_to_a_request_is_told_apart(code: str, error: type[Exception]) -> None:
    desk = QuotaDesk()
    status = 500 if code == "ServiceException" else 400
    desk.failures.add({"operation": "RequestServiceQuotaIncrease", "code": code, "status": status})
    with pytest.raises(error, match=code):
        desk.product().ask(by_name()[TRAINING].code, 8, case_allowed=True)


def test_a_request_that_was_forgotten_is_none() -> None:
    assert QuotaDesk().product().request("0" * 32) is None
