"""What a job's transitions tell: when it first trained, what interruptions took, how its data comes in."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from tests.builders import at
from trainops.domain.job_phases import input_mode_of, phases_of


def transitions(*steps: tuple[str, float]) -> list[dict[str, Any]]:
    """Statuses with the minute in which each began, as DescribeTrainingJob lists them."""
    listed: list[dict[str, Any]] = [{"Status": status, "StartTime": at(minute)} for status, minute in steps]
    for item, following in pairwise(listed):
        item["EndTime"] = following["StartTime"]
    return listed


def test_a_start_is_measured_to_the_first_training() -> None:
    phases = phases_of(transitions(("Starting", 0), ("Downloading", 2), ("Training", 3), ("Uploading", 20)), at(21))
    assert phases is not None
    assert (phases.training_began, phases.interrupted, phases.waited) == (at(3), timedelta(0), timedelta(minutes=2))


def test_interruptions_last_until_it_trains_again_or_ends() -> None:
    steps = [("Starting", 0), ("Training", 3), ("Interrupted", 10), ("Starting", 11), ("Downloading", 30)]
    steps += [("Training", 31), ("Interrupted", 40), ("Starting", 41), ("Stopping", 60)]
    phases = phases_of(transitions(*steps), at(61))
    assert phases is not None
    assert phases.interrupted == timedelta(minutes=(31 - 10) + (61 - 40))
    assert phases.waited == timedelta(minutes=3 + (30 - 11) + (60 - 41))
    assert phases.training_began == at(3), "the first training, not the last"


def test_a_job_that_never_trained_has_no_start() -> None:
    phases = phases_of(transitions(("Starting", 0), ("Stopping", 60)), at(61))
    assert phases is not None
    assert phases.training_began is None


def test_nothing_is_known_without_transitions() -> None:
    assert phases_of([], at(30)) is None
    assert phases_of([{"Status": "Training"}], at(30)) is None


FILE = {"AlgorithmSpecification": {"TrainingInputMode": "File"}}
LUSTRE = {"DataSource": {"FileSystemDataSource": {"FileSystemType": "FSxLustre"}}}


@pytest.mark.parametrize(
    ("answer", "mode"),
    [
        (FILE, "File"),
        ({**FILE, "InputDataConfig": [{"InputMode": "FastFile"}]}, "FastFile"),
        (
            {**FILE, "InputDataConfig": [{"DataSource": {"S3DataSource": {}}}, {"InputMode": "FastFile"}]},
            "FastFile+File",
        ),
        ({**FILE, "InputDataConfig": [LUSTRE]}, "FSx"),
        ({}, None),
    ],
)
def test_the_input_mode_is_the_channels_own_before_the_jobs(answer: dict[str, Any], mode: str | None) -> None:
    assert input_mode_of(answer) == mode
