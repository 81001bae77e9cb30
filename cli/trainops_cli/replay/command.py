"""`trainops replay`: reads or makes a trace, compares the policies, shows table, JSON and picture."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from trainops.domain.keep_alive_economics import ASSUMED_SAVING, WAITING_VALUE, StartSaving
from trainops.domain.keep_alive_policies import KeepAliveSettings
from trainops_cli.replay.comparison import Assumptions, Result, compare, runs
from trainops_cli.replay.jobs import Trace, TraceError
from trainops_cli.replay.pricing import given_prices, priced
from trainops_cli.replay.report import as_json, notes, table
from trainops_cli.replay.simulation import Timing
from trainops_cli.replay.synthetic import synthetic_trace
from trainops_cli.replay.trace_files import read_trace

PLOTS = (".png", ".svg", ".pdf")
TRACE, MONEY, MACHINERY, OUTPUT = "What is replayed", "What it is worth", "How the tool reacts", "What is shown"
HELP = """Would it have paid? Runs the keep-alive decisions that ship over past jobs, and compares them with no warm
pools, with a fixed limit, and with the least anybody could have paid who knew the future.

Without [bold]--trace[/bold] it makes up eight weeks of 60 people from a seed. Nothing is sent anywhere and
AWS is not called."""
EXAMPLES = """[bold].jsonl[/bold]: the ledger's export, one item a line (aws dynamodb export-table-to-point-in-time).

[bold].csv[/bold]: created (2026-03-02T09:00:00Z) or submit_s, ended or duration_s; and if known team or user,
fingerprint, instance_type and instance_count or num_gpus, keep_alive_s, usd_per_hour.

[bold]trainops replay --trace last-month.jsonl.gz --plot replay.svg[/bold]

[bold]trainops replay --trace jobs.csv --waiting-value 25 --price ml.g5.12xlarge=7.09 --json[/bold]"""


def replay(
    *,
    trace: Annotated[
        Path | None,
        typer.Option(
            help="Past jobs: .jsonl or .csv, also as .gz.", rich_help_panel=TRACE, dir_okay=False, exists=True
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which made-up jobs, without --trace.", rich_help_panel=TRACE)] = 1,
    days: Annotated[
        int, typer.Option(help="How many days of made-up jobs.", min=1, max=366, rich_help_panel=TRACE)
    ] = 56,
    waiting_value: Annotated[
        float, typer.Option(help="US dollars that an hour of waiting is worth.", min=0, rich_help_panel=MONEY)
    ] = float(WAITING_VALUE),
    saving: Annotated[
        float, typer.Option(help="Seconds that a warm start saves.", min=0, rich_help_panel=MONEY)
    ] = ASSUMED_SAVING.total_seconds(),
    price: Annotated[
        list[str] | None,
        typer.Option(help="TYPE=USD per instance-hour, over the table; repeatable.", rich_help_panel=MONEY),
    ] = None,
    region: Annotated[
        str, typer.Option(help="Region of the price table that ships.", rich_help_panel=MONEY)
    ] = "us-east-1",
    fixed: Annotated[float, typer.Option(help="Minutes of the fixed limit.", min=0, rich_help_panel=MACHINERY)] = 30,
    asked: Annotated[
        float | None,
        typer.Option(
            help="Minutes of keep-alive that every job asks for.",
            min=1,
            show_default="as the trace says, else 60",
            rich_help_panel=MACHINERY,
        ),
    ] = None,
    lag: Annotated[
        float, typer.Option(help="Seconds from a job's end to the decision.", min=0, rich_help_panel=MACHINERY)
    ] = 5,
    updates: Annotated[
        float,
        typer.Option(help="Releases a second (UpdateTrainingJob).", min=0.001, rich_help_panel=MACHINERY),
    ] = 1,
    workers: Annotated[
        int, typer.Option(help="Processes at a time.", min=1, show_default="all cores", rich_help_panel=MACHINERY)
    ] = os.cpu_count() or 1,
    as_json_text: Annotated[
        bool, typer.Option("--json", help="Print JSON and nothing else.", rich_help_panel=OUTPUT)
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(help="Write a picture: .png, .svg or .pdf.", dir_okay=False, rich_help_panel=OUTPUT),
    ] = None,
) -> None:
    """Reads, compares and shows; what a person sees as help is `HELP`."""
    console = Console(stderr=True)
    _check_plot(plot)
    assumptions = Assumptions(
        settings=KeepAliveSettings(fixed_limit=timedelta(minutes=fixed)),
        timing=Timing(lag=timedelta(seconds=lag), updates_per_second=updates),
        waiting_value=Decimal(str(waiting_value)),
        saving=_saving(timedelta(seconds=saving)),
    )
    try:
        prices = given_prices(price or ())
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--price") from error
    with console.status("Reading the trace"):
        chosen = _trace(trace, seed, days, console)
    chosen = replace(chosen, jobs=priced(chosen.jobs, region, prices)).asking(
        None if asked is None else timedelta(minutes=asked)
    )
    results = _compared(chosen, assumptions, workers, console)
    if as_json_text:
        typer.echo(json.dumps(as_json(chosen, results, assumptions), indent=1))
    else:
        _show(chosen, results, assumptions)
    if plot:
        _draw(results, chosen.source, plot, console)


def _trace(path: Path | None, seed: int, days: int, console: Console) -> Trace:
    try:
        return read_trace(path) if path else synthetic_trace(seed, days)
    except TraceError as error:
        console.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error


def _compared(trace: Trace, assumptions: Assumptions, workers: int, console: Console) -> list[Result]:
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"Replaying {len(trace.jobs):,} jobs", total=len(runs()))
        return compare(trace.jobs, assumptions, workers, lambda _: progress.advance(task))


def _show(trace: Trace, results: list[Result], assumptions: Assumptions) -> None:
    console = Console()
    console.print(table(results))
    for note in notes(trace, results, assumptions):
        console.print(note, markup=False, highlight=False, soft_wrap=True)


def _saving(saved: timedelta) -> StartSaving:
    return StartSaving() if saved == ASSUMED_SAVING else StartSaving(saved, source="as given")


def _check_plot(file: Path | None) -> None:
    """Before anything takes long: a picture needs a known ending, and matplotlib, which is an extra."""
    if file is None:
        return
    if file.suffix not in PLOTS:
        raise typer.BadParameter(f"{file.name}; accepted: a file that ends in {', '.join(PLOTS)}", param_hint="--plot")
    if find_spec("matplotlib") is None:
        raise typer.BadParameter("needs matplotlib: pip install 'trainops[plot]'", param_hint="--plot")


def _draw(results: Sequence[Result], source: str, file: Path, console: Console) -> None:
    from trainops_cli.replay.plot import write_plot  # noqa: PLC0415 only this needs matplotlib

    write_plot(results, source, file)
    console.print(f"wrote {file}", markup=False)
