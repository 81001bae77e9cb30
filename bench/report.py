"""What was measured, as a page to read: bench/results.md is made of bench/results.json and of nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.hops import WAITING

Section = Mapping[str, Any]
RIGHT = "-:"


def page(results: Mapping[str, Section]) -> str:
    """The whole page; a section that was never measured is left out."""
    parts = [HEAD]
    for name, show in SECTIONS:
        if name in results:
            parts += show(results[name])
    return "\n\n".join(parts) + "\n"


def _initialisation(found: Section) -> Iterable[str]:
    yield "## Initialisation"
    yield f"Median of {found['runs']} starts of each kind, Python {found['python']}. {_where(found)}"
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
    yield _table(head, rows, left=(0, 6, 7))
    yield INITIALISATION


def _sizes(found: Section) -> Iterable[str]:
    yield "## Sizes"
    yield _where(found)
    rows = [("Code asset", found["code"]), ("Layer", found["layer"])]
    rows += [(f"in it: {entry['package']}", entry) for entry in found["packages"][:LARGEST]]
    head = ["", "Files", "Unpacked, kB", "As zip, kB"]
    yield _table(head, [[name, entry["files"], _kb(entry["unpacked"]), _kb(entry["zipped"])] for name, entry in rows])
    yield SIZES


def _latency(found: Section) -> Iterable[str]:
    yield "## From a job's end to its message"
    yield f"{found['runs']} jobs with cold and {found['runs']} with warm functions. {_where(found)}"
    rows = [
        [f"{CHANNELS[channel]}, {state}", entry[state]["median_ms"], entry[state]["worst_ms"],
         f"{entry[state]['median_ms'] / entry['warm']['median_ms']:.1f}"]
        for channel, entry in found["channels"].items()
        for state in ("warm", "cold")
    ]  # fmt: skip
    yield _table(["Channel", "Median, ms", "Worst, ms", "÷ warm"], rows)
    yield "Where the time goes, in ms, in the median run; each column adds up to its total:"
    for channel, entry in found["channels"].items():
        yield _breakdown(CHANNELS[channel], entry)
    yield LATENCY


def _keep_alive(found: Section) -> Iterable[str]:
    yield "## Keep-alive policies"
    yield f"One decision with its reason takes {found['decide_us']:.0f} µs (median). {_where(found)}"
    for name, trace in found["traces"].items():
        yield f"### {name}"
        yield (
            f"{trace['jobs']:,} jobs for {trace['keys']:,} kinds of pool. Cost over the exact optimum, by break-even "
            f"idle time in seconds; decisions {trace['lag_seconds']:g} s after a job's end, one release a second:"
        )
        head = ["Policy", *next(iter(trace["policies"].values()))["ratios"], "Mean", "Worst"]
        rows = [[policy, *_ratios(figures)] for policy, figures in trace["policies"].items()]
        yield _table(head, [*rows, ["histogram, decided in time", *_ratios(trace["at_once"]["histogram"])]])
        yield "With waiting at $60 an hour and the instances' own prices:"
        head = ["Policy", "Cost, $", "÷ optimum", "Idle, $", "Idle, h", "Cold starts", "Run, s"]
        yield _table(head, [_bill(policy, trace) for policy in trace["policies"]])
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
    return _table([channel, "Warm", "Cold"], rows)


def _hop(name: str) -> str:
    if not name.startswith(WAITING):
        return f"`{name}`" + (" until the message has arrived" if name.endswith("_delivery") else "")
    function = name.removeprefix(WAITING)
    return f"waiting: {WAITS.get(function, 'queue')} → `{function}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], left: Sequence[int] = (0,)) -> str:
    marks = ["-" if column in left else RIGHT for column in range(len(head))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, marks, *rows])


def _where(found: Section) -> str:
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

HEAD = """# Measurements

`make bench` writes this page and `results.json`, which also has every single value. Compare figures of one run with
each other, by ratio: absolute times belong to the machine. No test looks at them."""

INITIALISATION = """How: each start is a fresh isolated interpreter that finds the code asset, the layer and boto3, and
nothing else. The clock runs from the first statement until the handler is imported and `wire()` has made its parts
from a valid environment; in brackets the fastest and the slowest start. The floor is a process like it with only the
third-party import statements of the modules that the function loads, and boto3's own clients of the same services;
both lists are found by starting the function, and are in `results.json`. Ours and floor take turns; their ratio is the
median over the pairs. Code and layer are without bytecode, as they ship, and so compiled at each start; boto3 has its
bytecode. Memory is the most that was resident.

Not told: the interpreter's own start, Lambda's part (sandbox, download, its runtime client), and the processor's share
that a function's memory size buys. Whether the floor itself could be lower is a question of the imports."""

SIZES = """How: the files that ship, in bytes (1 kB is 1,000), as they are and as one deflated zip. The code asset is
the same for all functions. Lambda's limit is 250 MB unpacked for code and layers together.

Not told: the CDK packs with another program, so its zip may differ by a few per cent."""

LATENCY = """How: trainops is deployed to the local AWS with IAM enforced, and a simulated training job is brought to
the state before its end. Then one call moves the clock; the time just before it is the job's end. Each function's start
and end come from the REPORT line in its CloudWatch log, the arrival from the receiver's own clock. A function's hop
ends with the function, or with the start of the next one if that came first, because a function still tidies up after
it has handed on. Cold: every function got a new process after the job had started, as after a deployment. Both
channels get the message, so their two functions start at the same time and share the processor. The breakdown is that
of the run whose total is the median (of two, the faster).

Not told: what AWS's network, queues and polling take; Lambda's own cold start; anything under load, since one job ends
at a time. A cold function's time here also holds what the local AWS does for a new process: it unpacks code and layer
again, on the same cores, within the duration that it reports."""

KEEP_ALIVE = """How: `trainops replay`, whose page is docs/keep-alive.md, with pools of at most an hour. A run is one
policy over all jobs, in processor time on one core. Made-up jobs are those that ship with the command; a real trace is
read with `TRACE=path make bench`, and its figures stay until it is read again. The keys of
itp-elasticflow are cluster and number of GPUs, taken as g5 instances (g5.12xlarge at $7.09, g5.48xlarge at $20.36).

Not told: the order in which SageMaker hands out pools, and how soon one is available, are taken from the simulation."""

SECTIONS = (
    ("initialisation", _initialisation), ("sizes", _sizes), ("latency", _latency), ("keep_alive", _keep_alive),
)  # fmt: skip
"""In the page's order."""
