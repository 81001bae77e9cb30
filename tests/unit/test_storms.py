"""Storms of failures: what is told singly, what together, and that nothing is lost or told too often."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.builders import at
from trainops.domain.cards import Card, Tone
from trainops.domain.failure_classes import FailureClass
from trainops.domain.storms import (
    SINGLES,
    WINDOW,
    Single,
    Storm,
    Verdict,
    close,
    decide,
    storm_key,
    thread_of,
    unfinished,
)

KEY = "vision/gpu_out_of_memory"


def after(*minutes: float) -> Storm:
    """The item once failures came at these minutes."""
    storm: Storm | None = None
    for number, minute in enumerate(minutes):
        storm = decide(storm, f"card-{number}", KEY, at(minute)).storm or storm
    assert storm
    return storm


def test_three_of_a_kind_are_told_singly_and_the_fourth_is_absorbed() -> None:
    verdicts, storm = [], None
    for number in range(5):
        decision = decide(storm, f"card-{number}", KEY, at(number))
        storm = decision.storm
        verdicts.append((decision.verdict, decision.look))
    assert verdicts == [(Verdict.SINGLE, False)] * 3 + [(Verdict.ABSORBED, True), (Verdict.ABSORBED, False)]
    assert storm
    assert (storm.opened, storm.due) == (at(0), at(0) + WINDOW)


def test_a_decision_says_which_number_it_was() -> None:
    assert decide(after(0, 1), "card-2", KEY, at(2)).reason == "number 3 of its kind within 10 min, 3 are told singly"
    decision = decide(after(0, 1, 2), "card-3", KEY, at(3))
    assert decision.reason == "number 4 of its kind within 10 min: told together from here on"


@pytest.mark.parametrize(("minute", "verdict"), [(9.9, Verdict.ABSORBED), (10, Verdict.SINGLE), (30, Verdict.SINGLE)])
def test_the_ten_minutes_slide(minute: float, verdict: Verdict) -> None:
    assert decide(after(0, 4, 8), "late", KEY, at(minute)).verdict is verdict


def test_a_failure_told_singly_stays_so_when_it_is_repeated() -> None:
    assert decide(after(0, 1, 2, 3), "card-1", KEY, at(5)).verdict is Verdict.SINGLE


def test_an_event_from_before_is_counted_where_time_stands() -> None:
    assert decide(after(0, 4, 8), "old", KEY, at(-60)).verdict is Verdict.ABSORBED


def test_a_window_with_more_is_summed_up_and_looked_at_again() -> None:
    decision = close(after(0, 1, 2, 3, 4), at(0), 1, 2)
    assert (decision.verdict, decision.look, decision.reason) == (Verdict.SUMMARY, True, "2 more in window 1")
    assert decision.storm
    assert (decision.storm.told, decision.storm.due) == (2, at(20))


def test_a_window_without_another_ends_it_and_the_next_failure_is_told_singly() -> None:
    told = close(after(0, 1, 2, 3), at(0), 1, 1).storm
    decision = close(told, at(0), 2, 1)
    assert (decision.verdict, decision.look) == (Verdict.ENDED, False)
    assert decision.reason == "no more for 10 min, 4 in all"
    assert decide(decision.storm, "new", KEY, at(21)).verdict is Verdict.SINGLE


def test_a_look_that_comes_again_repeats_itself_until_it_was_sent() -> None:
    told = close(after(0, 1, 2, 3), at(0), 1, 1).storm
    assert close(told, at(0), 1, 1).verdict is Verdict.SUMMARY
    assert told
    sent = replace(told, sent=1)
    assert close(sent, at(0), 1, 5).verdict is Verdict.NOTHING
    assert close(sent, at(3), 2, 5).verdict is Verdict.NOTHING, "a look at another storm"
    assert close(None, at(0), 1, 0).verdict is Verdict.NOTHING


@pytest.mark.parametrize(("minute", "window"), [(9, None), (10, 1), (500, 1)])
def test_a_window_that_is_over_is_closed_first_whoever_comes_first(minute: float, window: int | None) -> None:
    assert unfinished(after(0, 1, 2, 3), at(minute)) == window
    assert unfinished(after(0, 1, 2), at(minute)) is None


def test_what_was_decided_and_not_sent_is_finished_first_and_what_is_over_never_again() -> None:
    told = close(after(0, 1, 2, 3), at(0), 1, 1).storm
    assert told
    assert unfinished(told, at(11)) == 1
    over = close(replace(told, sent=1), at(0), 2, 1).storm
    assert over
    assert unfinished(over, at(999)) == 2
    assert unfinished(replace(over, sent=2), at(999)) is None


@pytest.mark.parametrize(("team", "key"), [("vision", KEY), (None, "default/gpu_out_of_memory")])
def test_failures_are_counted_by_team_and_class(team: str | None, key: str) -> None:
    card = Card(key="k", job_name="j", tone=Tone.BAD, title="t", summary="s", team=team)
    assert storm_key(card, FailureClass.GPU_OUT_OF_MEMORY) == key
    assert thread_of(key, at(0)) == f"storm|{key}|2026-03-02T09:00:00Z"


def test_who_was_told_singly_is_remembered_with_the_time() -> None:
    assert after(0, 1).singles == (Single("card-0", at(0)), Single("card-1", at(1)))
    assert len(after(*range(30)).singles) == SINGLES
    assert timedelta(minutes=10) == WINDOW
