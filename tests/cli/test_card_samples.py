"""The samples of cards: one of each that can be sent, made by the decisions that make the real ones."""

import re
from datetime import UTC
from pathlib import Path
from typing import get_args

import pytest

from local.page.gallery import LATER, MOMENT, plates
from local.slack_rules import refusal
from stacks.setting_types import Status
from trainops.adapters.slack_blocks import blocks, fallback_text
from trainops.domain.cards import Card, Tone
from trainops.domain.failure_classes import FailureClass
from trainops.domain.failure_rules import RUNTIME_LIMIT, SPOT_WAIT
from trainops.domain.failures import classify
from trainops.domain.quota_cards import WORDS
from trainops_cli.cards.sample_failures import REASONS
from trainops_cli.cards.samples import samples

CARDS = tuple(samples(MOMENT, UTC))
DOCUMENT = Path("docs/messages.md")


def test_every_word_that_people_choose_by_has_a_sample() -> None:
    assert {card.word for card in CARDS} == set(get_args(Status))


def test_every_tone_has_a_sample() -> None:
    assert {card.tone for card in CARDS} == set(Tone)


@pytest.mark.parametrize("name", FailureClass)
def test_every_class_of_failure_has_a_sample_that_is_read_as_that_class(name: FailureClass) -> None:
    limits = {FailureClass.RUNTIME_LIMIT: RUNTIME_LIMIT, FailureClass.SPOT_WAIT_EXCEEDED: SPOT_WAIT}
    if limit := limits.get(name):
        headline = limit.headline
    else:
        failure = classify(REASONS[name])
        assert failure.name is name
        headline = failure.headline
    assert any(headline in card.title for card in CARDS if card.word in {"Failed", "Stopped"})


@pytest.mark.parametrize("words", WORDS.values())
def test_every_state_of_a_wish_for_quota_has_a_sample(words: str) -> None:
    assert any(card.title.endswith(words) for card in CARDS if card.word == "QuotaChanged")


def test_no_sample_is_sent_twice() -> None:
    assert len({(card.title, card.summary) for card in CARDS}) == len(CARDS)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.title)
def test_a_sample_is_accepted_by_slack_and_survives_its_queue(card: Card) -> None:
    assert refusal({"text": fallback_text(card), "blocks": blocks(card)}) is None
    assert Card.from_message(card.to_message()) == card


def test_a_job_that_could_have_been_spared_a_cold_start_and_one_without_its_pool_are_among_them() -> None:
    lines = [line for card in CARDS for line in card.lines]
    assert any(line.startswith("Cold start: ") and "VolumeSizeInGB: 100" in line for line in lines)
    assert any(line.startswith("No warm pool: ") and "needed 2" in line for line in lines)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.title)
def test_a_sample_is_shown_and_named_in_the_documentation(card: Card) -> None:
    assert f"- **{card.title}** (`{card.word}`): {card.summary}" in DOCUMENT.read_text(encoding="utf-8").splitlines()


def test_every_picture_of_the_documentation_is_there_and_none_besides() -> None:
    shown = re.findall(r"\]\(pictures/messages/([\w-]+\.png)\)", DOCUMENT.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(file.name for file in Path("docs/pictures/messages").iterdir())


def test_every_card_is_in_one_picture() -> None:
    pictured = [card for plate in plates() for card in plate.cards]
    assert pictured == list(samples(MOMENT, UTC))
    assert all(plate.title != LATER for plate in plates())
