"""The comparison's page, which is made of the results and of nothing else."""

from typing import Any

from bench.comparison.page import page


def results() -> dict[str, Any]:
    """What a small run might leave."""
    told = {"ends": 4, "told": 4, "told_in_a_summary": 1, "untold": [], "duplicates": 0, "jobs_with_duplicates": 0}
    told |= {"messages": {"slack": 6, "email": 6}, "messages_of_ends": 9}
    prompt = {"count": 3, "median": 1.25, "p95": 2, "worst": 2.5}
    pools = {"pools": 2, "idle_seconds": 1800, "idle_usd": "0.70", "reused": 1}
    calls = {"DescribeTrainingJob": {"allowed": 1234, "throttled": 5}}
    custodian = {
        **told,
        "late_minutes": prompt,
        "calls": calls,
        "runs": 96,
        "failed_runs": 1,
        "start_seconds": 1.5,
        "peak_mb": 95,
        "run_seconds": {"median": 2.0, "longest": 9.0},
        "pools": {**pools, "idle_usd": "1000.70"},
        "messages": {"sqs": 3},
    }
    run = {"seconds": 200.0, "peak_mb": 99.0, "problem": "", "calls": calls}
    start = {"ours_ms": {"median": 301.0}, "ours_peak_mb": 70.0}
    return {
        "measured": "2026-03-02",
        "statuses": {"Completed": 3, "Failed": 1},
        "machine": {"cores": 2, "architecture": "x", "system": "Linux", "python": "3.13", "load": 0.1},
        "jobs": {"jobs": 4, "fail": 1, "stopped": 0, "spot": 1, "keep_alive": 2, "hours": 8},
        "events": {"genuine": 20, "lost": 2, "duplicated": 4},
        "starts": {"functions": {"job_intake": start}},
        "written": {"product": 20, "product_sources": 12345, "rule": 30, "custodian": 15},
        "product": {
            **told,
            "calls": calls,
            "pools": pools,
            "prompt_seconds": prompt,
            "late_minutes": None,
            "functions": [{"handler": "job_intake", "memory_mb": 256}],
        },
        "rule": {
            **told,
            "untold": ["job-0001"],
            "told": 3,
            "calls": {},
            "prompt_seconds": prompt,
            "late_minutes": None,
        },
        "custodian": {"dated": custodian, "periodic": {**custodian, "at_the_rates": run}},
    }


def row(text: str, start: str) -> list[str]:
    """The cells of one row of the table."""
    [line] = [line for line in text.splitlines() if line.startswith(f"| {start}")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_page_is_made_of_the_results_alone() -> None:
    text = page(results())
    assert text == page(results())
    assert row(text, "Jobs told")[:2] == ["4 of 4", "3 of 4"]
    assert row(text, "Untold") == ["**0**", "**1**", "**0**", "**0**"]
    assert row(text, "SageMaker calls")[:2] == ["1,234: DescribeTrainingJob 1,234", "0"]
    assert row(text, "of them throttled") == ["5", "0", "5", "5"]
    assert row(text, "End to message")[0] == "1.25 / 2.00 / 2.50 s (3 jobs)"


def test_pools_that_nobody_ends_cost_the_rule_what_they_cost_custodian_and_money_is_an_estimate() -> None:
    text = page(results())
    assert row(text, "Idle warm pools, an estimate")[:3] == [
        "$0.70 (0.5 h of 2 pools)",
        *["$1,000.70 (0.5 h of 2 pools)"] * 2,
    ]
    assert "$1,000.00 more" in text
    assert "{" not in text
