"""`trainops redrive QUEUE`: sends the messages of a dead-letter queue to the queue that gave them up, and waits."""

import time
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from trainops.domain.wording import counted
from trainops_cli.deployed import Foundation, Mistake, said_plainly
from trainops_cli.redrive.dead_letters import DeadLetters, chosen, dead_letters
from trainops_cli.redrive.moving import Move

HELP = """Send again what was given up into the dead-letter queue [bold]QUEUE[/bold], such as slack or job_events.

Repair the cause first, or it comes back. Harmless otherwise: what was announced or delivered before is not announced or
delivered again. Ctrl-C stops the move; what was moved stays moved.

Needs cloudformation:DescribeStacks and ListStackResources on the foundation stack; on the queue sqs:GetQueueAttributes,
ListDeadLetterSourceQueues, StartMessageMoveTask, ListMessageMoveTasks, CancelMessageMoveTask, ReceiveMessage and
DeleteMessage; on the queue it goes back to GetQueueAttributes and SendMessage."""


def redrive(
    queue: Annotated[str | None, typer.Argument(metavar="QUEUE", help="As --list shows it.")] = None,
    *,
    list_only: Annotated[
        bool, typer.Option("--list", help="Show every dead-letter queue, and change nothing.")
    ] = False,
    per_second: Annotated[int, typer.Option(help="At most so many messages a second.", min=1, max=500)] = 10,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    region: Annotated[str | None, typer.Option(show_default="the configured one")] = None,
    deployment: Annotated[str, typer.Option(help="The name in the deployment's settings.")] = "trainops",
) -> None:
    """Looks, asks, moves and waits; what a person sees as help is `HELP`."""
    with said_plainly():
        foundation = Foundation.found(deployment, region)
        sqs = foundation.session.client("sqs")
        every = dead_letters(foundation, sqs)
        if list_only:
            Console().print(_table(every))
            return
        if queue is None:
            raise Mistake(f"which queue? accepted: --list, or one of {', '.join(item.purpose for item in every)}")
        one = chosen(every, queue)
        if not one.messages:
            typer.echo(f"{one.purpose} is empty; nothing was moved")
            return
        about = f"about {counted(one.messages, 'message')} of {one.purpose} {one.where}, {per_second} a second"
        if not yes and not typer.confirm(f"Move {about}?"):
            raise Mistake("nothing was moved")
        _moved(Move(sqs, one, time.sleep), per_second)


def _moved(move: Move, per_second: int) -> None:
    if not move.start(per_second):
        typer.echo("A move out of this queue runs already; following that one.")
    said = None
    try:
        for progress in move.follow():
            if progress != said:
                of = "" if progress.of is None else f" of about {progress.of}"
                typer.echo(f"moved {progress.moved}{of}")
            said = progress
    except KeyboardInterrupt:
        move.cancel()
        raise Mistake(f"stopped after about {said.moved if said else 0} messages; the rest stays where it is") from None


def _table(every: list[DeadLetters]) -> Table:
    table = Table("Queue", box=box.SIMPLE)
    table.add_column("Messages", justify="right")
    table.add_column("Its messages go", overflow="fold")
    for item in every:
        table.add_row(item.purpose, str(item.messages), item.where)
    return table
