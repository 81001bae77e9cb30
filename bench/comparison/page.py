"""docs/comparison.md, made of the results of the comparison and of nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bench.comparison.words import HEAD, LIMITS, METHOD, NOT_AT_ALL, OTHERS
from bench.report import table, where

Found = Mapping[str, Any]
COLUMNS = ("", "This project", "Bare rule", "Custodian, by date", "Custodian, all jobs")
NONE = "\N{EN DASH}"


def page(found: Found) -> str:
    """The whole page."""
    facts = _facts(found)
    parts = [
        HEAD.format(**facts),
        where(found),
        found.get("remark", ""),
        table(COLUMNS, list(_rows(found)), left=range(len(COLUMNS))),
    ]
    parts += [text.format(**facts) for text in (METHOD, OTHERS, NOT_AT_ALL, LIMITS)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(found: Found) -> Iterator[Sequence[str]]:
    ours, rule = found["product"], found["rule"]
    dated, periodic = (found["custodian"][policy] for policy in ("dated", "periodic"))
    every = (ours, rule, dated, periodic)
    yield ["Jobs told, of those that ended", *(f"{one['told']:,} of {one['ends']:,}" for one in every)]
    yield ["Untold", *(f"**{len(one['untold'])}**" for one in every)]
    yield ["Told in a summary only", f"{ours['told_in_a_summary']}", NONE, NONE, NONE]
    yield ["Duplicates (jobs told more than once)", *(_duplicates(one) for one in every)]
    yield ["Messages in all", *(_messages(one) for one in every)]
    yield ["End to message: median / P95 / worst", _prompt(ours), _prompt(rule), _late(dated), _late(periodic)]
    yield ["The same for what no event brought", _late(ours), "never", NONE, NONE]
    yield ["SageMaker calls", *(_calls(one["calls"]) for one in every)]
    yield ["of them throttled", *(_throttled(one["calls"]) for one in every)]
    yield ["Runs that failed", NONE, NONE, *(f"{one['failed_runs']} of {one['runs']}" for one in (dated, periodic))]
    yield ["Start and memory", _starts(found["starts"]), "no function", _process(dated), _process(periodic)]
    pools = (ours["pools"], dated["pools"], dated["pools"], periodic["pools"])
    yield ["Idle warm pools, an estimate", *(_pools(one) for one in pools)]
    yield ["Warm starts", *(str(one["reused"]) for one in pools)]
    written = found["written"]
    own = f"{written['product']} of settings; {written['product_sources']:,} of Python come with it"
    yield ["Lines", own, str(written["rule"]), str(written["custodian"]), str(written["custodian"])]


def _duplicates(one: Found) -> str:
    return f"{one['duplicates']} ({one['jobs_with_duplicates']})"


def _messages(one: Found) -> str:
    each = ", ".join(f"{NAMES[channel]} {count:,}" for channel, count in one["messages"].items())
    return f"{each}; {one['messages_of_ends']:,} tell ends"


def _prompt(one: Found) -> str:
    return _spread(one["prompt_seconds"], "s")


def _late(one: Found) -> str:
    return _spread(one["late_minutes"], "simulated min")


def _spread(spread: Found | None, unit: str) -> str:
    if spread is None:
        return NONE
    digits = ".2f" if unit == "s" else ".1f"
    figures = " / ".join(format(spread[name], digits) for name in ("median", "p95", "worst"))
    return f"{figures} {unit} ({spread['count']} jobs)"


def _calls(calls: Found) -> str:
    if not calls:
        return "0"
    each = sorted(((entry["allowed"], name) for name, entry in calls.items()), reverse=True)
    return f"{sum(count for count, _ in each):,}: " + ", ".join(f"{name} {count:,}" for count, name in each)


def _throttled(calls: Found) -> str:
    return f"{sum(entry['throttled'] for entry in calls.values()):,}"


def _starts(starts: Found) -> str:
    medians = [one["ours_ms"]["median"] for one in starts["functions"].values()]
    peaks = [one["ours_peak_mb"] for one in starts["functions"].values()]
    return f"{min(medians):.0f} to {max(medians):.0f} ms, {min(peaks):.0f} to {max(peaks):.0f} MiB for each function"


def _process(one: Found) -> str:
    return f"{one['start_seconds']:.1f} s for a run that finds nothing, at most {one['peak_mb']} MiB"


def _pools(one: Found) -> str:
    return f"${Decimal(one['idle_usd']):,.2f} ({one['idle_seconds'] / 3600:,.1f} h of {one['pools']} pools)"


def _facts(found: Found) -> dict[str, str]:
    """What the text around the table says in figures."""
    jobs, events, statuses = found["jobs"], found["events"], found["statuses"]
    rates = found["custodian"]["periodic"]["at_the_rates"]
    calls = rates["calls"]
    saved = Decimal(found["custodian"]["dated"]["pools"]["idle_usd"]) - Decimal(found["product"]["pools"]["idle_usd"])
    functions = found["product"]["functions"]
    return {
        "jobs": f"{jobs['jobs']:,}",
        "hours": f"{jobs['hours']}",
        "spot": _share(jobs["spot"], jobs["jobs"]),
        "keep_alive": _share(jobs["keep_alive"], jobs["jobs"]),
        "statuses": ", ".join(f"{count} {status}" for status, count in statuses.items()),
        "genuine": f"{events['genuine']:,}",
        "lost": f"{events['lost']:,}",
        "duplicated": f"{events['duplicated']:,}",
        "saved": f"${saved:,.2f}",
        "functions": f"{len(functions)}",
        "memory": " or ".join(f"{size} MB" for size in sorted({entry["memory_mb"] for entry in functions})),
        "rates_seconds": f"{rates['seconds']:,.0f}",
        "rates_calls": _calls(calls),
        "rates_throttled": _throttled(calls),
        "rates_end": f"it failed: `{rates['problem']}`" if rates["problem"] else "it succeeded",
        "longest": f"{found['custodian']['periodic']['run_seconds']['longest']:.0f}",
    }


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %"


NAMES = {"slack": "Slack", "email": "e-mail", "topic": "topic", "sqs": "SQS"}
