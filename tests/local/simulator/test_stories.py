"""Every story that does without the product is played on the simulator alone; failed expectations are told in full."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from local.account import CONFIG
from local.demo import STORY as DEMO
from local.sagemaker.switches import OTHER_POSITIONS
from local.stories.bare import START, BareWorld
from local.stories.loading import load
from local.stories.running import StoryFailed, needs, play
from local.stories.source import StoryError
from stacks.settings_file import load_settings

STORIES = sorted(Path("local/stories").glob("*.yaml"))
BARE = [file for file in STORIES if not any(needs(load(file)))]

RUN = """
story: One job.
quotas: {ml.g5.xlarge: {training: 1}}
people: {vision-oncall: {}}
day:
  - at: PT1M
    create: {job: job-1, by: vision-oncall, type: ml.g5.xlarge}
"""  # ends after 120 + 30 + 600 + 20 s


def played(tmp_path: Path, more: str) -> list[str]:
    """Play one job's story with these expectations; the lines of those that are not met."""
    file = tmp_path / "short.yaml"
    file.write_text(RUN.lstrip() + more)
    try:
        play(load(file), BareWorld())
    except StoryFailed as failure:
        head, *lines = str(failure).splitlines()
        assert head == f"{len(lines)} expectation{'s' * (len(lines) > 1)} of short not met:"
        return [line.replace(str(file), "short.yaml") for line in lines]
    return []


@pytest.mark.parametrize("switches", [{}, OTHER_POSITIONS], ids=["likelier", "other"])
@pytest.mark.parametrize("file", BARE, ids=lambda file: file.stem)
def test_a_story_without_the_product_holds_whichever_way_the_unverified_is(
    file: Path, switches: dict[str, Any]
) -> None:
    world = BareWorld()
    world.switch(switches)
    play(load(file), world)


def test_there_are_stories_of_both_kinds() -> None:
    assert {"sharing", "spot_day", "quota_zero"} <= {file.stem for file in BARE} < {file.stem for file in STORIES}


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            "finally:\n  - {job: job-1, status: Failed}\nends: PT20M\n",
            "short.yaml:8: finally[0].status: job-1 at PT20M: expected Failed, found Completed",
        ),
        (
            "expect:\n  - {at: PT5M, job: job-1, pool: {status: none}, interruptions: {at_least: 1}}\n",
            "short.yaml:8: expect[0].interruptions: job-1 at PT5M: expected at least 1, found 0",
        ),
        (
            "finally:\n  - {job: job-1, billable: PT5M}\n",
            "short.yaml:8: finally[0].billable: job-1 at PT1M: expected PT5M, found unknown",
        ),
        (
            "finally:\n  - {job: job-1, training: {at_most: PT5M}}\nends: PT20M\n",
            "short.yaml:8: finally[0].training: job-1 at PT20M: expected at most PT5M, found PT10M50S",
        ),
        (
            "finally:\n  - {job: job-1, failure: disk}\nends: PT20M\n",
            "short.yaml:8: finally[0].failure: job-1 at PT20M: expected a reason with 'disk', found 'no FailureReason'",
        ),
        (
            "finally:\n  - {job: job-1, billable: unknown}\nends: PT20M\n",
            "short.yaml:8: finally[0].billable: job-1 at PT20M: expected unknown, found PT10M50S",
        ),
        (
            "finally:\n  - {job: job-1, pool: Available}\nends: PT20M\n",
            "short.yaml:8: finally[0].pool: job-1 at PT20M: expected Available, found none",
        ),
        (
            "finally:\n  - {job: job-1, events: 5, status: none}\nends: PT20M\n",
            "short.yaml:8: finally[0].status: job-1 at PT20M: expected none, found Completed",
        ),
        (
            "finally:\n  - rates: {CreateTrainingJob: {allowed: 2}}\n",
            "short.yaml:8: finally[0].rates.CreateTrainingJob.allowed: at PT1M: expected 2, found 1",
        ),
        (
            "finally:\n  - delivery: {lost: 1}\n",
            "short.yaml:8: finally[0].delivery.lost: at PT1M: expected 1, found 0",
        ),
        (
            "  - {at: PT2M, stop: job-1, refused: ValidationException}\n",
            "short.yaml:7: day[1].refused: job-1 at PT2M: expected ValidationException, found accepted",
        ),
    ],
)
def test_what_is_not_met_is_told_with_its_line(tmp_path: Path, more: str, line: str) -> None:
    assert played(tmp_path, more) == [line]


def test_a_refusal_that_nobody_expected_is_told_and_the_day_goes_on(tmp_path: Path) -> None:
    more = "  - {at: PT2M, create: {job: job-2, by: vision-oncall, type: ml.g5.2xlarge}}\n"
    refusal, later = played(tmp_path, f"{more}finally:\n  - {{job: job-1, status: Failed}}\nends: PT20M\n")
    assert refusal.startswith("short.yaml:7: day[1]: job-2 at PT2M: expected accepted, found ResourceLimitExceeded:")
    assert "finally[0].status: job-1" in later


def test_of_a_pattern_every_job_is_checked(tmp_path: Path) -> None:
    more = (
        "  - at: PT20M\n"
        "    create_many: {jobs: 'late-{n}', number: 2, every: PT15M, by: vision-oncall, type: ml.g5.xlarge}\n"
        "finally:\n  - {job: '*', status: Completed}\nends: PT36M\n"
    )
    [line] = played(tmp_path, more)
    assert "late-2 at PT36M: expected Completed, found InProgress" in line


def test_what_is_watched_is_told_in_the_order_of_time() -> None:
    told: list[tuple[datetime, str, str]] = []
    play(load(Path("local/stories/sharing.yaml")), BareWorld(), lambda *news: told.append(news))
    assert [moment for moment, _, _ in told] == sorted(moment for moment, _, _ in told)
    assert told[:2] == [
        (START, "share-first", "created by vision-oncall: 1 ml.g5.4xlarge, keep-alive PT30M"),
        (START, "share-first", "InProgress/Starting"),
    ]


def test_a_story_about_messages_is_refused_without_the_product(tmp_path: Path) -> None:
    file = tmp_path / "told.yaml"
    day = "  - {at: PT2M, run: reconciler}\n  - {at: PT2M, mode: {vision: observe}}\n"
    file.write_text(RUN.lstrip() + day + "finally:\n  - {job: job-1, messages: 1}\n")
    with pytest.raises(StoryError) as refused:
        play(load(file), BareWorld())
    assert str(refused.value).splitlines() == [
        f"{file}:7: day[1].run: needs the deployed product: play it on a laptop",
        f"{file}:8: day[2].mode: needs the deployed product: play it on a laptop",
        f"{file}:10: finally[0].messages: needs the deployed product: play it on a laptop",
    ]


def test_the_demonstration_deploys_the_statuses_that_its_story_tells() -> None:
    assert load(DEMO).story.tells == load_settings(CONFIG).notifications.statuses
