"""The sweep publishes what it has learned to the team, and only what has changed."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.handlers.pool_world import PoolWorld, world
from tests.local.simulator.bench import START
from trainops.domain.keep_alive_history import History
from trainops.domain.keep_alive_lessons import Cluster, JobCreated, JobEnded

NAME = "vision/trainops/recommendations.json"
LIKE = "0123456789abcdef"


def taught(w: PoolWorld, team: str = "vision", gaps: int = 20) -> PoolWorld:
    """Notes of jobs that followed each other after 200 seconds."""
    cluster = Cluster("ml.g5.xlarge", 1, w.price)
    for number in range(gaps):
        ended = START - timedelta(days=3) + number * timedelta(hours=1)
        w.histories.add_lesson(JobEnded(LIKE, team, ended, None, cluster), f"one-{number}")
        w.histories.add_lesson(JobCreated(LIKE, team, ended + timedelta(seconds=200)), f"two-{number}")
    return w


def published(w: PoolWorld) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(w.documents.texts[NAME])
    return document


def test_what_was_learned_is_recommended_with_its_reason() -> None:
    w = taught(world())
    outcome = w.tick()
    found = published(w)
    assert found["by_fingerprint"][LIKE]["seconds"] == 300
    assert "after 20 gaps of this kind of pool" in found["by_fingerprint"][LIKE]["reason"]
    assert found["generated_at"] == w.now.isoformat().replace("+00:00", "Z")
    assert outcome.reason.endswith("learned from 40 notes, recommended anew to vision")


def test_nothing_is_written_while_nothing_new_was_learned() -> None:
    w = taught(world())
    w.tick()
    w.pass_time(minutes=15)
    w.tick()
    assert w.documents.puts == 1
    w.histories.until = None  # the same notes once more, as after a crash
    w.tick()
    assert w.documents.puts == 1


def test_what_a_crash_left_unpublished_is_published_by_the_next_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    w = taught(world())
    with monkeypatch.context() as crash:
        crash.setattr(w.documents, "put", _broken)
        with pytest.raises(OSError, match="gone"):
            w.tick()
    assert w.histories.known != History()
    w.pass_time(minutes=15)
    w.tick()
    assert published(w)["by_fingerprint"][LIKE]["seconds"] == 300


def test_only_teams_of_the_deployment_have_a_document() -> None:
    w = world()
    w.settings.known = {"vision"}
    taught(w, team="../secrets")
    w.tick()
    assert w.documents.texts == {}


def test_a_team_whose_settings_cannot_be_read_keeps_its_document() -> None:
    w = taught(world())
    w.settings.missing = {"vision"}
    w.tick()
    assert w.documents.texts == {}


def test_a_limit_that_was_lowered_lowers_what_is_recommended() -> None:
    w = taught(world())
    w.settings.chosen = replace(w.settings.chosen, longest_keep_alive=timedelta(minutes=2))
    w.tick()
    assert published(w)["by_fingerprint"][LIKE]["seconds"] <= 120


def _broken(*_: Any) -> None:
    raise OSError("the bucket is gone")


def test_a_kind_of_pool_that_two_teams_share_teaches_both_again_and_again() -> None:
    w = taught(world(), "speech")
    w.tick()
    cluster = Cluster("ml.g5.xlarge", 1, w.price)
    for number in range(2):
        w.histories.add_lesson(JobEnded(LIKE, "vision", w.now, None, cluster), f"three-{number}")
        w.pass_time(minutes=20)
        w.histories.add_lesson(JobCreated(LIKE, "vision", w.now), f"four-{number}")
        w.pass_time(minutes=30)
        assert "learned from" in w.tick().reason
