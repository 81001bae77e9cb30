"""Where checkpoints lie, and what else a location can mean."""

from typing import Any

import pytest

from tests.builders import at, description, job, record
from tests.unit.told import card, facts
from trainops.domain.cards import Card, Tone
from trainops.domain.checkpoints import copied, taken_along
from trainops.domain.training_jobs import from_description

ARROW = "\N{RIGHTWARDS ARROW}"


def start(**fields: Any) -> Card:
    return card(record(job(status="InProgress", **fields)), "Started", at(0))


@pytest.mark.case("CK-01")
def test_a_location_that_is_the_beginning_of_anothers_is_warned_of_at_the_start() -> None:
    said = start(checkpoint_uri="s3://b/team/exp-1")
    assert said.tone is Tone.WARNING
    assert said.title == "resnet-1 started with a checkpoint location that others can share"
    assert said.summary.endswith("also means every prefix that begins so, such as s3://b/team/exp-10/.")
    assert said.lines == ('Next: end the location with "/": s3://b/team/exp-1/.',)
    assert start(checkpoint_uri="s3://b/team/exp-1/").tone is Tone.NEUTRAL


@pytest.mark.case("CK-01")
@pytest.mark.parametrize(("uri", "shared"), [("s3://b/exp-1", True), ("s3://b", True), ("s3://b/", False)])
def test_only_a_slash_at_the_end_makes_a_location_ones_own(uri: str, shared: bool) -> None:
    assert (taken_along(uri) is not None) is shared


@pytest.mark.case("CK-04")
@pytest.mark.parametrize(
    ("configured", "shown"),
    [
        ({}, "/opt/ml/checkpoints"),
        ({"LocalPath": "/opt/ml/checkpoints/"}, "/opt/ml/checkpoints"),
        ({"LocalPath": "/opt/ml/model/saved"}, "/opt/ml/model/saved"),
    ],
)
def test_a_started_job_says_which_directory_is_copied_and_to_where(configured: dict[str, str], shown: str) -> None:
    answer = description(status="InProgress", CheckpointConfig={"S3Uri": "s3://b/team/exp-1/", **configured})
    said = card(record(from_description(answer, {})), "Started", at(0))
    assert facts(said)["Checkpoints"] == f"{shown} {ARROW} s3://b/team/exp-1/"
    assert copied(configured.get("LocalPath"), "s3://b/x/") == f"{shown} {ARROW} s3://b/x/"


@pytest.mark.case("CK-04")
def test_a_spot_job_without_a_location_shows_no_directory_as_if_it_were_copied() -> None:
    assert facts(start(spot=True))["Checkpoints"] == "none"
    assert "/opt/ml" not in str(facts(start(spot=True)))
