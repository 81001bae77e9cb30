"""Histories as the ledger's items."""

import json
from datetime import timedelta

import pytest

from tests.builders import at, price
from tests.unit.keep_alive import KEY, LONGEST, TEAM, history_of, pool, trial
from trainops.domain.keep_alive_guard import Guard
from trainops.domain.keep_alive_history import MOST_WAITING, History, KeyHistory, TeamHistory, learn
from trainops.domain.keep_alive_items import (
    guard_item,
    guard_of,
    key_history,
    key_item,
    team_history,
    team_item,
)
from trainops.domain.keep_alive_lessons import Cluster, JobEnded

LEARNED = history_of([20, 45, 700, None, 8, 3000, 5, 90, 61, 600] * 40)


def test_a_keys_history_comes_back_but_for_thousandths() -> None:
    stored = learn(LEARNED, [JobEnded(KEY, TEAM, at(1), trial(kept=12.5)), JobEnded(KEY, TEAM, at(2))], at(3), LONGEST)
    key = stored.keys[KEY]
    back = key_history(key_item(key), version=7)
    assert (back.team, back.waiting, back.last_created, back.until, back.version) == (
        TEAM, key.waiting, key.last_created, key.until, 7,
    )  # fmt: skip
    assert back.gaps.resolved == key.gaps.resolved
    assert back.gaps.all.waiting == pytest.approx(key.gaps.all.waiting, abs=0.0005)
    assert back.gaps.kinds[2].taken == pytest.approx(key.gaps.kinds[2].taken, abs=0.0005)


def test_what_came_back_is_stored_as_it_was() -> None:
    item = key_item(LEARNED.keys[KEY])
    assert key_item(key_history(item, 1)) == item
    team = team_item(LEARNED.teams[TEAM])
    assert team_item(team_history(team, 1)) == team
    guard = guard_item(Guard().with_outcome(trial(kept=33.3), 400))
    assert guard_item(guard_of(guard)) == guard


def test_items_are_whole_numbers_and_text_only() -> None:
    item = key_item(learn(LEARNED, [JobEnded(KEY, TEAM, at(1), trial())], at(2), LONGEST).keys[KEY])
    assert json.loads(json.dumps(item), parse_float=pytest.fail) == item


@pytest.mark.parametrize("cluster", [Cluster(), Cluster("ml.new.xlarge", 2), Cluster("ml.g5.xlarge", 1, price())])
def test_what_a_pool_consists_of_comes_back(cluster: Cluster) -> None:
    known = KeyHistory(TEAM, cluster=cluster, spot_saved=(0.0, 1.25))
    assert key_history(json.loads(json.dumps(key_item(known))), 0) == known


def test_an_item_from_before_clusters_were_remembered_is_read() -> None:
    item = {name: value for name, value in key_item(LEARNED.keys[KEY]).items() if name != "cluster"}
    assert key_history(item, 0).cluster == Cluster()


def test_nothing_learned_is_stored_and_read_too() -> None:
    assert key_history(key_item(KeyHistory(TEAM)), 0) == KeyHistory(TEAM)
    assert team_history(team_item(TeamHistory()), 0) == TeamHistory()
    assert team_history(team_item(TeamHistory(kinds={KEY: 9})), 0).kinds == {KEY: 9}
    assert guard_of(guard_item(Guard())) == Guard()


def test_the_largest_item_of_a_key_takes_a_few_kilobytes() -> None:
    ends = [JobEnded(KEY, TEAM, at(1) + timedelta(seconds=number), trial(kept=1234.567)) for number in range(200)]
    key = learn(LEARNED, ends, at(10), LONGEST).keys[KEY]
    assert len(key.waiting) == MOST_WAITING
    assert len(json.dumps(key_item(key))) < 8_000
    assert len(json.dumps(key_item(LEARNED.keys[KEY]))) < 2_000


def test_items_of_another_division_of_gaps_are_refused() -> None:
    item = team_item(LEARNED.teams[TEAM])
    item["gaps"]["counts"].pop()
    with pytest.raises(ValueError, match="kinds"):
        team_history(item, 1)
    assert History().keys == {}
    assert pool().team == TEAM
