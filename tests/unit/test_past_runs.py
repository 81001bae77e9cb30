"""What earlier runs of a series tell about a new one."""

from datetime import timedelta

import pytest

from tests.builders import arn, at, job, record
from tests.unit.told import card
from trainops.domain.past_runs import PastRun, UsualRuntime, likeness, past_run, same_failure, usual_runtime
from trainops.domain.run_names import base_name
from trainops.domain.training_jobs import JobKey, TrainingJob

DAY = timedelta(days=1)
REASON = "AlgorithmError: ExecuteUserScriptError: ExitCode 1 ErrorMessage \"KeyError: 'label' at step {}\""


def failed(name: str, reason: str, days_ago: int = 0) -> TrainingJob:
    """A run that failed so many days before the present one."""
    created = at(0) - days_ago * DAY
    return job(
        name,
        "Failed",
        key=JobKey.of(arn(name), created),
        failure_reason=reason,
        ended=created + timedelta(minutes=30),
    )


def runs(*jobs: TrainingJob) -> list[PastRun]:
    return [past_run(one, at(0)) for one in jobs]


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("resnet-2026-03-02-09-00-00-123", "resnet"),
        ("resnet-2026-03-02T09-00-00", "resnet"),
        ("resnet-20260302090000", "resnet"),
        ("resnet-1732970000", "resnet"),
        ("resnet-0f8fad5b-d9cb-469f-a165-70867728950e", "resnet"),
        ("pipelines-abc123def456-Train-a1B2c3D4e5", "train"),
        ("resnet-7", "resnet"),
        ("resnet-run12", "resnet"),
        ("resnet-50-2026-03-02-09-00-00-123", "resnet-50"),
        ("llama-finetune", "llama-finetune"),
        ("2026", "2026"),
    ],
)
def test_what_makes_a_name_unique_is_taken_off(name: str, base: str) -> None:
    assert base_name(name) == base


def test_a_failure_like_yesterdays_is_said_with_that_run() -> None:
    today = failed("resnet-2", REASON.format(912))
    before = runs(failed("resnet-1", REASON.format(17), days_ago=1))
    same = same_failure(past_run(today, at(30)), before)
    said = card(record(today, same_failure=same))
    assert "The same failure as of resnet-1 (yesterday 09:30 UTC)." in said.lines


@pytest.mark.parametrize(
    "before",
    [
        failed("resnet-1", "AlgorithmError: KeyError: 'other'", days_ago=1),
        failed("resnet-1", REASON.format(17), days_ago=8),
        job("resnet-1", "Completed"),
    ],
)
def test_another_failure_an_old_one_or_a_success_is_not_the_same(before: TrainingJob) -> None:
    today = failed("resnet-2", REASON.format(912))
    assert same_failure(past_run(today, at(30)), runs(before, failed("resnet-0", REASON.format(1), days_ago=2))) is None
    assert not any("same failure" in line for line in card(record(today)).lines)


def test_failures_in_a_row_are_counted_up_to_the_first_other_end() -> None:
    today = failed("resnet-4", REASON.format(1))
    alike = [failed(f"resnet-{3 - days}", REASON.format(days), days_ago=days) for days in (1, 2)]
    same = same_failure(past_run(today, at(30)), runs(*alike, job("resnet-0"), failed("resnet-9", REASON.format(3), 3)))
    assert same is not None
    assert (same.name, same.times) == ("resnet-2", 3)
    assert any(line.endswith("the 3rd time in a row.") for line in card(record(today, same_failure=same)).lines)


def test_a_failure_is_remembered_by_a_digest_without_its_text_its_numbers_and_its_name() -> None:
    one, other = (likeness(failed(name, f"{name}: no label at 0x7f3a in step {name[-1]}")) for name in ("a-1", "a-2"))
    assert one is not None
    assert one == other
    assert "label" not in str(past_run(failed("a-1", "label"), at(0)))
    assert likeness(job()) is None


def completed(minutes: int, fingerprint: str | None = "f") -> PastRun:
    return past_run(job(training_time=timedelta(minutes=minutes), match_fingerprint=fingerprint), at(0))


def test_the_usual_training_time_is_the_median_of_enough_runs_on_the_same_machines() -> None:
    started = job("resnet-2", "InProgress", match_fingerprint="f")
    known = [completed(60), completed(10, "other"), completed(90), completed(300)]
    usual = usual_runtime(started, known)
    assert usual == UsualRuntime(series="resnet", trained=timedelta(minutes=90), runs=3)
    assert usual_runtime(started, known[:3]) is None
    assert usual_runtime(job(match_fingerprint=None), [completed(60, None)] * 3) is None
