"""What a deployment writes for its teams, and what it takes away."""

import pytest

from trainops.domain.publications import Publication, changes, withdrawal

VISION = {"vision/trainops/team.json": "{}", "vision/trainops/sagemaker-config.yaml": "a: 1"}
SPEECH = {"speech/trainops/team.json": "{}", "speech/trainops/sagemaker-config.yaml": "a: 1"}
LEARNT = {f"{team}/trainops/recommendations.json": "{}" for team in ("vision", "speech")}
BOTH = Publication(kept={**VISION, **SPEECH}, begun=LEARNT)
ONE = Publication(kept=VISION, begun={"vision/trainops/recommendations.json": "{}"})


def test_everything_is_written_at_the_first_deployment_and_nothing_removed() -> None:
    decided = changes(BOTH, None)
    assert (decided.write, decided.begin, decided.remove) == (BOTH.kept, BOTH.begun, ())
    assert decided.reason == "4 documents written, 2 begun where there were none"


def test_everything_is_written_again_although_it_did_not_change() -> None:
    assert changes(BOTH, BOTH).write == BOTH.kept


def test_a_removed_teams_facts_are_removed_but_not_what_was_learnt_of_its_jobs() -> None:
    decided = changes(ONE, BOTH)
    assert decided.remove == tuple(sorted(SPEECH))
    assert "removed with their teams: speech/trainops/sagemaker-config.yaml" in decided.reason


def test_a_team_that_comes_back_is_written_and_not_removed() -> None:
    decided = changes(BOTH, ONE)
    assert decided.remove == ()
    assert set(SPEECH) <= set(decided.write)


@pytest.mark.case("CD-01")
def test_nothing_is_called_when_the_stack_is_deleted() -> None:
    decided = withdrawal()
    assert (decided.write, decided.begin, decided.remove) == ({}, {}, ())
