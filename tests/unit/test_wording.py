"""How durations, money and times are written."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.wording import (
    duration_text,
    excerpt,
    instances_text,
    money_text,
    one_line,
    ordinal,
    percent_text,
    plain,
    shortened,
    time_text,
    until_text,
)

NOW = datetime(2026, 3, 2, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (45, "45 s"),
        (59.6, "1 min"),
        (603, "10 min 3 s"),
        (3600, "1 h"),
        (4320, "1 h 12 min"),
        (3601, "1 h"),
        (86400 + 3 * 3600, "1 d 3 h"),
        (28 * 86400, "28 d"),
    ],
)
def test_a_duration_is_said_in_its_two_largest_units(seconds: float, said: str) -> None:
    assert duration_text(timedelta(seconds=seconds)) == said


@pytest.mark.parametrize("value", [None, timedelta(seconds=-1)])
def test_a_duration_that_is_not_known_is_not_zero(value: timedelta | None) -> None:
    assert duration_text(value) == "unknown"


@pytest.mark.parametrize(
    ("usd", "said"),
    [
        (None, "unknown"),
        ("0", "$0.00"),
        ("0.0001", "less than $0.01"),
        ("0.01", "$0.01"),
        ("1.5957", "$1.60"),
        ("12345.678", "$12,345.68"),
    ],
)
def test_money_is_said_to_the_cent_and_little_is_not_nothing(usd: str | None, said: str) -> None:
    assert money_text(None if usd is None else Decimal(usd)) == said


def test_percent_has_at_most_one_decimal() -> None:
    assert [percent_text(Decimal(value)) for value in ("71.3", "80.0", "0")] == ["71.3 %", "80 %", "0 %"]
    assert percent_text(None) == "unknown"


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (30, "today 10:42 UTC"),
        (24 * 60, "tomorrow 10:12 UTC"),
        (-24 * 60, "yesterday 10:12 UTC"),
        (2 * 24 * 60, "Wed 4 Mar 10:12 UTC"),
        (-90 * 24 * 60, "Tue 2 Dec 2025 10:12 UTC"),
    ],
)
def test_a_time_is_said_as_near_as_it_is(minutes: int, said: str) -> None:
    assert time_text(NOW + timedelta(minutes=minutes), NOW, UTC) == said


def test_a_time_is_said_in_the_readers_zone_and_day() -> None:
    late = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)
    assert time_text(late, NOW, ZoneInfo("Europe/Vienna")) == "tomorrow 00:30 CET"
    assert time_text(late, NOW, ZoneInfo("America/Sao_Paulo")) == "today 20:30 UTC-03"
    assert until_text(NOW, NOW, UTC) == "10:12 UTC"


def test_instances_without_a_type_are_still_counted() -> None:
    assert instances_text(2, "ml.g5.xlarge") == "2 \N{MULTIPLICATION SIGN} ml.g5.xlarge"
    assert instances_text(None, "ml.g5.xlarge") == "ml.g5.xlarge"
    assert instances_text(2, None) == "2 instances"
    assert instances_text(None, None) == "unknown"


def test_ordinals() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th",
    ]  # fmt: skip


def test_text_that_no_channel_carries_becomes_space() -> None:
    assert plain("a\x00b\ud800c\r\nd\x7f") == "a b c\nd "
    assert one_line("  a\n\tb  ") == "a b"


def test_an_excerpt_keeps_head_and_tail_and_says_how_much_is_missing() -> None:
    text = "head " + "x" * 5000 + " tail"
    cut = excerpt(text, 300)
    head, note, tail = cut.split("\n")
    assert len(cut) <= 300
    assert cut.startswith("head ")
    assert cut.endswith(" tail")
    assert len(head) + len(tail) + int(note.strip("\N{HORIZONTAL ELLIPSIS} chartesu").replace(",", "")) == len(text)


@given(st.text(max_size=400), st.integers(min_value=1, max_value=300))
def test_nothing_shortened_is_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(shortened(text, limit)) <= limit
    assert len(excerpt(text, limit)) <= limit
    if len(text) <= limit:
        assert excerpt(text, limit) == text == shortened(text, limit)
