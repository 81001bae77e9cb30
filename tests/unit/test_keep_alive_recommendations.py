"""What a team is recommended to ask for: nothing until its own gaps say that a pool pays."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import CREATED
from tests.pool_fakes import settings
from tests.unit.keep_alive import KEY, TEAM, history_of
from trainops.domain.job_records import Price
from trainops.domain.keep_alive_history import History, KeyHistory, TeamHistory
from trainops.domain.keep_alive_lessons import Cluster
from trainops.domain.keep_alive_recommendations import (
    Recommendation,
    UnreadableRecommendations,
    digest,
    document,
    recommendations,
    recommended_for,
)

PRICE = Price(Decimal("1.408"), "test")
HOUR = timedelta(hours=1)
G5 = Cluster("ml.g5.xlarge", 1, PRICE)
ONE = "1 \N{MULTIPLICATION SIGN}"


def on(history: History, cluster: Cluster = G5) -> History:
    """The history on a known cluster."""
    return replace(history, keys={name: replace(key, cluster=cluster) for name, key in history.keys.items()})


def recommended(history: History, **chosen: Any) -> Recommendation:
    """What is recommended for the one kind of pool."""
    choices = {"waiting_usd_per_hour": Decimal(60), "longest_keep_alive": HOUR, **chosen}
    return recommendations(TEAM, history, settings(**choices), CREATED)[KEY]


def test_a_pool_that_the_next_job_takes_after_minutes_is_recommended_for_as_long_and_why_is_said() -> None:
    found = recommended(on(history_of([100] * 40)))
    assert found.seconds == 300
    assert found.reason.startswith("keep it for 5 min: after 40 gaps of this kind of pool, the next one comes in time")
    assert "with waiting at $60.00 an hour" in found.reason


@pytest.mark.parametrize(("gaps", "seconds"), [(7, 0), (8, 300)])
def test_nothing_is_recommended_before_eight_gaps(gaps: int, seconds: int) -> None:
    known = on(history_of([100] * 8))
    key = known.keys[KEY]
    found = recommended(replace(known, keys={KEY: replace(key, gaps=replace(key.gaps, resolved=gaps))}))
    assert found.seconds == seconds
    if not seconds:
        assert found.reason == f"no warm pool before 8 gaps on {ONE} ml.g5.xlarge are known; so far 7 gaps"


def test_jobs_that_nobody_follows_leave_no_pool() -> None:
    found = recommended(on(history_of([None] * 40)))
    assert found.seconds == 0
    assert found.reason.startswith("no warm pool: after 40 gaps")


def test_waiting_that_is_worth_nothing_is_not_paid_for() -> None:
    assert recommended(on(history_of([100] * 40)), waiting_usd_per_hour=Decimal(0)).seconds == 0


def test_an_unknown_price_is_no_evidence() -> None:
    found = recommended(on(history_of([100] * 40), Cluster("ml.new.xlarge", 1)))
    assert found == Recommendation(0, f"no warm pool: what an hour of {ONE} ml.new.xlarge costs is unknown")


@given(st.integers(0, 3600), st.lists(st.sampled_from([3, 40, 200, 1500, None]), min_size=8, max_size=30))
def test_whole_minutes_within_the_teams_limit(limit: int, gaps: list[int | None]) -> None:
    found = recommended(on(history_of(gaps)), longest_keep_alive=timedelta(seconds=limit)).seconds
    assert 0 <= found <= limit
    assert found % 60 == 0 or found == limit


def test_what_ends_a_teams_pools_is_not_what_is_recommended() -> None:
    history = on(history_of([None] * 40))
    assert recommended(history, policy="fixed").seconds == 0
    assert recommended(history, policy="break-even").seconds == 0


def test_the_most_used_kinds_come_first_and_another_teams_are_not_in_the_document() -> None:
    gaps = history_of([100] * 20).keys[KEY].gaps
    keys = {f"{n:016x}": KeyHistory(TEAM, replace(gaps, resolved=n)) for n in range(9)}
    history = History(keys | {"f" * 16: KeyHistory("speech", replace(gaps, resolved=999))}, {TEAM: TeamHistory(gaps)})
    found = list(recommendations(TEAM, history, settings(), CREATED))
    assert found == [f"{n:016x}" for n in reversed(range(9))]


@pytest.mark.case("WP-07")
def test_what_a_pool_and_what_spot_saves_on_a_job_is_said_as_far_as_it_is_known() -> None:
    known = on(history_of([100] * 40))
    assert recommended(known).spot_saves_usd is None
    spot = replace(known, keys={KEY: replace(known.keys[KEY], spot_saved=(0.2, 0.8, 5.0))})
    found = recommended(spot)
    assert found.spot_saves_usd == "0.80"
    assert found.pool_saves_usd is not None
    assert Decimal("2.1") < Decimal(found.pool_saves_usd) < Decimal("2.33"), "a cold start, less some idling"
    assert found.cheaper.endswith("a warm pool is cheaper")
    assert recommended(on(history_of([None] * 40))).pool_saves_usd == "0.00"
    few = replace(spot, keys={KEY: replace(spot.keys[KEY], gaps=replace(known.keys[KEY].gaps, resolved=7))})
    assert (recommended(few).pool_saves_usd, recommended(few).spot_saves_usd) == (None, "0.80")


def test_a_document_says_what_it_was_made_of_and_its_digest_does_not_change_with_time() -> None:
    made = {KEY: Recommendation(600, "because")}
    published = document(TEAM, made, CREATED)
    assert published["by_fingerprint"] == {
        KEY: {"seconds": 600, "reason": "because", "pool_saves_usd": None, "spot_saves_usd": None}
    }
    assert (published["version"], published["team"], published["default_seconds"]) == (1, TEAM, 0)
    assert recommended_for(published, KEY) == made[KEY]
    assert recommended_for(published, "0" * 16) == Recommendation(0, "nothing is known of jobs like it")
    assert digest(made) == digest(dict(made)) != digest({KEY: Recommendation(601, "because")})


@pytest.mark.parametrize(
    "published", [{}, [], {"version": 2}, {"version": 1}, {"version": 1, "by_fingerprint": {KEY: {}}}]
)
def test_a_document_that_is_not_understood_is_said(published: Any) -> None:
    with pytest.raises(UnreadableRecommendations, match="recommendations document"):
        recommended_for(published, KEY)
