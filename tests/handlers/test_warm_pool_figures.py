"""What pools cost, wasted and avoided, by team, as it is published when each is over."""

from decimal import Decimal

import pytest

from tests.handlers.pool_world import PoolWorld, figures, world
from tests.pool_fakes import FakeSettings, settings
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pools import PoolState
from trainops.telemetry import Field, TeamMetric


def test_an_observing_team_is_touched_nowhere_and_told_nothing_but_what_it_would_have_saved() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=90)
    assert w.client.count("UpdateTrainingJob") == 0
    assert w.news() == []
    assert (w.pool().state, w.client.count("DescribeTrainingJob")) == (PoolState.EXPIRED, 3)
    assert figures(w)[TeamMetric.WOULD_AVOID_POOL_USD] == Decimal("2.3467"), "50 of 60 minutes on two instances"
    assert figures(w)[TeamMetric.IDLE_POOL_USD] == Decimal("2.8160")
    assert TeamMetric.AVOIDED_POOL_USD not in figures(w)


def test_an_observing_team_hears_how_many_reuses_ending_would_have_cost() -> None:
    w = world(mode=Mode.OBSERVE)
    w.run(keep_alive=3600)
    w.pass_time(minutes=35)
    w.run("job-2", keep_alive=3600)
    w.pass_time(minutes=5)
    assert (w.pool().state, w.pool().reused_by) == (PoolState.REUSED, "job-2")
    assert figures(w)[Field.WOULD_HAVE_MISSED] == 1


@pytest.mark.case("SP-18")
def test_what_was_avoided_is_the_rest_of_the_period_asked_for_and_not_counted_as_running() -> None:
    w = world()
    w.run(keep_alive=1800)
    w.pass_time(10, minutes=30)
    assert figures(w)[Field.AVOIDED_HOURS] == Decimal(20 * 60 * 2) / 3600
    assert figures(w)[TeamMetric.AVOIDED_POOL_USD] == Decimal("0.9387")
    assert figures(w)[Field.RETAINED_USD] == Decimal("0.4693")
    assert not [metric for metric in figures(w) if "spot" in metric.lower()]


def test_money_without_a_price_is_unknown_and_counted() -> None:
    w = PoolWorld(FakeSettings(settings()))
    w.run(keep_alive=1800)
    w.pass_time(10, minutes=30)
    assert figures(w)[Field.UNKNOWN] == "price of ml.g5.xlarge"
    assert TeamMetric.AVOIDED_POOL_USD not in figures(w)
    assert figures(w)[Field.AVOIDED_HOURS] > 0
    assert "avoids unknown" in w.pool().news["Ended"].reason


def test_a_period_that_a_person_changed_meanwhile_is_what_is_avoided_of() -> None:
    w = world()
    w.run(keep_alive=3600)
    w.pass_time(10, minutes=15)
    w.bench.call("UpdateTrainingJob", TrainingJobName="job-1", ResourceConfig={"KeepAlivePeriodInSeconds": 1200})
    w.pass_time(10, minutes=15)
    assert w.pool().state is PoolState.ENDED
    assert figures(w)[Field.AVOIDED_HOURS] == Decimal(10 * 60 * 2) / 3600
