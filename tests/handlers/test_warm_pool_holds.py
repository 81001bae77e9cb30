"""The tag by which a person keeps a warm pool, valid, malformed and over; extended in steps the API allows."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from local.sagemaker.switches import Switches
from tests.builders import price
from tests.handlers.pool_world import PoolWorld
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pools import PoolState

MINUTE = timedelta(minutes=1)
HOLD = "trainops:hold-until"


def held(value: str, *, keep_alive: int = 3600, **chosen: Any) -> PoolWorld:
    """A job created at 12:00 whose pool is idle from 12:12:50 on, and carries the tag."""
    w = PoolWorld(FakeSettings(settings(**chosen)), price=price())
    w.run(keep_alive=keep_alive, Tags=[{"Key": HOLD, "Value": value}])
    return w


@pytest.mark.case("WP-16")
def test_a_valid_hold_keeps_the_pool_until_its_time_and_its_owner_is_told() -> None:
    w = held("2026-03-01T13:00Z")
    w.pass_time(10, minutes=59)
    assert (w.status(), w.news()) == ("Available", ["Warm Pool Held job-1"])
    [news] = w.pool().news.values()
    assert news.reason == "kept until 2026-03-01 13:00 UTC, because its tag trainops:hold-until says so"
    w.pass_time(10, minutes=2)
    assert (w.pool().state, w.pool().released) == (PoolState.ENDED, datetime.fromisoformat("2026-03-01T13:00Z"))


@pytest.mark.case("WP-16")
@pytest.mark.parametrize("value", ["18:00", "tomorrow", "", "2026-13-01T00:00Z", "9999-12-31T23:59-05:00"])
def test_a_malformed_hold_keeps_the_pool_this_once_and_warns_its_owner(value: str) -> None:
    w = held(value, keep_alive=1800)
    w.pass_time(10, minutes=60)
    assert (w.pool().state, w.client.count("UpdateTrainingJob")) == (PoolState.EXPIRED, 0)
    assert w.news() == ["Warm Pool Held job-1"]
    [news] = w.pool().news.values()
    assert f'its tag trainops:hold-until is "{value}", which is no time' in news.reason


@pytest.mark.case("WP-16")
def test_a_hold_that_is_over_changes_nothing() -> None:
    w = held("2026-03-01T11:00Z")
    w.pass_time(10, minutes=30)
    assert (w.pool().state, w.pool().released) == (PoolState.ENDED, w.pool().ended + 10 * MINUTE)
    assert w.news() == ["Warm Pool Ended job-1"]


@pytest.mark.parametrize("events_fill_tags", [True, False])
@pytest.mark.parametrize("lag", [0, 5])
def test_a_tag_that_comes_while_the_job_runs_is_told_at_its_end_whether_events_bring_tags_or_not(
    lag: float, *, events_fill_tags: bool
) -> None:
    w = PoolWorld(FakeSettings(settings()), price=price())
    switches = Switches(events_fill_tags=events_fill_tags, pool_available_lag_seconds=lag)
    w.bench.simulator.switches = switches
    w.run(keep_alive=3600)
    w.pass_time(minutes=5)
    arn = w.bench.describe()["TrainingJobArn"]
    w.bench.call("AddTags", ResourceArn=arn, Tags=[{"Key": HOLD, "Value": "2026-03-01T13:00Z"}])
    w.pass_time(10, minutes=9)
    assert w.news() == ["Warm Pool Held job-1"], "a minute after the job's end"
    w.pass_time(10, minutes=44)
    assert (w.status(), w.client.count("UpdateTrainingJob")) == ("Available", 0)


def test_tags_are_asked_for_at_the_end_only_of_a_job_that_leaves_a_pool_and_whose_event_has_none() -> None:
    asked = {}
    for keep_alive, fill in ((3600, False), (3600, True), (0, False)):
        w = PoolWorld(FakeSettings(settings(idle_limit=60 * MINUTE)), price=price())
        w.bench.simulator.switches = Switches(events_fill_tags=fill)
        w.run(keep_alive=keep_alive, Tags=[{"Key": "team", "Value": "vision"}])
        w.pass_time(minutes=14)
        asked[keep_alive, fill] = w.client.count("ListTags")
    assert asked == {(3600, False): 2, (3600, True): 0, (0, False): 1}


def test_a_tag_that_comes_after_the_warning_is_read_before_the_end() -> None:
    w = PoolWorld(FakeSettings(settings(grace=2 * MINUTE)))
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=21)
    assert w.news() == ["Warm Pool Ending job-1"]
    arn = w.bench.describe()["TrainingJobArn"]
    w.bench.call("AddTags", ResourceArn=arn, Tags=[{"Key": HOLD, "Value": "2026-03-01T13:00Z"}])
    w.pass_time(10, minutes=30)
    assert (w.status(), w.client.count("UpdateTrainingJob")) == ("Available", 0)
    assert w.news() == ["Warm Pool Ending job-1", "Warm Pool Held job-1"]
    w.pass_time(10, minutes=12)
    assert w.news()[2:] == ["Warm Pool Ending job-1", "Warm Pool Ended job-1"]


def test_a_tag_that_comes_while_the_pool_is_left_to_expire_holds_it_too() -> None:
    w = PoolWorld(FakeSettings(settings(idle_limit=60 * MINUTE)), price=price())
    w.run(keep_alive=1200)
    w.pass_time(10, minutes=18)
    arn = w.bench.describe()["TrainingJobArn"]
    w.bench.call("AddTags", ResourceArn=arn, Tags=[{"Key": HOLD, "Value": "2026-03-01T13:00Z"}])
    w.pass_time(10, minutes=41)
    assert (w.status(), w.news()) == ("Available", ["Warm Pool Held job-1"])
    w.pass_time(10, minutes=14)
    assert w.status() == "Terminated"


def test_a_hold_that_was_the_only_tag_and_is_taken_off_extends_nothing() -> None:
    w = held("2026-03-01T13:00Z", keep_alive=1200)
    w.pass_time(10, minutes=20)
    w.bench.call("DeleteTags", ResourceArn=w.bench.describe()["TrainingJobArn"], TagKeys=[HOLD])
    w.pass_time(10, minutes=15)
    assert w.status() == "Terminated"
    assert {request["ResourceConfig"]["KeepAlivePeriodInSeconds"] for operation, request in w.client.asked
            if operation == "UpdateTrainingJob"} <= {0}  # fmt: skip


@pytest.mark.parametrize("after", [5, 18])
def test_a_pool_that_its_owner_extends_is_kept_as_long_as_that_says(after: int) -> None:
    w = PoolWorld(FakeSettings(settings(idle_limit=60 * MINUTE)), price=price())
    w.run(keep_alive=1200)
    w.pass_time(10, minutes=13 + after)
    longer = {"KeepAlivePeriodInSeconds": 2400}
    w.bench.call("UpdateTrainingJob", TrainingJobName="job-1", ResourceConfig=longer)
    w.pass_time(10, minutes=50)
    pool = w.pool()
    assert (pool.state, pool.released) == (PoolState.EXPIRED, pool.ended + 40 * MINUTE)
    assert w.client.count("UpdateTrainingJob") == 0


@pytest.mark.parametrize("counts_from", ["end", "now"])
def test_a_hold_beyond_the_keep_alive_period_extends_it_as_far_as_one_update_reaches(counts_from: Any) -> None:
    w = held("2026-03-01T13:00Z", keep_alive=1200)
    w.bench.simulator.switches = Switches(keep_alive_update_counts_from=counts_from)
    w.pass_time(10, minutes=58)
    assert w.status() == "Available"
    w.pass_time(10, minutes=5)
    released = w.pool().released
    assert released is not None
    assert timedelta(0) <= released - datetime.fromisoformat("2026-03-01T13:00Z") <= MINUTE
    assert w.client.count("UpdateTrainingJob") == {"end": 1, "now": 2}[counts_from]


@pytest.mark.parametrize(("counts_from", "last"), [("end", "13:12:50"), ("now", "15:00:00")])
def test_a_hold_beyond_the_longest_period_is_extended_in_steps_where_the_service_counts_from_now(
    counts_from: Any, last: str
) -> None:
    w = held("2026-03-01T15:00Z")
    w.bench.simulator.switches = Switches(keep_alive_update_counts_from=counts_from)
    w.pass_time(20, hours=4)
    released = w.pool().released
    assert released is not None
    assert abs(released - datetime.fromisoformat(f"2026-03-01T{last}+00:00")) < MINUTE
    assert w.pool().state is {"end": PoolState.EXPIRED, "now": PoolState.ENDED}[counts_from]
    periods = [
        request["ResourceConfig"]["KeepAlivePeriodInSeconds"]
        for operation, request in w.client.asked
        if operation == "UpdateTrainingJob"
    ]
    assert max(periods) <= 3600


def test_a_hold_never_shortens_a_period_longer_than_an_update_may_ask_for() -> None:
    w = held("2026-03-01T16:00Z", keep_alive=7200)
    w.pass_time(20, hours=4)
    pool = w.pool()
    assert (pool.state, pool.released) == (PoolState.EXPIRED, pool.ended + timedelta(hours=2))
    assert w.client.count("UpdateTrainingJob") == 0


def test_a_hold_reaches_no_further_than_the_team_allows() -> None:
    w = held("2026-03-05T00:00Z", longest_hold=40 * MINUTE)
    w.pass_time(10, minutes=60)
    assert w.pool().released == w.pool().ended + 40 * MINUTE
    assert "the longest that its team allows" in next(iter(w.pool().news.values())).reason
