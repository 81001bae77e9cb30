"""`trainops latency`: how long the account's jobs took to start, cold and warm, by input mode."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from trainops.adapters.job_counts import DynamoJobCounts
from trainops.adapters.ledger_table import LedgerTable
from trainops.domain.start_latency import Latency, latencies
from trainops.domain.wording import counted
from trainops_cli.deployed import said_plainly
from trainops_cli.why.ledger import Deployment

HELP = """How long did jobs take from their creation to their training? Half of them took at most P50, nine in ten at
most P90; from the ledger alone, over the last [bold]--days[/bold].

Needs cloudformation:DescribeStacks on the foundation stack; dynamodb:BatchGetItem on the ledger and Query on its
index."""


def latency(
    *,
    days: Annotated[int, typer.Option(help="How many days back.", min=1, max=3650)] = 30,
    region: Annotated[str | None, typer.Option(show_default="the configured one")] = None,
    deployment: Annotated[str, typer.Option(help="The name in the deployment's settings.")] = "trainops",
    as_json_text: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Reads, and shows; what a person sees as help is `HELP`."""
    with said_plainly():
        rows = _measured(Deployment.found(deployment, region), timedelta(days=days))
    if as_json_text:
        typer.echo(json.dumps([_plain(row) for row in rows], indent=1))
    elif rows:
        Console().print(_table(rows))
    else:
        Console().print(f"no start was measured in {counted(days, 'day')}")


def _measured(deployment: Deployment, back: timedelta) -> list[Latency]:
    counts, now = DynamoJobCounts(LedgerTable(deployment.dynamodb, deployment.table)), datetime.now(UTC)
    known = counts.counted(counts.finished(now - back, now))
    return latencies(start for start in known.values() if start)


def _plain(row: Latency) -> dict[str, object]:
    return {
        "input_mode": row.input_mode,
        "start": "warm" if row.warm else "cold",
        "starts": row.starts,
        "p50_seconds": row.p50.total_seconds(),
        "p90_seconds": row.p90.total_seconds(),
    }


def _table(rows: Sequence[Latency]) -> Table:
    table = Table("Input mode", "Start")
    for heading in ("Jobs", "P50", "P90"):
        table.add_column(heading, justify="right")
    for row in rows:
        times = (f"{time.total_seconds():.0f} s" for time in (row.p50, row.p90))
        table.add_row(row.input_mode, "warm" if row.warm else "cold", str(row.starts), *times)
    return table
