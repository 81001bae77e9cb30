"""What was measured, as a page to read: bench/results.md is made of bench/results.json and of nothing else."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from bench.hops import WAITING
from bench.methods import ACKNOWLEDGEMENT, FLEET, HEAD, INITIALISATION, KEEP_ALIVE, LATENCY, SIZES

Section = Mapping[str, Any]
RIGHT = "-:"


def page(results: Mapping[str, Section]) -> str:
    """The whole page; a section that was never measured is left out."""
    parts = [HEAD]
    for name, show in SECTIONS.items():
        if name in results:
            parts += show(results[name])
    return "\n\n".join(parts) + "\n"


def _initialisation(found: Section) -> Iterable[str]:
    yield "## Initialisation"
    yield f"Median of {found['runs']} starts of each kind, Python {found['python']}. {where(found)}"
    rows = [
        [
            f"`{name}`",
            *(_ms(entry[kind]) for kind in ("ours_ms", "floor_ms")),
            f"{entry['ratio']:.2f}",
            f"{entry['ours_peak_mb']:.0f}",
            f"{entry['floor_peak_mb']:.0f}",
            ", ".join(entry["clients"]),
            ", ".join(package for package in entry["packages"] if package not in SDK),
        ]
        for name, entry in found["functions"].items()
    ]
    head = ["Function", "Ours, ms", "Floor, ms", "Ours ÷ floor", "Ours, MiB", "Floor, MiB", "Clients", "Beside boto3"]
    yield table(head, rows, left=(0, 6, 7))
    yield INITIALISATION


def _sizes(found: Section) -> Iterable[str]:
    yield "## Sizes"
    yield where(found)
    rows = [("Code asset", found["code"]), ("Layer", found["layer"])]
    rows += [(f"in it: {entry['package']}", entry) for entry in found["packages"][:LARGEST]]
    head = ["", "Files", "Unpacked, kB", "As zip, kB"]
    yield table(head, [[name, entry["files"], _kb(entry["unpacked"]), _kb(entry["zipped"])] for name, entry in rows])
    yield SIZES


def _latency(found: Section) -> Iterable[str]:
    yield "## From a job's end to its message"
    yield f"{found['runs']} jobs with cold and {found['runs']} with warm functions. {where(found)}"
    rows = [
        [f"{CHANNELS[channel]}, {state}", entry[state]["median_ms"], entry[state]["worst_ms"],
         f"{entry[state]['median_ms'] / entry['warm']['median_ms']:.1f}"]
        for channel, entry in found["channels"].items()
        for state in ("warm", "cold")
    ]  # fmt: skip
    yield table(["Channel", "Median, ms", "Worst, ms", "÷ warm"], rows)
    yield "Where the time goes, in ms, in the median run; each column adds up to its total:"
    for channel, entry in found["channels"].items():
        yield _breakdown(CHANNELS[channel], entry)
    yield LATENCY


def _fleet(found: Section) -> Iterable[str]:
    yield "## Simulated training jobs"
    yield where(found)
    smallest = found["fleets"][0]
    rows = [
        [f"{fleet['jobs']:,}", f"{fleet['seconds']:.1f}", f"{fleet['jobs_per_second']:,}", f"{fleet['events']:,}",
         f"{fleet['events_per_second']:,}", f"{_time_per_job(fleet) / _time_per_job(smallest):.2f}"]
        for fleet in found["fleets"]
    ]  # fmt: skip
    head = ["Jobs", "Seconds", "Jobs per second", "Events", "Events per second", "Time per job ÷ smallest fleet's"]
    yield table(head, rows, left=())
    yield FLEET


def _time_per_job(fleet: Section) -> float:
    return float(fleet["seconds"] / fleet["jobs"])


def _keep_alive(found: Section) -> Iterable[str]:
    yield "## Keep-alive policies"
    yield f"One decision with its reason takes {found['decide_us']:.0f} µs (median). {where(found)}"
    for name, trace in found["traces"].items():
        yield f"### {name}"
        yield (
            f"{trace['jobs']:,} jobs for {trace['keys']:,} kinds of pool. Cost over the exact optimum, by break-even "
            f"idle time in seconds; decisions {trace['lag_seconds']:g} s after a job's end, one release a second:"
        )
        head = ["Policy", *next(iter(trace["policies"].values()))["ratios"], "Mean", "Worst"]
        rows = [[policy, *_ratios(figures)] for policy, figures in trace["policies"].items()]
        yield table(head, [*rows, ["histogram, decided in time", *_ratios(trace["at_once"]["histogram"])]])
        yield "With waiting at $60 an hour and the instances' own prices:"
        head = ["Policy", "Cost, $", "÷ optimum", "Idle, $", "Idle, h", "Cold starts", "Run, s"]
        yield table(head, [_bill(policy, trace) for policy in trace["policies"]])
        yield f"The guard adds {trace['guard_costs_percent']:g} % to the histogram's cost."
    means = ", ".join(f"{entry['histogram']['mean']:.3f}" for entry in found["seeds"])
    yield f"Mean ratio of the histogram on made-up jobs of seeds 1 to {len(found['seeds'])}: {means}."
    yield KEEP_ALIVE


def _ratios(figures: Section) -> list[str]:
    return [f"{ratio:.3f}" for ratio in (*figures["ratios"].values(), figures["mean"], figures["worst"])]


def _bill(policy: str, trace: Section) -> list[str]:
    of = trace["policies"][policy]
    amounts = [f"{of[name]:,}" for name in ("idle_usd", "idle_hours", "cold_starts")]
    ratio = f"{of['cost_usd'] / of['optimum_usd']:.3f}"
    return [policy, f"{of['cost_usd']:,}", ratio, *amounts, f"{trace['seconds_per_run'][policy]:.1f}"]


def _breakdown(channel: str, entry: Section) -> str:
    warm, cold = (entry[state]["median_run"] for state in ("warm", "cold"))
    rows: list[Sequence[object]] = [
        [_hop(name), f"{warm['hops_ms'][name]:.0f}", f"{cold['hops_ms'][name]:.0f}"] for name in warm["hops_ms"]
    ]
    for label, key in (("**Total**", "total_ms"), ("of which waiting", "waiting_ms")):
        rows.append([label, f"{warm[key]:.0f}", f"{cold[key]:.0f}"])
    return table([channel, "Warm", "Cold"], rows)


def _hop(name: str) -> str:
    if not name.startswith(WAITING):
        return f"`{name}`" + (" until the message has arrived" if name.endswith("_delivery") else "")
    function = name.removeprefix(WAITING)
    return f"waiting: {WAITS.get(function, 'queue')} → `{function}`"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], left: Collection[int] = (0,)) -> str:
    """A table in Markdown; the columns of these numbers are aligned to the left, the others to the right."""
    marks = ["-" if column in left else RIGHT for column in range(len(head))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, marks, *rows])


def where(found: Section) -> str:
    """When and on what a section was measured."""
    machine = found["machine"]
    return (
        f"Measured {found['measured']} on {machine['cores']} {machine['architecture']} cores, {machine['system']}, "
        f"Python {machine['python']}, load {machine['load']} when it began."
    )


def _ms(spread: Mapping[str, float]) -> str:
    return f"{spread['median']:.0f} ({spread['lowest']:.0f} to {spread['highest']:.0f})"


def _kb(size: int) -> str:
    return f"{size / 1000:,.1f}"


LARGEST = 5
SDK = ("boto3", "botocore")
CHANNELS = {"slack": "Slack", "email": "E-mail"}
WAITS = {"job_intake": "event, rule, queue", "job_notification": "bus, rule, queue"}


def _acknowledgement(found: Section) -> Iterable[str]:
    yield "## From a press of a button to its acknowledgement, by a cold function"
    yield f"{found['runs']} presses. {where(found)}"
    rows = [
        [what, *(f"{found[kind][name]}" for name in ("median_ms", "p99_ms", "highest_ms"))]
        for what, kind in (("Waited", "waited"), ("Processor time", "processor"))
    ]
    yield table(["", "Median, ms", "P99, ms", "Longest, ms"], rows)
    yield ACKNOWLEDGEMENT


SECTIONS = {
    "initialisation": _initialisation,
    "sizes": _sizes,
    "latency": _latency,
    "acknowledgement": _acknowledgement,
    "fleet": _fleet,
    "keep_alive": _keep_alive,
}
"""In the page's order."""
