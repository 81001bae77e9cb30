"""A story that is badly written is refused with file, line, field, what was given and what is accepted."""

import re
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from local.__main__ import app
from local.control import PlanFields
from local.sagemaker.failures import KINDS
from local.stories.jobs import Failure, Plan
from local.stories.loading import load
from local.stories.source import StoryError

GOOD = """\
story: Two jobs.
quotas:
  ml.g5.xlarge: {training: 2, warm_pool: 1}
people:
  vision-oncall:
    tags: {team: vision}
day:
  - at: PT0S
    create: &job {job: job-1, by: vision-oncall, type: ml.g5.xlarge, plan: {training: PT5M}}
  - at: PT10M
    create:
      <<: *job
      job: job-2
expect:
  - {at: PT15M, job: job-1, status: Completed}
finally:
  - {job: job-2, status: Completed}
ends: PT1H
"""
DURATION = "an ISO-8601 duration such as PT10M, PT1H30M or P1D"


def faults(tmp_path: Path, text: str) -> list[str]:
    """What is wrong with a story, with a short name of the file."""
    file = tmp_path / "day.yaml"
    file.write_text(text)
    with pytest.raises(StoryError) as refused:
        load(file)
    return str(refused.value).replace(str(file), "day.yaml").splitlines()


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, f"{old!r} is not a place of the story"
    return GOOD.replace(old, new)


def test_a_good_story_is_loaded_with_its_merged_job(tmp_path: Path) -> None:
    file = tmp_path / "day.yaml"
    file.write_text(GOOD)
    first, second = load(file).story.day
    assert first.create
    assert second.create
    assert (second.create.job, second.create.plan) == ("job-2", Plan(training=timedelta(minutes=5)))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("    tags: {team", "    tagz: {team", "6: people.vision-oncall.tagz: unknown key; accepted here: role, tags"),
        ("ends: PT1H", "ends: 3600", f'18: ends: given "3600"; accepted: {DURATION}'),
        ("at: PT10M", "at: 10 min", f'10: day[1].at: given "10 min"; accepted: {DURATION}'),
        ("type: ml.g5.xlarge, plan", "type: g5, plan", '9: day[0].create.type: given "g5"; accepted: an instance type'),
        ("training: PT5M", "training: 300", f'9: day[0].create.plan.training: given "300"; accepted: {DURATION}'),
        ("{training: 2,", "{training: two,", '3: quotas.ml.g5.xlarge.training: given "two"; accepted: a whole number'),
        ("{training: 2,", "{training: -2,", 'training: given "-2"; accepted: a number, 0 or more'),
        ("  ml.g5.xlarge:", "  ml.g5.large:", "2: quotas: there is no quota 'ml.g5.large for training job usage'"),
        ("status: Completed}\nfinally", "status: completed}\nfinally", "(did you mean Completed?)"),
        ("  vision-oncall:\n", "  vision:\n", "5: people.vision: given a mapping; accepted: a handle with a hyphen"),
        ("by: vision-oncall", "by: data-oncall", "9: day[0].create.by: nobody is called data-oncall; people: vision"),
        ("expect:\n", "  - at: PT11M\n    create: {<<: *job, job: job-1}\nexpect:\n", "15: day[2].create.job: there"),
        ("job: job-2, status", "job: job-3, status", "17: finally[0].job: no job job-3 was created before PT1H"),
        ("at: PT15M, job: job-1", "at: PT5M, job: job-2", "15: expect[0].job: no job job-2 was created before PT5M"),
        ("at: PT0S", "at: PT11M", "10: day[1].at: PT10M is before the entry above, which is at PT11M"),
        ("ends: PT1H", "ends: PT1M", "18: ends: PT1M is before the last entry, which is at PT15M"),
        ("at: PT15M, job: job-1, status", "at: PT15M, status", "15: expect[0]: needs `job` beside status"),
        (", status: Completed}\nends", "}\nends", "17: finally[0]: expects nothing; add one of status"),
        ("  - at: PT0S\n", "  - at: PT0S\n    stop: job-1\n", "8: day[0]: needs exactly one action; accepted: quotas"),
        ("  - at: PT10M\n", "  - {at: PT1M, stop: job-2}\n  - at: PT10M\n", "10: day[1].stop: there is no job job-2"),
        ("  - at: PT10M\n", "  -\n", "11: day[1]: needs `at`"),
        ("story: Two jobs.\n", "story: Two jobs.\nstory: Three.\n", "2: story: this key is already given in line 1"),
        ("story: Two jobs.", "story: [Two", "2: not YAML"),
        ("ends: PT1H", "switches: {pool_pick: best}", "18: switches: pool_pick must be one of"),
        ("story: Two jobs.\n", "switches: {pool_pick: fifo}\n", "1: needs `story`"),
        ("ends: PT1H", "limits: maybe", '18: limits: given "maybe"; accepted: on or off'),
        ("{job: job-2, status: Completed}", "job-2", '17: finally[0]: given "job-2"; accepted: a mapping with job'),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line_and_field(tmp_path: Path, old: str, new: str, fault: str) -> None:
    [line] = faults(tmp_path, changed(old, new))
    assert line.startswith("day.yaml:")
    assert fault in line


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    text = changed("ends: PT1H", "ends: soon").replace("status: Completed}", "state: Completed}")
    assert [line.split(":")[1] for line in faults(tmp_path, text)] == ["15", "17", "18"]


def test_a_fault_in_a_merged_job_is_told_where_it_is_written(tmp_path: Path) -> None:
    text = changed("training: PT5M", "training: long").replace(
        "job: job-2\nexpect", "job: job-2\n      spot: no idea\nexpect"
    )
    first, second = faults(tmp_path, text)
    assert first.startswith("day.yaml:9: day[0].create.plan.training")
    assert second.startswith("day.yaml:14: day[1].create.spot")


def test_an_empty_day_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    assert faults(tmp_path, "story: Nothing.\npeople: {a-b: {}}\nday: []\n") == [
        "day.yaml:3: day: given a list; accepted: a list with at least one entry"
    ]
    [line] = faults(tmp_path, "")
    assert line.startswith("day.yaml:1: given nothing; accepted: a mapping with quotas, limits")


def test_a_plan_has_the_fields_of_the_simulators_plan() -> None:
    durations = {"starting", "downloading", "training", "uploading", "interrupted", "stopping", "billable",
                 "capacity_wait", "warm_starting", "spot_wait_mean", "pool_patched_after",
                 "pool_ends_after"}  # fmt: skip
    every = Plan.model_validate(dict.fromkeys(durations, "PT1S"))
    spelled = {*every.fields(), *(set(Plan.model_fields) - durations - {"reason"}), "failure_reason", "outcome"}
    assert spelled == set(PlanFields.__annotations__)
    assert get_args(Failure) == KINDS


def test_the_example_of_the_description_is_well_written(tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    [example] = re.findall(r"```yaml\n(.*?)```", Path("local/stories/README.md").read_text(), re.DOTALL)
    file.write_text(example)
    assert len(load(file).steps) == 5


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        (GOOD, 0, "well written"),
        (GOOD.replace("PT1H", "an hour"), 2, "18: ends"),
        (None, 2, "cannot be read"),
    ],
)
def test_the_command_checks_without_playing(tmp_path: Path, text: str | None, status: int, says: str) -> None:
    file = tmp_path / "day.yaml"
    if text is not None:
        file.write_text(text)
    result = CliRunner().invoke(app, ["story", "--check", str(file)])
    assert result.exit_code == status
    assert says in result.output


@pytest.mark.parametrize(("expected", "status"), [("Completed", 0), ("Failed", 1)])
def test_the_commands_exit_status_is_the_verdict(tmp_path: Path, expected: str, status: int) -> None:
    file = tmp_path / "day.yaml"
    file.write_text(GOOD.replace("{job: job-2, status: Completed}", f"{{job: job-2, status: {expected}}}"))
    result = CliRunner().invoke(app, ["story", str(file)])
    assert result.exit_code == status
    assert ("not met" in result.output) is bool(status)
