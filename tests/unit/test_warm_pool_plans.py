"""How long a pool is kept, and the words for it: policy, hard limits by rule, holds."""

from dataclasses import replace
from datetime import UTC, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import at, job, price, record
from tests.pool_fakes import settings
from trainops.domain.business_hours import BusinessHours
from trainops.domain.keep_alive_history import History
from trainops.domain.warm_pool_holds import HOLD_TAG, hold_of
from trainops.domain.warm_pool_plans import hold_news, plan_of
from trainops.domain.warm_pool_settings import PoolRule, PoolSettings
from trainops.domain.warm_pools import NewsKind, Plan, PoolRecord, no_pool, opened

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
TIMES = "\N{MULTIPLICATION SIGN}"


def pool(**fields: Any) -> PoolRecord:
    """A pool of one ml.g5.xlarge for an hour, idle since minute 30."""
    return replace(opened(record(job(keep_alive=HOUR, match_fingerprint="f00d"), price=price())), **fields)


def planned(a_pool: PoolRecord | None = None, minute: float = 30, **chosen: Any) -> Plan:
    return plan_of(a_pool or pool(), settings(**chosen), History(), at(minute))[0]


def test_a_plan_says_what_a_person_needs_to_check_it() -> None:
    plan = planned(policy="break-even", idle_limit=30 * MINUTE)
    assert plan.due == at(60), "the hard limit comes before break-even"
    assert plan.policy == "idle limit"
    assert plan.reason == (
        "idle limit 30 min; without it: keep 1 h after the end, as asked for: kept until idling has cost as much as a "
        "cold start; with waiting at $60.00 an hour a cold start is worth $2.33 (2 min 20 s of waiting (assumed)), as "
        f"much as 1 h 39 min of idling on 1 {TIMES} ml.g5.xlarge"
    )


def test_waiting_that_is_worth_nothing_keeps_no_pool() -> None:
    plan = planned(policy="break-even", waiting_usd_per_hour=Decimal(0))
    assert plan.due == at(30)
    assert "with waiting at $0.00 an hour" in plan.reason


@pytest.mark.parametrize("policy", ["fixed", "break-even", "histogram"])
def test_no_policy_keeps_a_pool_longer_than_was_asked_for(policy: str) -> None:
    asked = pool(asked=5 * MINUTE, keep_alive=5 * MINUTE)
    assert planned(asked, policy=policy, idle_limit=6 * HOUR).due <= at(35)


def test_an_unknown_price_falls_back_on_the_fixed_limit_and_says_so() -> None:
    plan = planned(pool(price=None), policy="histogram")
    assert (plan.due, plan.policy) == (at(40), "fixed")
    assert "is unknown, so the fixed limit of 10 min holds" in plan.reason


RULES = (
    PoolRule(idle_limit=5 * MINUTE, instance_types=("ml.p4d.*", "ml.p5.48xlarge")),
    PoolRule(idle_limit=HOUR, tags={"purpose": "demo"}),
    PoolRule(idle_limit=2 * MINUTE, instance_types=("ml.g5.*",)),
)


@pytest.mark.case("WP-15")
@pytest.mark.parametrize(
    ("kind", "tags", "minutes"),
    [
        ("ml.p4d.24xlarge", {}, 5),
        ("ml.p4d.24xlarge", {"purpose": "demo"}, 5),
        ("ml.g5.xlarge", {"purpose": "demo"}, 60),
        ("ml.g5.xlarge", {"purpose": "other"}, 2),
        ("ml.m5.xlarge", {}, 25),
        (None, {}, 25),
    ],
)
def test_the_first_rule_that_fits_type_and_tags_decides(kind: str | None, tags: dict[str, str], minutes: int) -> None:
    limit = settings(idle_limit=25 * MINUTE, rules=RULES).limit(at(30), kind, tags)
    assert limit.due == at(30 + minutes)


def test_outside_business_hours_the_shorter_limit_holds_and_is_said() -> None:
    work = BusinessHours(
        days=(0, 1, 2, 3, 4), opens=time(8), closes=time(9, 35), zone=UTC, idle_limit_outside=2 * MINUTE
    )
    plan = planned(idle_limit=20 * MINUTE, policy="break-even", business_hours=work)
    assert plan.due == at(35), "its job ended at 9:30, five minutes before closing"
    assert plan.reason.startswith("idle limit 2 min outside business hours (within them 20 min); without it: ")
    assert planned(idle_limit=3 * MINUTE, business_hours=work).due == at(33)


@pytest.mark.case("WP-16")
@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("2026-03-02T18:00:00Z", at(540)),
        ("2026-03-02T18:00", at(540)),
        ("2026-03-02T19:00+01:00", at(540)),
        (" 2026-03-02T18:00Z ", at(540)),
        ("2026-03-09T18:00Z", at(30) + 24 * HOUR),
        ("18:00", None),
        ("1772474400", None),
        ("", None),
    ],
)
def test_a_hold_is_read_as_an_iso_time_and_reaches_as_far_as_the_team_allows(text: str, until: Any) -> None:
    hold = hold_of({HOLD_TAG: text}, at(30), 24 * HOUR)
    assert hold is not None
    assert (hold.text, hold.until) == (text, until)
    assert hold.shortened == (text == "2026-03-09T18:00Z")


def test_a_held_plan_says_what_would_hold_without_the_tag() -> None:
    plan = planned(pool(tags={HOLD_TAG: "2026-03-02T11:00Z"}))
    assert (plan.due, plan.holding, plan.policy) == (at(120), at(120), "hold")
    assert plan.reason.startswith("held until 2026-03-02 11:00 UTC by trainops:hold-until; without it: keep 10 min")


def test_a_hold_shorter_than_the_plan_shortens_nothing() -> None:
    plan = planned(pool(tags={HOLD_TAG: "2026-03-02T09:35Z"}))
    assert plan.due == at(40)


def test_an_expired_hold_is_said_and_not_news() -> None:
    held = pool(tags={HOLD_TAG: "2026-03-02T09:00Z"})
    assert planned(held, minute=35).reason.startswith("trainops:hold-until is over; ")
    assert hold_news(held, settings(), at(35)) is None


def test_a_hold_that_cannot_be_read_is_told_with_an_example() -> None:
    news = hold_news(pool(tags={HOLD_TAG: "tomorrow"}), settings(), at(31))
    assert news is not None
    assert (news[0], news[1].kind) == ("Held/tomorrow", NewsKind.HELD)
    assert news[1].reason == (
        'its tag trainops:hold-until is "tomorrow", which is no time such as 2026-03-02T18:00Z: kept this once, as '
        "long as asked"
    )


@pytest.mark.case("WP-06")
def test_why_a_job_leaves_no_pool_is_said() -> None:
    tuned = job(keep_alive=HOUR, tuning_job="arn:aws:sagemaker:us-east-1:1:hyper-parameter-tuning-job/t")
    assert "warm pools do not apply to tuning jobs" in str(no_pool(tuned))
    assert no_pool(job(keep_alive=HOUR, spot=True)) == "managed spot jobs leave no warm pool"
    assert no_pool(job()) == "no warm pool was asked for"
    groups = job(keep_alive=HOUR, instance_type=None, heterogeneous=True)
    assert "instance groups" in str(no_pool(groups))
    serverless = job(instance_type=None, instance_count=None)
    assert no_pool(serverless) == "no warm pool was asked for"
    assert no_pool(job(keep_alive=HOUR)) is None


def test_settings_are_frozen_so_that_no_decision_changes_another() -> None:
    with pytest.raises(AttributeError):
        settings().mode = "x"  # type: ignore[misc, assignment]
    assert isinstance(settings(), PoolSettings)
