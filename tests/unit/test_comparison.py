"""The comparison's pure parts: the day's jobs, and what the messages come to."""

import base64
import json
import zlib
from datetime import timedelta

import pytest

from bench.comparison.arrivals import DAY, KEEP_ALIVE, arrivals, shares
from bench.comparison.counting import Message, Step, counted, delays, spread
from bench.comparison.custodian import jobs_in, problem_of
from bench.comparison.product import message_of
from local.sagemaker.plans import Plan

STEPS = [Step(until=1000 + 60 * number, began=number) for number in range(1, 31)]
"""A simulated minute each, a real second apart."""


def test_the_same_day_comes_every_time_and_another_seed_is_another_day() -> None:
    assert arrivals(40) == arrivals(40)
    assert arrivals(40) != arrivals(40, seed=1)


def test_the_day_has_as_many_jobs_as_are_asked_for_in_order_and_under_names_of_their_own() -> None:
    jobs = arrivals(500)
    assert len({job.name for job in jobs}) == 500
    assert [job.at for job in jobs] == sorted(job.at for job in jobs)
    assert all(timedelta(0) <= job.at <= DAY + timedelta(minutes=2) for job in jobs)
    assert all(Plan.from_json(job.plan) for job in jobs)


def test_spot_keeps_no_pool_and_nobody_stops_a_job_that_has_ended() -> None:
    jobs = arrivals(500)
    assert {job.keep_alive for job in jobs if job.spot} == {0}
    assert {job.keep_alive for job in jobs} == {0, KEEP_ALIVE}
    for job in jobs:
        if job.stop_after:
            assert job.plan.get("outcome") != "Failed"
            assert job.stop_after < timedelta(seconds=150 + job.plan["training_seconds"])


def test_the_shares_are_realistic_ones() -> None:
    found = shares(arrivals(1000))
    assert found["jobs"] == 1000
    assert 0.08 < found["fail"] / 1000 < 0.25
    assert 0.02 < found["stopped"] / 1000 < 0.1
    assert 0.15 < found["spot"] / 1000 < 0.5
    assert 0.3 < found["keep_alive"] / 1000 < 0.7


def test_a_job_is_told_only_when_every_channel_told_it() -> None:
    messages = [Message("slack", 1, ("a",)), Message("email", 1, ("a",)), Message("slack", 1, ("b",))]
    found = counted(["a", "b"], messages, ("slack", "email"))
    assert (found["told"], found["untold"]) == (1, ["b"])
    assert counted(["a", "b"], messages, ("slack",))["untold"] == []


def test_a_repeated_message_is_a_duplicate_in_its_own_channel_alone() -> None:
    messages = [Message("slack", 1, ("a",)), Message("email", 1, ("a",)), Message("slack", 2, ("a", "b"))]
    found = counted(["a", "b"], messages, ("slack",))
    assert (found["duplicates"], found["jobs_with_duplicates"]) == (1, 1)
    assert found["messages"] == {"email": 1, "slack": 2}


def test_a_summary_tells_its_jobs_and_repeats_none() -> None:
    messages = [Message("slack", 1, ("a",)), *[Message("slack", at, ("a", "b"), summary=True) for at in (2, 3)]]
    found = counted(["a", "b", "c"], messages, ("slack",))
    assert (found["told"], found["told_in_a_summary"], found["duplicates"]) == (2, 1, 0)
    assert found["untold"] == ["c"]


def test_a_message_about_no_end_counts_only_as_a_message() -> None:
    found = counted(["a"], [Message("slack", 1, ())], ("slack",))
    assert (found["untold"], found["messages"], found["messages_of_ends"]) == (["a"], {"slack": 1}, 0)


def test_what_an_event_brings_takes_real_seconds_and_the_rest_simulated_ones() -> None:
    ends = {"in-step": 1055, "next-step": 1055, "late": 1055}
    messages = [Message("x", 1.25, ("in-step",)), Message("x", 2.5, ("next-step",)), Message("x", 16.5, ("late",))]
    found = delays(ends, messages, STEPS)
    assert found.prompt == [0.25, 0.5]
    assert found.late == [1000 + 60 * 16 - 1055]


def test_the_first_message_counts_and_a_job_of_another_day_does_not() -> None:
    found = delays({"a": 1055}, [Message("x", 3.5, ("a",)), Message("x", 1.5, ("a", "other"))], STEPS)
    assert (found.prompt, found.late) == ([0.5], [])


def test_the_spread_is_by_nearest_rank_and_nothing_has_none() -> None:
    assert spread([]) is None
    assert spread(list(range(1, 101))) == {"count": 100, "median": 50, "p95": 95, "worst": 100}
    assert spread([3.0]) == {"count": 1, "median": 3, "p95": 3, "worst": 3}


@pytest.mark.parametrize(
    ("text", "jobs", "summary"),
    [
        ("job-0001 failed: out of memory\nlike job-0002", ("job-0001",), False),
        ("x job-0001 stopped: hit max runtime \N{EN DASH} job-0002 failed too", ("job-0001",), False),
        ("Warm pool of job-0001 was ended \N{EN DASH} idle for 5 min", (), False),
        ("job-0001 started on spot without checkpoints", (), False),
        ("Weekly report\njob-0001", (), False),
        (
            "7 failures alike of team vision: script error \N{EN DASH} Since 9:00\njob-0003 failed",
            ("job-0003", "job-0004"),
            True,
        ),
        ("Failures of team vision have ended: script error", ("job-0003", "job-0004"), True),
        ("Failures of team speech have ended: script error", ("job-0005",), True),
    ],
)
def test_a_message_tells_the_job_of_its_headline_and_a_summary_all_that_it_absorbed(
    text: str, jobs: tuple[str, ...], summary: bool
) -> None:
    vision = ("vision", "script_error")
    absorbed = {"job-0003": vision, "job-0004": vision, "job-0005": ("speech", "script_error")}
    assert message_of("slack", 1, text, absorbed) == Message("slack", 1, jobs, summary=summary)


def test_every_resource_of_a_notice_is_read() -> None:
    notice = {"policy": {"name": "x"}, "resources": [{"TrainingJobName": "job-0001"}, {"TrainingJobName": "job-0002"}]}
    body = base64.b64encode(zlib.compress(json.dumps(notice).encode())).decode()
    assert jobs_in(body) == ("job-0001", "job-0002")


def test_a_run_with_an_error_in_its_log_failed_and_says_why() -> None:
    assert problem_of(0, "custodian.policy:INFO count:3") == ""
    assert (
        problem_of(2, "INFO start\nThrottlingException: Rate exceeded\n  at x") == "ThrottlingException: Rate exceeded"
    )
    assert problem_of(2, "") == "exit status 2"
