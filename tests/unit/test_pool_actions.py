"""Which messages offer something to do about a pool, and how each channel shows it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from local.slack_rules import refusal
from tests.builders import arn, at, job, price, record
from trainops.adapters.card_rendering import html, text
from trainops.adapters.slack_blocks import blocks
from trainops.domain.cards import Action, ActionName, Card, Tone
from trainops.domain.pool_actions import actions_after, actions_before_end
from trainops.domain.pool_misses import Missed, MissKind, PoolMiss
from trainops.domain.training_jobs import WarmPool
from trainops.domain.warm_pools import PoolState, opened

POOL: dict[str, Any] = {"keep_alive": timedelta(hours=1), "warm_pool": WarmPool("Available")}
KEY = f"{arn()}|2026-03-02T09:00:00Z"


def offered(**fields: Any) -> tuple[Action, ...]:
    return actions_after(record(job(**{**POOL, **fields}), price=price()), at(31))


def card(actions: tuple[Action, ...]) -> Card:
    return Card(
        key="k", job_name="resnet-1", tone=Tone.GOOD, title="resnet-1 completed", summary="Done.", actions=actions
    )


def test_a_finished_job_with_a_pool_still_billing_offers_all_three_with_the_call_that_does_the_same() -> None:
    stop, extend, hold = offered()
    assert [action.name for action in (stop, extend, hold)] == list(ActionName)
    assert {action.subject for action in (stop, extend, hold)} == {KEY}
    assert stop.command.endswith("--training-job-name resnet-1 --resource-config KeepAlivePeriodInSeconds=0")
    assert extend.command.endswith("KeepAlivePeriodInSeconds=5400"), (
        "an hour and a half from the job's end at minute 30"
    )
    assert hold.suggested == at(150)
    assert hold.command.endswith("--tags Key=trainops:hold-until,Value=2026-03-02T11:30Z")


def test_no_period_is_longer_than_the_api_takes() -> None:
    assert offered(keep_alive=timedelta(hours=6))[1].command.endswith("KeepAlivePeriodInSeconds=21600")


@pytest.mark.parametrize(
    "fields",
    [
        {"keep_alive": None, "warm_pool": None},
        {"warm_pool": WarmPool("Terminated")},
        {"warm_pool": WarmPool("Reused", reused_by="resnet-2")},
        {"spot": True},
        {"keep_alive": timedelta(seconds=30)},
        {"status": "InProgress", "ended": None},
    ],
)
def test_where_nothing_is_billed_nothing_is_offered(fields: dict[str, Any]) -> None:
    assert offered(**fields) == ()


def test_a_pool_that_was_not_kept_offers_nothing() -> None:
    miss = PoolMiss(missed=Missed.POOL, kind=MissKind.QUOTA, reason="no quota")
    assert actions_after(replace(record(job(**POOL)), pool_misses=(miss,)), at(31)) == ()


def test_a_pool_that_will_end_offers_them_until_it_has() -> None:
    pool = opened(record(job(**POOL)))
    assert len(actions_before_end(pool)) == 3
    assert actions_before_end(replace(pool, state=PoolState.ENDED)) == ()


def test_actions_travel_with_the_card_and_a_card_of_an_older_deployment_has_none() -> None:
    sent = card(offered())
    message = sent.to_message()
    assert Card.from_message(message) == sent
    del message["actions"]
    assert Card.from_message(message).actions == ()


def test_slack_shows_buttons_and_a_picker_that_say_which_pool_and_ask_before_they_end_it() -> None:
    [block] = [found for found in blocks(card(offered())) if found["type"] == "actions"]
    stop, extend, hold = block["elements"]
    assert block["block_id"] == KEY
    assert [element["action_id"] for element in (stop, extend, hold)] == ["stop", "extend", "hold"]
    assert (stop["type"], extend["type"], hold["type"]) == ("button", "button", "datetimepicker")
    assert "the next job starts cold" in stop["confirm"]["text"]["text"]
    assert hold["initial_date_time"] == int(at(150).timestamp())
    assert refusal({"blocks": blocks(card(offered())), "text": "x"}) is None
    assert all(found["type"] != "actions" for found in blocks(card(())))


def test_e_mail_shows_the_commands_and_has_no_link_that_acts() -> None:
    sent = card(offered())
    for shown in (text(sent), html(sent)):
        assert "KeepAlivePeriodInSeconds=0" in shown
        assert "Key=trainops:hold-until" in shown
        assert "lambda-url" not in shown
    assert "Stop now: aws sagemaker update-training-job" in text(sent)
    assert "Hold until: aws sagemaker add-tags" in text(sent)
    assert "href" not in html(sent)
