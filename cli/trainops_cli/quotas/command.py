"""`trainops quotas advise`: the warm-pool quota that keeps nearly all warm starts, by instance type."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from trainops_cli.replay.comparison import NO_POOLS, POLICIES, Assumptions, Run, simulate
from trainops_cli.replay.jobs import TraceError
from trainops_cli.replay.pricing import priced
from trainops_cli.replay.quota import smallest, warm_starts
from trainops_cli.replay.simulation import Outcome
from trainops_cli.replay.synthetic import synthetic_trace
from trainops_cli.replay.trace_files import read_trace

SHARES = (0.95, 0.99)
app = typer.Typer(help="How large a quota pays.", no_args_is_help=True)


@app.callback()
def quotas() -> None:
    """How large a quota pays."""


@app.command()
def advise(
    *,
    trace: Annotated[
        Path | None, typer.Option(help="Past jobs: .jsonl or .csv, also as .gz.", dir_okay=False, exists=True)
    ] = None,
    policy: Annotated[str, typer.Option(help="The keep-alive policy: fixed, break-even or histogram.")] = "histogram",
    asked: Annotated[float | None, typer.Option(help="Minutes of keep-alive that every job asks for.", min=1)] = None,
    region: Annotated[str, typer.Option(help="Region of the price table that ships.")] = "us-east-1",
) -> None:
    """Replay past jobs, and size each type's warm-pool quota by the warm starts that it keeps.

    Without [bold]--trace[/bold] it makes up eight weeks of 60 people's jobs. Only what the policy itself leaves
    available counts against the quota. AWS is not called.
    """
    if policy not in POLICIES or policy == NO_POOLS:
        raise typer.BadParameter(f"{policy}; accepted: fixed, break-even, histogram", param_hint="--policy")
    try:
        past = read_trace(trace) if trace else synthetic_trace(1, 56)
    except TraceError as error:
        Console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from error
    chosen = past.asking(None if asked is None else timedelta(minutes=asked))
    outcome = simulate(priced(chosen.jobs, region, {}), Assumptions(), Run(policy, None))
    Console().print(_table(outcome, policy))
    Console().print("In the settings: quotas.instance_types.<type>.warm_pool. Pools count towards training too.")


def _table(outcome: Outcome, policy: str) -> Table:
    shown = Table(title=f"Warm-pool quota that keeps warm starts, policy {policy}", box=box.SIMPLE_HEAD)
    shown.add_column("type", no_wrap=True)
    for name in ("warm starts", *(f"keeps {share:.0%}" for share in SHARES), "lost below, of 99 %"):
        shown.add_column(name, justify="right")
    for instance_type, spells in sorted(outcome.spells.items()):
        every = sum(spell.taken for spell in spells)
        sizes = [smallest(spells, share) for share in SHARES]
        lost = every - warm_starts(spells, max(sizes[-1] - 1, 0))
        shown.add_row(instance_type, f"{every:,}", *map(str, sizes), f"{lost:,}")
    return shown
