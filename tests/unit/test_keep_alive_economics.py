"""What a cold start is worth against idling."""

from datetime import timedelta
from decimal import Decimal

import pytest

from tests.unit.keep_alive import economics
from trainops.domain.keep_alive_economics import (
    ASSUMED_SAVING,
    Shortage,
    StartSaving,
    measured_saving,
    stakes_of,
    stakes_text,
)

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("usd", "count", "expected"),
    [("0.23", 1, 36522), ("1.408", 1, 5966), ("7.09", 1, 1185), ("20.36", 1, 413), ("98.32", 1, 85), ("98.32", 4, 21)],
)
def test_break_even_spans_four_orders_of_magnitude_in_one_account(usd: str, count: int, expected: int) -> None:
    stakes = stakes_of(economics(usd, count))
    assert stakes is not None
    assert round(stakes.break_even) == expected


def test_money_alone_is_worth_only_the_billed_part_of_a_start() -> None:
    saving = StartSaving(timedelta(seconds=140), billed=timedelta(seconds=40))
    stakes = stakes_of(economics(waiting_value=Decimal(0), saving=saving))
    assert stakes is not None
    assert stakes.break_even == pytest.approx(40)


def test_scarce_capacity_makes_a_pool_worth_more() -> None:
    plain = stakes_of(economics())
    scarce = stakes_of(economics(shortage=Shortage(Decimal("0.1"), timedelta(hours=1))))
    assert plain is not None
    assert scarce is not None
    assert scarce.break_even / plain.break_even == pytest.approx((140 + 0.1 * 3600) / 140)


def test_the_sentence_names_the_risk_of_a_shortage() -> None:
    known = economics(shortage=Shortage(Decimal("0.1"), timedelta(hours=1)))
    stakes = stakes_of(known)
    assert stakes is not None
    assert "(2 min 20 s of waiting (assumed) and 1 h more in 10 % of cases)" in stakes_text(known, stakes)


@pytest.mark.parametrize(("usd", "count"), [(None, 1), ("1.408", None), ("1.408", 0), ("0", 1)])
def test_nothing_is_at_stake_that_is_known_without_price_and_count(usd: str | None, count: int | None) -> None:
    assert stakes_of(economics(usd, count)) is None


def test_the_sentence_names_the_waiting_value_and_where_the_saving_comes_from() -> None:
    known = economics()
    stakes = stakes_of(known)
    assert stakes is not None
    assert stakes_text(known, stakes) == (
        "with waiting at $60.00 an hour a cold start is worth $2.33 (2 min 20 s of waiting (assumed)), "
        "as much as 1 h 39 min of idling on 1 \N{MULTIPLICATION SIGN} ml.g5.xlarge"
    )


def test_the_saving_is_measured_by_medians_of_five_starts_of_each_kind() -> None:
    cold = [100 * SECOND, 180 * SECOND, 190 * SECOND, 200 * SECOND, 9999 * SECOND]
    warm = [20 * SECOND] * 5
    assert measured_saving(cold, warm) == StartSaving(170 * SECOND, source="median of 5 cold and 5 warm")
    assert measured_saving(cold[:4], warm).waited == ASSUMED_SAVING
    assert measured_saving(cold, warm[:4]).source == "assumed"


def test_the_billed_saving_is_measured_apart_and_never_above_the_waited_one() -> None:
    cold, warm = [100 * SECOND] * 5, [20 * SECOND] * 5
    assert measured_saving(cold, warm, [50 * SECOND] * 5, [10 * SECOND] * 5).billed == 40 * SECOND
    assert measured_saving(cold, warm, [500 * SECOND] * 5, [10 * SECOND] * 5).billed == 80 * SECOND
    assert measured_saving(cold, warm).billed == timedelta(0)


def test_a_warm_start_that_is_slower_saves_nothing() -> None:
    assert measured_saving([SECOND] * 5, [2 * SECOND] * 5).waited == timedelta(0)
