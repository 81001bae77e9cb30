"""What people read about warm pools."""

import json
from dataclasses import replace
from datetime import UTC, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.builders import arn, at, job, price, record
from trainops.domain.cards import Card, Tone
from trainops.domain.warm_pool_cards import pool_card
from trainops.domain.warm_pool_digests import digest_card
from trainops.domain.warm_pool_events import digest_event, pool_events
from trainops.domain.warm_pool_holds import HOLD_TAG
from trainops.domain.warm_pool_settings import Mode
from trainops.domain.warm_pool_sweeps import Digest
from trainops.domain.warm_pools import News, NewsKind, Plan, PoolRecord, PoolState, opened

SCHEMA = json.loads(Path("docs/events/warm-pool.v1.schema.json").read_text())
TIMES = "\N{MULTIPLICATION SIGN}"
PLAN = Plan(
    due=at(40),
    mode=Mode.ENFORCE,
    policy="fixed",
    reason="keep 10 min of 1 h asked for: with waiting at $60.00 an hour",
    waiting_usd_per_hour=Decimal(60),
)


def pool(**fields: Any) -> PoolRecord:
    left = opened(record(job(keep_alive=timedelta(hours=1)), price=price()))
    return replace(left, **{"plan": PLAN, "look_at": at(40), **fields})


def card(key: str, kind: NewsKind, minute: float = 38, **fields: Any) -> Card:
    news = News(kind, at(minute), "its tag says so")
    return pool_card(pool(news={key: news}, **fields), key, news, at(minute), UTC)


def test_before_its_pool_is_ended_an_owner_reads_when_and_how_to_keep_it() -> None:
    said = card("Ending/x", NewsKind.ENDING, state=PoolState.WARNED)
    assert (said.title, said.tone) == ("Warm pool of resnet-1 ends 09:40 UTC", Tone.NEUTRAL)
    assert said.summary == f"Its job ended 8 min ago, and no job has taken 1 {TIMES} ml.g5.xlarge since."
    [line] = said.lines
    assert line == (
        f"To keep it: aws sagemaker add-tags --region us-east-1 --resource-arn {arn()} "
        "--tags Key=trainops:hold-until,Value=2026-03-02T10:30Z"
    )
    assert f"Why: {PLAN.reason}." in said.context
    assert ("Owner", "researcher (tag owner)") in said.facts


@pytest.mark.case("SP-18")
def test_after_it_was_ended_an_owner_reads_what_that_avoids() -> None:
    said = card("Ended", NewsKind.ENDED, 40, state=PoolState.ENDED, released=at(40), look_at=None)
    assert (said.title, said.tone) == ("Warm pool of resnet-1 was ended", Tone.GOOD)
    assert said.summary == "It was idle for 10 min of the 1 h asked for. Ending it avoids $1.17."
    assert ("Idle cost", "$0.23") in said.facts


def test_an_unknown_price_is_no_saving_of_zero() -> None:
    fields = {"state": PoolState.ENDED, "released": at(40), "look_at": None, "price": None}
    said = card("Ended", NewsKind.ENDED, 40, **fields)
    assert said.summary.endswith("what that avoids is unknown.")
    assert ("Idle cost", "unknown (no price for ml.g5.xlarge)") in said.facts


@pytest.mark.case("IA-01")
def test_a_refusal_is_told_with_the_answer_and_a_way_out() -> None:
    said = card("Refused", NewsKind.ENDED, refusal="AccessDeniedException: no")
    assert (said.title, said.tone) == ("Warm pool of resnet-1 could not be changed", Tone.BAD)
    assert said.cause == "AccessDeniedException: no"
    assert said.summary == "It stays and is billed, until about 10:30 UTC."
    assert said.lines[0].endswith("--resource-config KeepAlivePeriodInSeconds=0")


@pytest.mark.case("WP-16")
def test_a_hold_is_confirmed_and_one_that_cannot_be_read_is_a_warning() -> None:
    held = card("Held/x", NewsKind.HELD, tags={HOLD_TAG: "2026-03-02T12:00Z"})
    assert (held.title, held.tone, held.lines) == ("Warm pool of resnet-1 is held", Tone.NEUTRAL, ())
    odd = card("Held/x", NewsKind.HELD, tags={HOLD_TAG: "noon"})
    assert (odd.title, odd.tone) == ("Warm pool of resnet-1 has a hold that cannot be read", Tone.WARNING)
    assert "add-tags" in odd.lines[0]


DIGEST = Digest(
    at=at(60),
    count=77,
    idle_hours=Decimal("38.5"),
    idle_usd=Decimal("54.21"),
    without_price=2,
    top=(f"big, 8 {TIMES} ml.p4d.24xlarge, team vision: $31.00", "small: $1.00"),
    ended=3,
    refused=0,
    avoided_usd=Decimal("4.20"),
    log_group="/aws/lambda/sweep",
    arn=arn(),
)


@pytest.mark.case("OP-03")
def test_a_digest_has_totals_the_most_expensive_and_a_link_to_the_full_list() -> None:
    said = digest_card(DIGEST, at(60), UTC)
    assert said.title == "Warm pools: 77 pools idle past the limit"
    assert said.summary.startswith(
        "They have been idle for 38.5 instance-hours, which cost $54.21 (2 without a known price). "
    )
    assert said.lines[0] == f"1. big, 8 {TIMES} ml.p4d.24xlarge, team vision: $31.00"
    assert dict(said.facts) == {"Ended since the last sweep": "3", "Avoided": "$4.20"}
    [link] = said.links
    assert (link.label, "$252Faws$252Flambda$252Fsweep" in link.url) == ("Full list", True)


def test_a_digest_of_what_is_done_alone_says_what_it_avoids() -> None:
    said = digest_card(replace(DIGEST, count=0, top=()), at(60), UTC)
    assert (said.title, said.summary) == ("Warm pools: 3 pools ended", "Ending them avoids $4.20.")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"state": PoolState.ENDED, "released": at(40), "look_at": None},
        {"plan": None, "price": None, "instance_type": None, "instance_count": None},
        {"refusal": "no"},
    ],
)
def test_events_about_pools_fit_the_published_schema(fields: Any) -> None:
    news = {"Ended": News(NewsKind.ENDED, at(40), "why"), "Held/x": News(NewsKind.HELD, at(31), "why")}
    events = pool_events(pool(news=news, **fields), at(41))
    assert [event.detail_type for event in events] == ["Warm Pool Ended", "Warm Pool Held"]
    for event in events:
        jsonschema.validate(event.detail, SCHEMA)


def test_the_event_of_a_sweep_fits_the_published_schema() -> None:
    for digest in (DIGEST, replace(DIGEST, idle_hours=None, idle_usd=None, avoided_usd=None)):
        jsonschema.validate(digest_event(digest).detail, SCHEMA)


def test_an_event_never_holds_an_address() -> None:
    owned = pool(news={"Ended": News(NewsKind.ENDED, at(40), "why")})
    owned = replace(owned, owner=replace(owned.owner, name="someone@example.com"))
    [event] = pool_events(owned, at(41))
    assert "example.com" not in json.dumps(event.detail)
