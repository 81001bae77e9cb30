"""Warm pools through the deployed functions: observed, ended, told, found when every event was lost."""

from collections.abc import Mapping
from typing import Any

import pytest

from local.waiting import until
from tests.local.pools import keep_alive, pool, pool_state, pool_status
from tests.local.product import Product
from tests.local.savings import metric_lines
from trainops.telemetry import TeamMetric

pytestmark = pytest.mark.local
READERS = (
    *("WarmPoolsControlFunction", "JobNotificationsFunction"),
    *("JobNotificationsSlackFunction", "JobNotificationsEmailFunction"),
)
"""Remember the kill switch for half a minute."""
EAGER = [{"Key": "team", "Value": "eager"}, {"Key": "owner", "Value": "vision"}]


def ended(product: Product, name: str, seconds: float = 120) -> Mapping[str, Any]:
    """Wait until a pool is ended; its item comes back."""
    until(lambda: pool_state(product, name) == "ended", f"the end of {name}'s pool", seconds=seconds)
    found = pool(product, name)
    assert found is not None
    return found


def test_an_enforcing_teams_pool_is_ended_at_its_time_and_its_owner_told_before_and_after(product: Product) -> None:
    product.run_job("eager-1", ResourceConfig=keep_alive(3600), Tags=EAGER)
    until(lambda: product.records("eager-1"), "the record of its start")
    product.advance(minutes=15)
    item = ended(product, "eager-1")
    status = pool_status(product, "eager-1")
    assert status["Status"] == "Terminated"
    assert status["ResourceRetainedBillableTimeInSeconds"] < 600, "nowhere near the hour that was asked for"
    assert "idle limit 20 s" in item["plan"]["M"]["reason"]["S"]
    product.told("eager-1", times=3)
    texts = product.slack_about("eager-1")
    assert any("Warm pool of eager-1 ends" in text and "trainops:hold-until" in text for text in texts)
    assert any("Warm pool of eager-1 was ended" in text and "avoids $" in text for text in texts)
    assert all("vision (tag owner)" in text for text in texts)


def test_an_observing_teams_pool_lives_its_full_period_and_what_would_have_been_saved_is_known(
    product: Product,
) -> None:
    product.run_job("calm-1", ResourceConfig=keep_alive(3600))
    until(lambda: product.records("calm-1"), "the record of its start")
    product.advance(minutes=15)
    until(lambda: pool_state(product, "calm-1") == "kept", "the record of its pool")
    product.advance(minutes=50)
    product.sweep()
    assert pool_status(product, "calm-1")["Status"] == "Available"
    product.advance(minutes=20)
    product.sweep()
    until(lambda: pool_state(product, "calm-1") == "expired", "the pool's own end")
    assert pool_status(product, "calm-1")["ResourceRetainedBillableTimeInSeconds"] == 3600
    assert [text for text in product.slack_about("calm-1") if "Warm pool of" in text] == []
    [line] = [line for line in metric_lines(product, "WarmPoolsControlFunction") if line.get("job") == "calm-1"]
    dollars = line[TeamMetric.WOULD_AVOID_POOL_USD]
    assert 0.6 < (dollars[0] if isinstance(dollars, list) else dollars) < 1.41, "half of an hour at $1.408, or more"


def test_a_pool_none_of_whose_events_arrived_is_found_by_the_sweep(product: Product) -> None:
    with product.events_lost():
        product.run_job("unheard-1", ResourceConfig=keep_alive(3600), Tags=EAGER)
        product.advance(minutes=20)
    assert pool(product, "unheard-1") is None
    product.sweep()
    ended(product, "unheard-1")
    assert pool_status(product, "unheard-1")["Status"] == "Terminated"


@pytest.mark.case("WP-13")
def test_a_throttled_listing_ends_nothing_and_the_next_sweep_makes_up_for_it(product: Product) -> None:
    with product.events_lost():
        product.run_job("unlisted-1", ResourceConfig=keep_alive(3600), Tags=EAGER)
        product.advance(minutes=20)
    control = product.laptop.control
    control.fail("ListTrainingJobs", "ThrottlingException", times=10)
    product.sweep()
    control.clear_failures()
    product.quiet()
    assert pool(product, "unlisted-1") is None
    assert pool_status(product, "unlisted-1")["Status"] == "Available"
    product.sweep()
    ended(product, "unlisted-1")


def test_a_pool_that_the_next_job_takes_is_never_touched(product: Product) -> None:
    product.run_job("first-1", ResourceConfig=keep_alive(3600))
    until(lambda: product.records("first-1"), "the record of its start")
    product.advance(minutes=15)
    until(lambda: pool_state(product, "first-1") == "kept", "the record of its pool")
    product.run_job("next-1", ResourceConfig=keep_alive(1800))
    until(lambda: pool_state(product, "first-1") == "reused", "the reuse")
    found = pool(product, "first-1")
    assert found is not None
    assert found["reused_by"]["S"] == "next-1"


@pytest.mark.case("WP-16")
def test_a_held_pool_is_kept_and_the_kill_switch_keeps_every_pool(product: Product) -> None:
    now = product.laptop.control.now()
    hold = {"Key": "trainops:hold-until", "Value": f"{now.replace(year=now.year + 1):%Y-%m-%dT%H:%MZ}"}
    product.run_job("held-1", ResourceConfig=keep_alive(3600), Tags=[*EAGER, hold])
    until(lambda: product.records("held-1"), "the record of its start")
    product.advance(minutes=15)
    until(lambda: any("Warm pool of held-1 is held" in text for text in product.slack_about("held-1")), "the message")
    assert pool_status(product, "held-1")["Status"] == "Available"
    product.restart("WarmPoolsControlFunction")
    with product.kill_switch("on"):
        product.run_job("switched-1", ResourceConfig={**keep_alive(3600), "VolumeSizeInGB": 31}, Tags=EAGER)
        product.advance(minutes=20)
        until(lambda: (pool(product, "switched-1") or {}).get("look_at"), "the record of its pool")
        product.sweep()
        product.advance(minutes=5)
        product.quiet()
        assert pool_status(product, "switched-1")["Status"] == "Available"
    for function in READERS:
        product.restart(function)
