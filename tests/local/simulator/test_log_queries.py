"""Queries of Logs Insights over records, as its user guide describes them; no local AWS is needed."""

import json
from typing import Any

import pytest

from local.log_queries.expressions import QueryError
from local.log_queries.queries import run
from local.log_queries.records import record_of

LINES: list[Any] = [
    "START RequestId: 1",
    {"job": "a", "team": "vision", "type": "g5", "usd": 2.5, "seconds": 10, "cause": {"class": "memory"}},
    {"job": "b", "team": "vision", "type": "g4", "usd": 1, "seconds": 30, "cause": {"class": "data"}},
    {"job": "c", "team": "speech", "type": "g5", "usd": 4, "seconds": 20, "cause": {"class": "memory"}, "late": True},
    {"job": "d", "team": "speech", "type": "g5", "message": "put off: 429"},
]
RECORDS = [
    record_of(line if isinstance(line, str) else json.dumps(line), 60.0 * number, "group", "stream")
    for number, line in enumerate(LINES)
]


@pytest.mark.parametrize(
    ("condition", "jobs"),
    [
        ("ispresent(usd)", "cba"),
        ("not ispresent(usd) and ispresent(job)", "d"),
        ('team = "vision"', "ba"),
        ("team != 'vision' and ispresent(team)", "dc"),
        ("usd > 1", "ca"),
        ("usd >= 1 and seconds < 30", "ca"),
        ('type in ["g4", "g6"]', "b"),
        ('message like "429"', "d"),
        ("message like /put\\s+off/", "d"),
        ('message not like "429" and ispresent(job)', "cba"),
        ('cause.class = "memory"', "ca"),
        ("late = 1", "c"),
        ("usd * 2 - 1 = 4", "a"),
        ('@message like "START" or job = "a"', "a"),
    ],
)
def test_a_filter_lets_through(condition: str, jobs: str) -> None:
    found = run(f"filter {condition} | fields job", RECORDS)
    assert "".join(row.get("job", "") for row in found) == jobs  # the newest first


def test_stats_group_and_name_their_columns() -> None:
    query = """
        filter ispresent(usd)
        | stats count(*) as jobs, sum(usd) / 2 as half, pct(seconds, 50) as median, max(usd) by team, type
        | sort jobs desc, half desc
        | limit 2
    """
    assert run(query, RECORDS) == [
        {"team": "speech", "type": "g5", "jobs": "1", "half": "2", "median": "20", "max(usd)": "4"},
        {"team": "vision", "type": "g5", "jobs": "1", "half": "1.25", "median": "10", "max(usd)": "2.5"},
    ]
    assert run("stats count(*) as lines, count(usd) as priced", RECORDS) == [{"lines": "5", "priced": "3"}]


def test_the_text_of_a_condition_may_hold_pipes_and_words_of_the_language() -> None:
    record = record_of(json.dumps({"reason": "a | b and c = d"}), 0.0, "group", "stream")
    assert run('filter reason = "a | b and c = d" | display reason', [record]) == [{"reason": "a | b and c = d"}]


def test_moments_are_written_as_logs_insights_does() -> None:
    assert run("fields @timestamp | sort @timestamp | limit 2", RECORDS)[1] == {"@timestamp": "1970-01-01 00:01:00.000"}


def test_missing_amounts_sort_first_and_stay_missing() -> None:
    found = run("filter ispresent(job) | display job, usd + 1 as more | sort more", RECORDS)
    assert found[0] == {"job": "d"}
    assert [row["more"] for row in found[1:]] == ["2", "3.5", "5"]


@pytest.mark.parametrize("query", ["parse @message '*' as a", "filter usd >", "stats stddev(usd)", "fields bin(1h)"])
def test_what_is_not_known_is_refused(query: str) -> None:
    with pytest.raises(QueryError, match="known here"):
        run(query, RECORDS)
