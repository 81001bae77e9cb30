"""How often people hear of quotas and Service Quotas is asked: many changes at once, and refusals that stay."""

import json
from collections.abc import Sequence
from datetime import UTC, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.desks import desk
from tests.fakes import Crash, FakeBus, FakeQueue, Fuse
from tests.handlers.quota_world import TRAINING, TrackerWorld
from trainops.domain.job_events import BusEvent
from trainops.domain.quota_records import QuotaState
from trainops.errors import TryLater
from trainops.telemetry import Metric
from trainops.workflows.quota_notification import QuotaNotification

SCHEMA = Draft202012Validator(json.loads(Path("docs/events/quota.v1.schema.json").read_text(encoding="utf-8")))
TYPES = ["ml.g5.xlarge", "ml.g5.2xlarge", "ml.g5.4xlarge", "ml.g5.8xlarge", "ml.g6.xlarge", "ml.g6.2xlarge"]
TWENTY = {kind: {"training": 8, "spot": 4, "warm_pool": 4} for kind in TYPES} | {
    "ml.x9.xlarge": {"training": 1, "spot": 1}
}
REFUSED = {"operation": "RequestServiceQuotaIncrease", "code": "AccessDeniedException", "times": 1000}


def cards(world: TrackerWorld) -> list[dict[str, Any]]:
    """The messages about what is on the bus."""
    channel = FakeQueue()
    notify = QuotaNotification(world.ledger, desk(("QuotaChanged",), channel), UTC)
    for event in world.bus.published:
        SCHEMA.validate(event.detail)
        notify({"detail-type": event.detail_type, "detail": dict(event.detail)})
    return [dict(card) for card in channel.sent]


def test_a_first_deployment_of_twenty_quotas_is_one_message_that_names_them_all() -> None:
    world = TrackerWorld()
    world.stack.deploy(TWENTY, Requester="ml-platform")
    world.tick()
    [card] = cards(world)
    assert card["owner"] == "ml-platform"
    assert card["title"] == "Quotas: 20 changes"
    assert card["summary"] == "2 of them need a person."
    assert (card["tone"], card["word"]) == ("bad", "QuotaChanged")
    assert card["facts"] == [["Was asked for", "18"], ["Is not offered in this Region", "2"]]
    assert card["lines"][0].startswith("ml.x9.xlarge for training job usage, 1 wanted: the Region has no quota")
    assert "ml.g5.xlarge for training job usage 8, " in card["lines"][2]
    assert card["lines"][2].endswith("and 6 more.")
    assert card["links"][0][1].endswith("/servicequotas/home/services/sagemaker/quotas")
    assert world.told() == ["PENDING"] * 18 + ["not offered"] * 2
    world.tick()
    assert world.told() == []


def test_one_change_keeps_the_message_of_its_own() -> None:
    world = TrackerWorld()
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    world.tick()
    [card] = cards(world)
    assert (card["title"], card["owner"]) == (f"Quota {TRAINING}: 8 was asked for", None)


def test_what_a_deployment_and_a_later_tick_found_are_two_messages() -> None:
    world = TrackerWorld()
    world.stack.deploy({kind: {"training": 8} for kind in TYPES[:3]})
    for change in world.desk.requests:
        world.desk.quotas.decide(change.id, {"status": "APPROVED"})
    world.desk.clock.advance(timedelta(minutes=5))
    world.tick()
    first, second = cards(world)
    assert (first["facts"], second["facts"]) == ([["Was asked for", "3"]], [["Is granted", "3"]])
    assert (second["tone"], second["summary"]) == ("good", "None of them needs a person.")


@pytest.mark.parametrize("dies", ["before publishing", "after publishing", "while marking"])
def test_a_digest_that_is_published_again_is_the_same_message(dies: str) -> None:
    """Under the same key every channel delivers it once."""
    world = TrackerWorld()
    world.stack.deploy(TWENTY)
    if dies == "while marking":
        world.ledger.fuse = Fuse(before=25)  # twenty are followed first
    else:
        world.bus.fuse = Fuse(before=1) if dies == "before publishing" else Fuse(after=1)
    with pytest.raises(Crash):
        world.tick()
    world.bus.fuse = world.ledger.fuse = Fuse()
    world.desk.clock.advance(timedelta(minutes=15))
    world.tick()
    assert len({card["key"] for card in cards(world)}) == 1
    assert cards(world)[-1]["title"] == "Quotas: 20 changes"


def test_a_refused_request_is_tried_again_ever_less_often_and_a_card_says_when() -> None:
    world = TrackerWorld()
    world.desk.failures.add(REFUSED)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    asked = []
    for _ in range(4 * 24 * 4):
        world.desk.counted()
        world.tick()
        if world.desk.counted().get("RequestServiceQuotaIncrease"):
            asked.append(world.desk.clock.now())
        world.desk.clock.advance(timedelta(minutes=15))
    gaps = [round((later - earlier) / timedelta(hours=1)) for earlier, later in pairwise(asked)]
    assert gaps == [2, 4, 8, 16, 24, 24]
    assert len(cards(world)) == 1, "that it is refused is no news the second time"
    assert "asked again in 1 h, from 2026-03-01 13:00 UTC, or at a deployment" in cards(world)[0]["summary"]


def test_a_deployment_asks_at_once_whatever_was_refused_and_the_gaps_begin_anew() -> None:
    world = TrackerWorld()
    world.desk.failures.add(REFUSED)
    world.stack.deploy({"ml.g5.xlarge": {"training": 8}})
    for _ in range(3):
        world.desk.clock.advance(timedelta(days=1))
        world.tick()
    assert world.record().refusals == 4
    world.stack.deploy({"ml.g5.xlarge": {"training": 9}})
    assert (world.record().state, world.record().refusals) == (QuotaState.REFUSED, 1)
    world.desk.failures.clear()
    world.desk.clock.advance(timedelta(hours=1))
    world.tick()
    assert (world.record().state, world.record().refusals) == (QuotaState.PENDING, 0)


class ThrottledBus(FakeBus):
    def publish(self, events: Sequence[BusEvent]) -> None:
        raise TryLater("PutEvents: ThrottlingException")


def test_news_that_the_bus_does_not_take_is_said_so_and_told_by_the_next_tick() -> None:
    world = TrackerWorld()
    world.stack.deploy(TWENTY)
    taking, world.bus = world.bus, ThrottledBus()
    outcome = world.tick()
    assert "left for later: news: PutEvents: ThrottlingException" in outcome.reason
    assert outcome.counts[Metric.WALK_CUT_SHORT] == 1
    world.bus = taking
    world.tick()
    assert [card["title"] for card in cards(world)] == ["Quotas: 20 changes"]
