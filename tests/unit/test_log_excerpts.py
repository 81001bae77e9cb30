"""The end of a job's log in a message: only for who wants it, masked, and the lines that count."""

import pytest

from tests.builders import at, job, record
from tests.unit.told import card
from trainops.domain.announcements import Announcement, AnnouncementState, AnnouncementType
from trainops.domain.log_excerpts import LogTail, lines_wanted, stream_to_read, with_log

FAILED = record(job(status="Failed", failure_reason="AlgorithmError: Exit Code: 139"), team="vision")
END = Announcement(AnnouncementType.FINISHED, AnnouncementState.PUBLISHED, at(30), "built")
STREAM = "resnet-1/algo-1-1732970000"


def test_only_a_failed_job_of_a_team_that_chose_so_shows_its_log() -> None:
    wants = {"vision": 20}
    start = Announcement(AnnouncementType.STARTED, AnnouncementState.PUBLISHED, at(0), "built")
    assert lines_wanted(FAILED, END, wants) == 20
    assert lines_wanted(FAILED, END, {}) == 0
    assert lines_wanted(record(job(), team="vision"), END, wants) == 0
    assert lines_wanted(FAILED, start, wants) == 0


@pytest.mark.case("NO-12")
def test_a_reason_of_an_exit_code_alone_gets_the_last_lines_of_the_log_masked() -> None:
    token = "hf_" + "a1B2" * 8
    said = with_log(card(FAILED), LogTail(STREAM, ("step 911", f"login {token}", "Segmentation fault (core dumped)")))
    assert said.log == "step 911\nlogin [masked]\nSegmentation fault (core dumped)"
    assert said.context[-1].startswith("Log: the last 3 lines of algo-1-1732970000;")


def test_a_secret_over_several_lines_is_masked_to_its_end() -> None:
    key = "-----BEGIN " + "PRIVATE KEY-----"
    said = with_log(card(FAILED), LogTail(STREAM, ("before", key, "c2VjcmV0", "-----END PRIVATE KEY-----", "after")))
    assert said.log == "before\n[masked]\nafter"


def test_colours_go_and_of_a_progress_bar_its_last_state_stays() -> None:
    said = with_log(card(FAILED), LogTail(STREAM, ("\x1b[31mError\x1b[0m", " 10%|#   |\r 50%|##  |\r100%|####|\n")))
    assert said.log == "Error\n100%|####|"


def test_why_there_are_no_lines_is_said() -> None:
    denied = with_log(card(FAILED), LogTail(None, fault="CloudWatch Logs answered AccessDeniedException"))
    assert (denied.log, denied.context[-1]) == (
        None,
        "No log lines: CloudWatch Logs answered AccessDeniedException.",
    )
    assert with_log(card(FAILED), LogTail(STREAM)).context[-1] == "No log lines: the log is empty."


@pytest.mark.parametrize(
    ("reason", "stream"),
    [
        (None, "a/algo-1-9"),
        ("Please use an instance type with more memory. algo-2 failed", "a/algo-2-9"),
        ("host algo-12", "a/algo-12-9"),
        ("host algo-7", "a/algo-1-9"),
    ],
)
def test_the_host_that_the_reason_names_is_read_else_the_first(reason: str | None, stream: str) -> None:
    assert stream_to_read(["a/algo-12-9", "a/algo-1-9", "a/algo-2-9"], reason) == stream
    assert stream_to_read([], reason) is None
